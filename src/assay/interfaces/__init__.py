"""Storey 8, doors: speak a protocol and nothing else."""
