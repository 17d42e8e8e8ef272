"""Storey 8, doors, inside `interfaces`: the same over HTTP.

Not built yet: this package holds the place and its import rules.
"""
