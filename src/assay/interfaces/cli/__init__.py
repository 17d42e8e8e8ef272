"""Storey 8, doors, inside `interfaces`: the command line."""
