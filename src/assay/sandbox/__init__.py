"""Storey 4, pipes: runs a candidate and reports observations; judges nothing.

Not built yet: this package holds the place and its import rules.
"""
