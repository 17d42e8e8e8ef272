"""Storey 4, pipes: whatever proposes. Nothing below the halls can reach this room."""
