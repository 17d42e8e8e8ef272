"""Storey 5, halls, inside `gate`: the strategies that the gate is compared with.

Not built yet: this package holds the place and its import rules.
"""
