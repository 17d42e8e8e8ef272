"""Storey 6, workshops, inside `experiments`: paired trials of gate and baselines.

Not built yet: this package holds the place and its import rules.
"""
