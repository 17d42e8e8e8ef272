"""Storey 6, workshops, inside `experiments`: recorded attacks with their required verdicts.

Not built yet: this package holds the place and its import rules.
"""
