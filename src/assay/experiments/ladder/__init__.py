"""Storey 6, workshops, inside `experiments`: the same tasks over models of rising size.

Not built yet: this package holds the place and its import rules.
"""
