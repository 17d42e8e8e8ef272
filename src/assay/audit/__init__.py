"""Storey 6, workshops: decides again from receipts, hashing everything it reads.

Not built yet: this package holds the place and its import rules.
"""
