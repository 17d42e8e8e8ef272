"""Pipes, pure: the Merkle tree of RFC 9162 §2.1: hashes, roots, proofs and their checks (spec/log.md §2).

Nothing here knows where hashes are kept: who makes a proof gives `node`, the hash of a perfect subtree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Final

HASH_BYTES: Final = 32
EMPTY: Final = sha256(b"").digest()

# The hash over the perfect subtree of 2**height leaves that begins at leaf index * 2**height.
Node = Callable[[int, int], bytes]


def leaf_hash(entry: bytes) -> bytes:
    """The hash of one entry."""
    return sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return sha256(b"\x01" + left + right).digest()


def root_of(hashes: Sequence[bytes]) -> bytes:
    """The root over these hashes, in order; all stand for perfect subtrees of one size, but the last may be smaller."""
    if not hashes:
        return EMPTY
    level = list(hashes)
    while len(level) > 1:
        paired = [node_hash(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
        if len(level) % 2:
            paired.append(level[-1])  # RFC 9162: the odd one goes up as it is
        level = paired
    return level[0]


def range_root(node: Node, start: int, stop: int) -> bytes:
    """The root over the leaves start ≤ i < stop, where start is a multiple of the power of two ≥ stop - start."""
    width = stop - start
    if width & (width - 1) == 0:
        height = width.bit_length() - 1
        return node(height, start >> height)
    middle = start + _split(width)
    return node_hash(range_root(node, start, middle), range_root(node, middle, stop))


def inclusion_proof(node: Node, index: int, size: int) -> list[bytes]:
    """The hashes that lead from the leaf to the root of the tree of that size, nearest first (RFC 9162 §2.1.3.1).

    Raises:
        ValueError: there is no such leaf.
    """
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} has no leaf {index}")
    proof: list[bytes] = []
    start, stop = 0, size
    while stop - start > 1:
        middle = start + _split(stop - start)
        if index < middle:
            proof.append(range_root(node, middle, stop))
            stop = middle
        else:
            proof.append(range_root(node, start, middle))
            start = middle
    return proof[::-1]


def consistency_proof(node: Node, old: int, new: int) -> list[bytes]:
    """The hashes that show the tree of the old size to be the beginning of the new one (RFC 9162 §2.1.4.1).

    Raises:
        ValueError: the sizes are not 0 < old ≤ new.
    """
    if not 0 < old <= new:
        raise ValueError(f"no consistency proof leads from {old} to {new}")
    proof: list[bytes] = []
    start, stop, is_whole = 0, new, True
    while old != stop:
        middle = start + _split(stop - start)
        if old <= middle:
            proof.append(range_root(node, middle, stop))
            stop = middle
        else:
            proof.append(range_root(node, start, middle))
            start, is_whole = middle, False
    if not is_whole:
        proof.append(range_root(node, start, stop))
    return proof[::-1]


def is_included(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether the proof leads from the leaf to the root (RFC 9162 §2.1.3.2); False for anything malformed."""
    if not 0 <= index < size or not _are_hashes(leaf, root, *proof):
        return False
    at, last, found = index, size - 1, leaf
    for step in proof:
        if last == 0:
            return False
        if at & 1 or at == last:
            found = node_hash(step, found)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            found = node_hash(found, step)
        at, last = at >> 1, last >> 1
    return last == 0 and found == root


def is_consistent(old: int, new: int, proof: Sequence[bytes], old_root: bytes, new_root: bytes) -> bool:
    """Whether the new tree begins with the old one (RFC 9162 §2.1.4.2); False for anything malformed.

    Every tree begins with the empty one, whose proof is empty.
    """
    if not 0 <= old <= new or not _are_hashes(old_root, new_root, *proof):
        return False
    if old == 0:
        return not proof and old_root == EMPTY
    if old == new:
        return not proof and old_root == new_root
    steps = list(proof)
    if old & (old - 1) == 0:
        steps.insert(0, old_root)
    if not steps:
        return False
    at, last = old - 1, new - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    first = second = steps[0]
    for step in steps[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            first, second = node_hash(step, first), node_hash(step, second)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            second = node_hash(second, step)
        at, last = at >> 1, last >> 1
    return last == 0 and first == old_root and second == new_root


def _split(width: int) -> int:
    """The largest power of two below the width, which is 2 or more."""
    return 1 << ((width - 1).bit_length() - 1)


def _are_hashes(*values: bytes) -> bool:
    return all(len(value) == HASH_BYTES for value in values)
