"""Storey 2, library: what is known. Evidence to established state, and the cards that reveal none of it; pure."""
