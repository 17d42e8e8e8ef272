"""Storey 6, workshops: plans, records, statistics and reports of experiments."""
