"""Storey 6, workshops: plans, records, statistics and reports of experiments.

Not built yet: this package holds the place and its import rules.
"""
