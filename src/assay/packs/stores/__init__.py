"""Storey 4, pipes, inside `packs`: where the rows of a snapshot live."""
