"""The trees of exercises: random, small enough for a sheet of paper, and the same for the same number, always."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.check.search_trees import MAX, Branch
from zermelo.errors import ZermeloError
from zermelo.language import marked

MOST_LEAVES = 16
"""Leaves that stand side by side on a sheet of paper, with boxes above them that are large enough to write in."""

MOST_NUMBER = 10**9


@dataclass(frozen=True)
class Shape:
    """What the trees of an exercise look like, and what makes them good enough."""

    depth: int  #: plies from the root to the deepest leaves
    children: tuple[int, int]  #: the smallest and the largest number of children
    sizes: tuple[int, int]  #: the smallest and the largest number of nodes
    scores: tuple[int, int]  #: the smallest and the largest score of a leaf
    cuts: int  #: the smallest number of branches that are cut
    cut_offs: int  #: the smallest number of nodes at which that happens
    tolerance: int  #: of exercises about the tolerance, in points
    early: float = 0.0  #: the chance that a node above the last level is a leaf
    equal_cuts: bool = True  #: may a branch be cut where alpha equals beta? That is harder to see.


DIFFICULTIES = {
    "easy": Shape(2, (3, 3), (13, 13), (0, 9), cuts=2, cut_offs=1, tolerance=2, equal_cuts=False),
    "medium": Shape(3, (2, 3), (18, 23), (0, 9), cuts=3, cut_offs=2, tolerance=3, equal_cuts=False),
    "hard": Shape(4, (2, 3), (21, 26), (-9, 9), cuts=4, cut_offs=3, tolerance=4, early=0.3),
}

NAMES = {"easy": marked("easy"), "medium": marked("medium"), "hard": marked("hard")}
"""How difficulties are called, to be translated."""


def custom_shape(depth: int, children: int) -> Shape:
    """The shape of trees in which every inner node has the same number of children."""
    for name, given, least, most in (("depth", depth, 2, 4), ("children", children, 2, 4)):
        if not least <= given <= most:
            raise ZermeloError(
                "{name} must be a whole number from {least} to {most}, not {given}",
                name=name,
                least=least,
                most=most,
                given=given,
            )
    if children**depth > MOST_LEAVES:
        raise ZermeloError(
            "depth {depth} with {children} children makes {leaves} leaves; an exercise has at most {most}",
            depth=depth,
            children=children,
            leaves=children**depth,
            most=MOST_LEAVES,
        )
    size = sum(children**level for level in range(depth + 1))
    cuts = 1 if children == depth == 2 else 2
    return Shape(depth, (children, children), (size, size), (0, 9), cuts=cuts, cut_offs=1, tolerance=3)


def random_trees(shape: Shape, seed: str) -> Iterator[Branch]:
    """Endlessly many trees of a shape. The same seed gives the same trees, whatever the version of Python.

    Of the random generator, only `random()` is used: it is the one method whose numbers Python promises to keep.
    """
    chance = random.Random(seed)
    while True:
        tree = _branch(chance, shape, shape.depth, MAX)
        if shape.sizes[0] <= tree.size <= shape.sizes[1] and _depth(tree) == shape.depth:
            yield tree


def share_of(seed: str) -> float:
    """A number from 0 to 1 that belongs to a seed."""
    return random.Random(f"{seed} share").random()


def _branch(chance: random.Random, shape: Shape, depth: int, mover: int) -> Branch:
    is_early = shape.early and depth < shape.depth - 1 and chance.random() < shape.early
    if depth == 0 or is_early:
        return Branch(_between(chance, *shape.scores), mover)
    number = _between(chance, *shape.children)
    return Branch(0, mover, tuple(_branch(chance, shape, depth - 1, 1 - mover) for _ in range(number)))


def _between(chance: random.Random, least: int, most: int) -> int:
    return least + int(chance.random() * (most - least + 1))


def _depth(tree: Branch) -> int:
    return 1 + max(map(_depth, tree.children)) if tree.children else 0
