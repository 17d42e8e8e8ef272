"""Storey 2, library, inside `floor`: the operations a card may offer, as plain functions in one catalogue."""
