"""Storey 8, doors, inside `interfaces`: the Model Context Protocol, where the caller is the model.

Not built yet: this package holds the place and its import rules.
"""
