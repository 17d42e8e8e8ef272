"""Storey 2, library: what is asked. Literal suites and the call program rendered from them; pure.

Not built yet: this package holds the place and its import rules.
"""
