"""Storey 2, library: what is asked. Literal suites and the call program rendered from them; pure."""
