"""Search trees that are kept between moves do not fill the memory."""

import pytest

import zermelo as z
from zermelo.searches import kept
from zermelo.searches.kept import KeptTrees, limit_kept_trees
from zermelo.searches.mcts_run import Mcts

MB = 1 << 20


class Tree:
    def __init__(self, used_bytes):
        self.used_bytes = used_bytes


@pytest.fixture(autouse=True)
def limit(monkeypatch):
    monkeypatch.setattr(kept, "_most_memory", kept._most_memory)
    limit_kept_trees(64)


def kept_of(*sizes):
    """The sizes of the trees that are left when trees of these sizes have been kept, one after another."""
    trees, positions = KeptTrees(), [z.game("tictactoe").start() for _ in sizes]
    for position, size in zip(positions, sizes, strict=True):
        trees.keep("a player", position, Tree(size * MB))
    return [tree.used_bytes // MB for _, tree in trees._trees.values()]


def test_the_oldest_trees_are_dropped():
    assert kept_of(20, 30, 10) == [20, 30, 10]
    assert kept_of(20, 30, 40) == [40]
    assert kept_of(20, 30, 30) == [30, 30]
    assert kept_of(10, 60, 1) == [60, 1]


def test_the_newest_tree_is_kept_however_large_it_is():
    assert kept_of(20, 100) == [100]
    assert kept_of(20, 100, 1) == [1]


def test_the_memory_of_a_tree_is_that_of_its_most_nodes():
    state = z.game("tictactoe").start().state
    tree = Mcts(state, seed=1)
    assert tree.used_bytes < 10_000
    found = tree.run(simulations=50)
    before = tree.used_bytes
    assert before == found.nodes * tree.tree.itemsize
    tree.advance(found.move)
    assert tree.used_bytes == before, "the nodes that were cut off have been written once"
    assert Mcts(state, seed=1, rave=10).used_bytes > Mcts(state, seed=1).used_bytes
