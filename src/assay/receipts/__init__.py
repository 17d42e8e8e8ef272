"""Storey 2, library: what was done. Statements and predicates as values; pure."""
