"""Storey 5, halls: the walk of one delivery.

Not built yet: this package holds the place and its import rules.
"""
