"""Storey 6, workshops, inside `experiments`: hostile proposals; has no path to a model.

Not built yet: this package holds the place and its import rules.
"""
