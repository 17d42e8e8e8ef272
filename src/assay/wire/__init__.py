"""Storey 3, letterbox: bytes in, frozen values out; the only room that uses pydantic."""
