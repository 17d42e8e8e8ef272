"""Storey 5, halls: the walk of one delivery."""
