"""Storey 4, pipes, inside `packs`: readers of published files, from which packs are built."""
