"""Tiles are those of C2SP tlog-tiles: its own examples, and the tree over what is in them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.ledger import naive_tree as naive

from assay.ledger import tree
from assay.ledger.tiles import Frontier, TileNodes, edge, tile_path

ENTRIES = [b"entry %d" % i for i in range(70_000)]


class Tiles:
    """Tiles in memory, by name; partial ones stay beside whole ones."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.frontier = Frontier()

    def grow(self, leaves: list[bytes]) -> None:
        for tile in self.frontier.extend(leaves):
            self.files[str(tile_path(tile.level, tile.index, tile.width))] = tile.data

    def read(self, level: int, index: int, width: int) -> bytes:
        data = self.files[str(tile_path(level, index, width))]
        assert len(data) == width * 32
        return data


@pytest.mark.parametrize(
    ("tile", "name"),
    [
        ((0, 0, 256), "tile/0/000"),
        ((0, 1_234_067, 256), "tile/0/x001/x234/067"),
        ((1, 273, 112), "tile/1/273.p/112"),
        ((2, 1_000, 1), "tile/2/x001/000.p/1"),
    ],
)
def test_names(tile: tuple[int, int, int], name: str) -> None:
    assert str(tile_path(*tile)) == name


def test_the_tiles_of_seventy_thousand_entries() -> None:
    """The example of the page."""
    tiles = Tiles()
    tiles.grow([tree.leaf_hash(entry) for entry in ENTRIES])
    names = [name for name in tiles.files if name.startswith("tile/0/") and ".p" not in name]
    assert len(names) == 273
    assert [name for name in tiles.files if ".p" in name] == ["tile/0/273.p/112", "tile/1/001.p/17", "tile/2/000.p/1"]
    assert "tile/1/000" in tiles.files
    assert len(tiles.files) == 277
    assert edge(70_000) == [(0, 273, 112), (1, 1, 17), (2, 0, 1)]
    assert tiles.frontier.root() == tree.root_of([tree.leaf_hash(entry) for entry in ENTRIES])


def test_the_edge_of_small_trees() -> None:
    assert edge(0) == [(0, 0, 0)]
    assert edge(255) == [(0, 0, 255)]
    assert edge(256) == [(0, 1, 0), (1, 0, 1)]


@given(st.lists(st.integers(0, 300), max_size=5), st.data())
@settings(max_examples=60, deadline=None)
def test_however_it_grew_it_is_the_same_tree(steps: list[int], data: st.DataObject) -> None:
    tiles, size = Tiles(), 0
    for step in steps:
        tiles.grow([tree.leaf_hash(entry) for entry in ENTRIES[size : size + step]])
        size += step
        assert tiles.frontier.size == size
    again = Frontier.read(size, tiles.read)
    assert again.root() == tiles.frontier.root() == tree.root_of([tree.leaf_hash(entry) for entry in ENTRIES[:size]])
    at_once = Tiles()
    at_once.grow([tree.leaf_hash(entry) for entry in ENTRIES[:size]])
    for level, index, width in edge(size):
        if width:
            assert at_once.read(level, index, width) == tiles.read(level, index, width)
    if size:
        index = data.draw(st.integers(0, size - 1))
        assert tree.inclusion_proof(TileNodes(size, tiles.read).node, index, size) == naive.path(index, ENTRIES[:size])
        old = data.draw(st.integers(1, size))
        assert tree.consistency_proof(TileNodes(size, tiles.read).node, old, size) == naive.proof(old, ENTRIES[:size])


def test_a_proof_reads_a_logarithmic_number_of_tiles() -> None:
    tiles = Tiles()
    tiles.grow([tree.leaf_hash(entry) for entry in ENTRIES])
    for index in (0, 255, 256, 65_535, 65_536, 69_887, 69_888, 69_999):
        nodes = TileNodes(70_000, tiles.read)
        proof = tree.inclusion_proof(nodes.node, index, 70_000)
        leaf = tree.leaf_hash(ENTRIES[index])
        assert tree.is_included(leaf, index, 70_000, proof, tiles.frontier.root())
        assert nodes.tiles_read <= 6  # at most two a level: the entry's own, and the one at the right edge
