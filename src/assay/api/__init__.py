"""Storey 7, desk: the documented Python surface and the wiring that chooses concrete parts."""
