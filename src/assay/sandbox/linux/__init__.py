"""Pipes: the back-end for Linux on x86-64: two warm zygotes a slot, a fork for each candidate (docs/adr/0023)."""
