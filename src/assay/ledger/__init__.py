"""Storey 4, pipes: the append-only record of receipts."""
