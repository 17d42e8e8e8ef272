"""Storey 6, workshops: decides again, from vectors that say what must come out, and from receipts."""
