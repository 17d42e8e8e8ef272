"""Storey 4, pipes: runs a candidate and reports observations; judges nothing."""
