"""Storey 4, pipes: spreads tasks over processes and machines.

Not built yet: this package holds the place and its import rules.
"""
