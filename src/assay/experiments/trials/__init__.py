"""Storey 6, workshops, inside `experiments`: paired trials of gate and baselines."""
