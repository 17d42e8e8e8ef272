"""Storey 6, workshops: attacks on suites, replayed as data (docs/adr/0031)."""
