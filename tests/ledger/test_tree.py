"""The tree is RFC 9162's: known roots, the definition itself, and no wrong proof is taken for a right one."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.ledger import naive_tree as naive

from assay.ledger import tree

# The eight entries, and roots of the first n, that implementations of RFC 6962 and 9162 test themselves with.
ENTRIES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
MANY = [b"entry %d" % i for i in range(600)]
LEAVES = [tree.leaf_hash(entry) for entry in MANY]
SIZES = st.integers(0, 600)


def nodes(leaves: list[bytes]) -> tree.Node:
    """Return where the nodes over these leaves are: computed each time."""

    def node(height: int, index: int) -> bytes:
        part = leaves[index << height : (index + 1) << height]
        assert len(part) == 1 << height, "only perfect subtrees are asked for"
        return tree.root_of(part)

    return node


NODES = nodes(LEAVES)


@pytest.mark.parametrize("size", range(9))
def test_known_roots(size: int) -> None:
    assert tree.root_of([tree.leaf_hash(entry) for entry in ENTRIES[:size]]).hex() == ROOTS[size]


def test_the_empty_tree_is_the_hash_of_nothing() -> None:
    assert tree.EMPTY.hex() == ROOTS[0]


def test_known_proofs_of_seven_entries() -> None:
    """RFC 9162 §2.1.5, with the RFC's names."""
    a, b, c, d, e, f, j = (tree.leaf_hash(entry) for entry in MANY[:7])
    g, h, i = tree.node_hash(a, b), tree.node_hash(c, d), tree.node_hash(e, f)
    k, hash2 = tree.node_hash(g, h), tree.node_hash(i, j)
    node = nodes([a, b, c, d, e, f, j])
    assert tree.inclusion_proof(node, 0, 7) == [b, h, hash2]
    assert tree.inclusion_proof(node, 3, 7) == [c, g, hash2]
    assert tree.inclusion_proof(node, 4, 7) == [f, j, k]
    assert tree.inclusion_proof(node, 6, 7) == [i, k]
    assert tree.consistency_proof(node, 3, 7) == [c, d, g, hash2]
    assert tree.consistency_proof(node, 4, 7) == [hash2]
    assert tree.consistency_proof(node, 6, 7) == [i, j, k]


@pytest.mark.parametrize("size", [*range(70), 127, 128, 129, 255, 256, 257, 511, 512, 513, 600])
def test_roots_and_proofs_are_those_of_the_definition(size: int) -> None:
    entries = MANY[:size]
    root = tree.root_of(LEAVES[:size])
    assert root == naive.mth(entries)
    for index in range(0, size, max(size // 9, 1)):
        proof = tree.inclusion_proof(NODES, index, size)
        assert proof == naive.path(index, entries)
        assert tree.is_included(LEAVES[index], index, size, proof, root)
    for old in range(1, size + 1, max(size // 9, 1)):
        proof = tree.consistency_proof(NODES, old, size)
        assert proof == naive.proof(old, entries)
        assert tree.is_consistent(old, size, proof, tree.root_of(LEAVES[:old]), root)


@given(SIZES.filter(bool), st.data())
@settings(max_examples=150, deadline=None)
def test_only_the_right_leaf_index_size_and_root_are_included(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    proof = tree.inclusion_proof(NODES, index, size)
    root = tree.root_of(LEAVES[:size])
    assert tree.is_included(LEAVES[index], index, size, proof, root)
    other = data.draw(st.integers(0, 599).filter(lambda i: i != index))
    assert not tree.is_included(LEAVES[other], index, size, proof, root)
    assert not tree.is_included(LEAVES[index], index, size, proof, tree.EMPTY)
    assert not tree.is_included(LEAVES[index], index, size, [*proof, root], root)
    assert not tree.is_included(LEAVES[index], -1, size, proof, root)
    assert not tree.is_included(LEAVES[index], size, size, proof, root)
    if proof:
        assert not tree.is_included(LEAVES[index], index, size, proof[:-1], root)
        spot = data.draw(st.integers(0, len(proof) - 1))
        forged = [*proof[:spot], sha256(proof[spot]).digest(), *proof[spot + 1 :]]
        assert not tree.is_included(LEAVES[index], index, size, forged, root)
        assert not tree.is_included(LEAVES[index], index, size, [proof[0][:-1], *proof[1:]], root)
    wrong = data.draw(st.integers(0, size - 1).filter(lambda i: i != index)) if size > 1 else index + 1
    assert not tree.is_included(LEAVES[index], wrong, size, proof, root)


@given(SIZES, SIZES, st.data())
@settings(max_examples=150, deadline=None)
def test_only_a_beginning_is_consistent(one: int, two: int, data: st.DataObject) -> None:
    old, new = sorted((one, two))
    first, second = tree.root_of(LEAVES[:old]), tree.root_of(LEAVES[:new])
    proof = tree.consistency_proof(NODES, old, new) if old else []
    assert tree.is_consistent(old, new, proof, first, second)
    assert not tree.is_consistent(old, new, proof, sha256(first).digest(), second)
    assert not tree.is_consistent(old, new, [*proof, first], first, second)
    assert not tree.is_consistent(-1, new, proof, first, second)
    assert not tree.is_consistent(new + 1, new, proof, first, second)
    if old:  # any tree begins with the empty one
        assert not tree.is_consistent(old, new, proof, first, sha256(second).digest())
    if proof:
        assert not tree.is_consistent(old, new, proof[:-1], first, second)
        spot = data.draw(st.integers(0, len(proof) - 1))
        forged = [*proof[:spot], sha256(proof[spot]).digest(), *proof[spot + 1 :]]
        assert not tree.is_consistent(old, new, forged, first, second)
        other = data.draw(st.integers(0, new).filter(lambda size: size != old))
        assert not tree.is_consistent(other, new, proof, first, second)


@given(st.lists(st.binary(min_size=31, max_size=33), max_size=12), st.integers(-1, 600), st.integers(-1, 600))
def test_no_proof_raises(proof: list[bytes], one: int, two: int) -> None:
    assert not tree.is_included(LEAVES[0], one, two, proof, tree.EMPTY)
    if not (one == 0 and two >= 0 and not proof):
        assert not tree.is_consistent(one, two, proof, tree.EMPTY, LEAVES[0])


def test_an_entry_is_never_taken_for_a_node() -> None:
    a, b = LEAVES[:2]
    assert tree.leaf_hash(a + b) != tree.node_hash(a, b)


@pytest.mark.parametrize(("index", "size"), [(0, 0), (3, 3), (-1, 3)])
def test_no_proof_of_what_is_not_there(index: int, size: int) -> None:
    with pytest.raises(ValueError, match=f"a tree of {size} has no leaf {index}"):
        tree.inclusion_proof(NODES, index, size)


@pytest.mark.parametrize(("old", "new"), [(0, 3), (4, 3)])
def test_no_proof_leads_back(old: int, new: int) -> None:
    with pytest.raises(ValueError, match=f"from {old} to {new}"):
        tree.consistency_proof(NODES, old, new)
