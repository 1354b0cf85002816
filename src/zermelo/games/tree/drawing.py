"""Pictures of explicit trees."""

from collections.abc import Mapping
from typing import Any

from zermelo.drawing.picture import Picture
from zermelo.drawing.trees import Drawn, draw_tree
from zermelo.games.tree.notation import NamedTree
from zermelo.language import _


def text_board(tree: NamedTree, here: int) -> str:
    """The tree as an indented list; `>` marks where the game stands."""
    lines: list[str] = []

    def add(node: int, depth: int) -> None:
        first, children, score = tree.nodes[node][:3]
        mark = ">" if node == here else " "
        text = f"{mark} {'  ' * depth}{tree.names[node]}" + ("" if children else f" = {score}")
        lines.append(text)
        for child in range(first, first + children):
            add(child, depth + 1)

    add(0, 0)
    return "\n".join(lines)


def draw(position: Any, tree: NamedTree, marks: Mapping[str, str]) -> Picture:
    """The tree with the way to the current node; a click on one of its children plays it."""
    way = {int(p.state.node) for p in position.path}
    here = int(position.state.node)

    def drawn(node: int, depth: int, is_child: bool) -> Drawn:
        first, children, score = tree.nodes[node][:3]
        name = tree.names[node]
        notes = [] if children else [str(score)]
        if is_child and name in marks:
            notes.append(marks[name])
        below = [drawn(child, depth + 1, node == here) for child in range(first, first + children)]
        move = name if is_child else None
        return Drawn(
            name,
            notes,
            is_max=tree.mover(node, depth) == 0,
            is_leaf=not children,
            chosen=node in way,
            move=move,
            children=below,
        )

    return draw_tree(drawn(0, 0, False), _("Game tree, at node {name}").format(name=tree.names[here]))
