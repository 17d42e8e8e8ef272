"""The tree of RFC 9162 §2.1 as its page defines it, recursively: to compare with. Nothing here is fast."""

from __future__ import annotations

import hashlib


def mth(entries: list[bytes]) -> bytes:
    """Return the Merkle tree hash of the entries."""
    if not entries:
        return hashlib.sha256().digest()
    if len(entries) == 1:
        return hashlib.sha256(b"\x00" + entries[0]).digest()
    k = half(len(entries))
    return hashlib.sha256(b"\x01" + mth(entries[:k]) + mth(entries[k:])).digest()


def half(n: int) -> int:
    """Return the largest power of two below n."""
    k = 1
    while 2 * k < n:
        k *= 2
    return k


def path(m: int, entries: list[bytes]) -> list[bytes]:
    """Return the inclusion proof of entry m."""
    if len(entries) == 1:
        return []
    k = half(len(entries))
    if m < k:
        return [*path(m, entries[:k]), mth(entries[k:])]
    return [*path(m - k, entries[k:]), mth(entries[:k])]


def proof(m: int, entries: list[bytes]) -> list[bytes]:
    """Return the consistency proof from the first m entries."""
    return subproof(m, entries, is_whole=True)


def subproof(m: int, entries: list[bytes], *, is_whole: bool) -> list[bytes]:
    """Return what the RFC calls SUBPROOF."""
    if m == len(entries):
        return [] if is_whole else [mth(entries)]
    k = half(len(entries))
    if m <= k:
        return [*subproof(m, entries[:k], is_whole=is_whole), mth(entries[k:])]
    return [*subproof(m - k, entries[k:], is_whole=False), mth(entries[:k])]
