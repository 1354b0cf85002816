"""A small tree in text: the right values, and those that a search gave."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from zermelo.check.search_trees import Branch, Case, letters, minimax
from zermelo.language import _
from zermelo.searches.recording import Node


@dataclass(frozen=True)
class Seen:
    """A node as a search saw it."""

    move: int | None  #: the move that led here; None at the root
    is_visited: bool
    value: float | None  #: in points, for the player to move here
    children: "Sequence[Seen]" = ()

    @classmethod
    def of(cls, node: Node | None) -> "Seen | None":
        """The node of a record."""
        if node is None:
            return None
        value = None if node.value is None else node.value / 1000
        below = [seen for child in node.children if (seen := cls.of(child)) is not None]
        return cls(node.move, node.is_visited, value, below)

    @property
    def visits(self) -> int:
        """How many nodes were visited, from this one on down."""
        return int(self.is_visited) + sum(child.visits for child in self.children)


def in_its_order(branch: Branch, seen: Seen | None) -> Branch:
    """The same tree, with the children of each node in the order in which a search visited them, and then the others.

    A search that sorts the moves is compared with alpha-beta in this order.
    """
    visited = {} if seen is None else {child.move: child for child in seen.children if child.is_visited}
    order = sorted(range(len(branch.children)), key=[*visited, *range(len(branch.children))].index)
    return replace(branch, children=tuple(in_its_order(branch.children[i], visited.get(i)) for i in order))


def drawn(case: Case, tree: Seen | None) -> list[str]:
    """The tree line by line: names as in its file, the right values, and those that the search gave."""
    names = _names_of(case.tree)
    lines: list[str] = []

    def draw(branch: Branch, path: tuple[int, ...], node: Seen | None, depth: int) -> None:
        name = names[path]
        side = "MAX" if branch.mover == 0 else "MIN"
        right = minimax(branch, max(case.depth - depth, 0))
        told = f"{'  ' * depth}{name} ({side}) = {right}" if branch.children else f"{'  ' * depth}{name} = {right}"
        if node is None or not node.is_visited:
            told += _("   not searched")
        elif node.value is not None and branch.children and depth < case.depth:
            own = node.value if branch.mover == 0 else -node.value
            told += _("   yours {value}").format(value=f"{own + 0.0:g}")  # not -0
        lines.append(told)
        if depth >= case.depth:
            return
        seen = {child.move: child for child in node.children} if node is not None else {}
        for i, child in enumerate(branch.children):
            draw(child, (*path, i), seen.get(i), depth + 1)

    draw(case.tree, (), tree, 0)
    return lines


def _names_of(tree: Branch) -> dict[tuple[int, ...], str]:
    """The names of all nodes, as in the tree's file, by the way from the root."""
    found: dict[tuple[int, ...], str] = {}
    waiting: list[tuple[Branch, tuple[int, ...]]] = [(tree, ())]
    for (branch, path), name in zip(waiting, letters(), strict=False):  # the list grows during the loop
        found[path] = name
        waiting += [(child, (*path, i)) for i, child in enumerate(branch.children)]
    return found
