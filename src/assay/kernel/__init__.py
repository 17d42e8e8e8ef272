"""Storey 1, bedrock: what counts. Pure, standard library only; imports nothing above itself."""
