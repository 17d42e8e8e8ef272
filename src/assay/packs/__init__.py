"""Storey 4, pipes: evidence packs on disk, checked and opened as immutable snapshots."""
