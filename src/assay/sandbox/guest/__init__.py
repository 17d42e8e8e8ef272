"""Pipes, guest side: what runs in the warm interpreter and beside the candidate; it decides nothing.

Standard library only: these modules are loaded by `python -s -P -S -B` outside any virtual environment, and taken out
of `sys.modules` before the first candidate (docs/adr/0023). No coverage tool can follow them: parts that run there
alone say so.
"""
