"""Small game trees on which a search shows whether it is right: made at random, searched by the book, and shrunk."""

import functools
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from zermelo.core import Heuristic
from zermelo.errors import GameError
from zermelo.games import first_game
from zermelo.position import Game

MAX, MIN = 0, 1
MOST_DEEP = 4
SCORES = range(-3, 4)  # few different ones, so that many are equal


@dataclass(frozen=True)
class Branch:
    """A node with all that is below it. The score is MAX's: the result at a leaf, the heuristic's value elsewhere."""

    score: int
    mover: int
    children: tuple["Branch", ...] = ()

    @cached_property
    def size(self) -> int:
        """The number of nodes."""
        return 1 + sum(child.size for child in self.children)

    @cached_property
    def game(self) -> Game:
        """The tree as a game of its own."""
        kind = game_of_trees()
        return type(kind)(**{str(kind.text_option): self.toml()})

    def named(self) -> list[tuple[str, "Branch", str | None]]:
        """Every node with its name and that of its parent, level by level: the root is A."""
        names = letters()
        found: list[tuple[str, Branch, str | None]] = [(next(names), self, None)]
        for name, branch, _ in found:  # the list grows during the loop
            found += [(next(names), child, name) for child in branch.children]
        return found

    def toml(self) -> str:
        """The tree as a file that zermelo reads."""
        named = self.named()
        turns: dict[str | None, int] = {None: MIN}
        below: dict[str, list[str]] = {}
        movers = []
        for name, branch, parent in named:
            if parent is not None:
                below.setdefault(parent, []).append(f'"{name}"')
            if branch.children and branch.mover == turns[parent]:  # otherwise the players take turns
                movers.append(f'{name} = "{"MAX" if branch.mover == MAX else "MIN"}"')
            turns[name] = branch.mover
        tables = {
            "children": [f"{name} = [{', '.join(children)}]" for name, children in below.items()],
            "scores": [f"{name} = {branch.score}" for name, branch, _ in named if not branch.children],
            "values": [f"{name} = {branch.score}" for name, branch, _ in named if branch.children and branch.score],
            "movers": movers,
        }
        return "\n".join(f"[{table}]\n" + "\n".join(lines) + "\n" for table, lines in tables.items() if lines)


@functools.cache
def game_of_trees() -> Game:
    """The game of the catalogue whose positions are nodes of a tree."""
    found = first_game(lambda game: game.is_explicit_tree)
    if found is None:
        raise GameError("searches are checked on game trees, and the catalogue has no game of trees")
    return found


@functools.cache
def value_heuristic() -> Heuristic:
    """The heuristic that tells what a tree says about its inner nodes."""
    game = Branch(1, MAX, (Branch(0, MIN),)).game
    return game.heuristics[game.default_heuristic]


def letters() -> Iterator[str]:
    """A, B, ... Z, then A1, B1, ..."""
    number = 0
    while True:
        yield chr(ord("A") + number % 26) + (str(number // 26) if number >= 26 else "")
        number += 1


@dataclass(frozen=True)
class Case:
    """A tree to be searched to a depth, in a window."""

    tree: Branch
    depth: int
    window: tuple[float, float] = (-math.inf, math.inf)


def random_tree(chance: random.Random, deep: int, mover: int = MAX, alternates: bool = True) -> Branch:
    """A tree of odd shape: some inner nodes have one child, some lines end at once."""
    score = chance.choice(SCORES)
    if deep == 0 or (deep < MOST_DEEP and chance.random() < 0.25):
        return Branch(score, mover)
    number = chance.choice((1, 2, 2, 3, 3, 4))
    turns = [1 - mover if alternates or chance.random() < 0.5 else mover for _ in range(number)]
    return Branch(score, mover, tuple(random_tree(chance, deep - 1, turn, alternates) for turn in turns))


def random_cases(seed: int, number: int, *, windows: bool = False, alternates: bool = True) -> Iterator[Case]:
    """Cases that grow slowly, so that a mistake is found on a small tree."""
    chance = random.Random(seed)
    for i in range(number):
        deep = 1 + min(MOST_DEEP - 1, 4 * i // max(number, 1))
        tree = random_tree(chance, deep, alternates=alternates)
        while not tree.children:
            tree = random_tree(chance, deep, alternates=alternates)
        low = chance.randint(-4, 3)
        window = (float(low), float(chance.randint(low + 1, 4))) if windows else (-math.inf, math.inf)
        yield Case(tree, chance.randint(0, deep + 1), window)


# ------------------------------------------------------------------------------------------ by the book


def minimax(tree: Branch, depth: int) -> int:
    """The value for MAX."""
    if not tree.children or depth == 0:
        return tree.score
    values = [minimax(child, depth - 1) for child in tree.children]
    return max(values) if tree.mover == MAX else min(values)


def keeps_promise(value: float, right: int, window: tuple[float, float]) -> bool:
    """Is this value as promised? In a window only values between alpha and beta need be exact."""
    alpha, beta = window
    if right <= alpha:
        return value <= alpha
    if right >= beta:
        return value >= beta
    return value == right


def nodes_of_minimax(tree: Branch, depth: int) -> int:
    """How many nodes minimax visits."""
    return 1 + (sum(nodes_of_minimax(child, depth - 1) for child in tree.children) if depth > 0 else 0)


def nodes_of_alphabeta(tree: Branch, depth: int) -> int:
    """How many nodes alpha-beta visits, in the same order of the moves."""

    def visit(branch: Branch, depth: int, alpha: float, beta: float) -> tuple[float, int]:
        if not branch.children or depth == 0:
            return branch.score, 1
        best, nodes = (-math.inf if branch.mover == MAX else math.inf), 1
        for child in branch.children:
            value, more = visit(child, depth - 1, alpha, beta)
            nodes += more
            if branch.mover == MAX:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best, nodes

    return visit(tree, depth, -math.inf, math.inf)[1]


def least_nodes(tree: Branch, depth: int) -> float:
    """No search can know the value with fewer nodes: those of the smallest proof that it is at least, or at most, this.

    A search that says it needed fewer has not searched: it has called another search, or changed the count.
    """
    value = minimax(tree, depth)

    def proof(branch: Branch, depth: int, at_least: bool) -> float:
        if not branch.children or depth == 0:
            return 1 if (branch.score >= value if at_least else branch.score <= value) else math.inf
        below = [proof(child, depth - 1, at_least) for child in branch.children]
        return 1 + (min(below) if (branch.mover == MAX) == at_least else sum(below))

    return max(proof(tree, depth, True), proof(tree, depth, False))


# ------------------------------------------------------------------------------------------ shrinking


def smaller(case: Case) -> Iterator[Case]:
    """The same case with something left out or made simpler, the largest steps first. The root keeps a child."""
    for tree in _smaller(case.tree):
        if tree.children:
            yield replace(case, tree=tree)
    if case.depth > 0:
        yield replace(case, depth=case.depth - 1)
    if case.window != (-math.inf, math.inf):
        yield replace(case, window=(-math.inf, math.inf))
        yield replace(case, window=(-math.inf, case.window[1]))
        yield replace(case, window=(case.window[0], math.inf))


def _smaller(tree: Branch) -> Iterator[Branch]:
    if tree.children:
        yield replace(tree, children=())
    for i in range(len(tree.children)):
        if len(tree.children) > 1:
            yield replace(tree, children=tree.children[:i] + tree.children[i + 1 :])
    for i, child in enumerate(tree.children):
        for other in _smaller(child):
            yield replace(tree, children=(*tree.children[:i], other, *tree.children[i + 1 :]))
    if tree.score:
        yield replace(tree, score=0)
        if abs(tree.score) > 1:
            yield replace(tree, score=tree.score - (1 if tree.score > 0 else -1))


def shrunk(case: Case, is_wrong: Callable[[Case], bool], tries: int = 3000) -> Case:
    """The smallest case near this one that is still wrong."""
    while tries > 0:
        for other in smaller(case):
            tries -= 1
            if is_wrong(other):
                case = other
                break
            if tries <= 0:
                break
        else:
            break
    return case
