"""Explicit game trees: the two of the Reversi report, or any from a file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.drawing.picture import Picture
from zermelo.errors import GameError, PositionError
from zermelo.games.tree import drawing
from zermelo.games.tree.notation import BUILT_IN, build_tree, parse_tree, read_tree
from zermelo.games.tree.rules import Tree
from zermelo.language import gettext
from zermelo.position import Game, Position

__all__ = ["VARIANTS", "Tree", "game"]

VARIANTS = tuple(BUILT_IN)


class TreeGame(Game):
    """MAX and MIN take turns going down a tree. MAX gets the score of the leaf that they reach."""

    name = "tree"
    title = "Game tree"
    players = ("MAX", "MIN")
    default_heuristic = "nothing"
    is_explicit_tree = True
    file_endings = (".toml", ".json")
    text_option = "toml"

    def __init__(self, variant: str = "", file: str = "", toml: str = ""):
        given = {"variant": variant, "file": file, "toml": toml}
        options = {name: value for name, value in given.items() if value}
        if len(options) != 1:
            raise GameError(
                "tree: name a file, as in tree(file=my.toml), or one of tree/{variants}",
                variants=", tree/".join(VARIANTS),
            )
        super().__init__(**({} if variant else options))
        self.variant = variant
        if file:
            self.tree = read_tree(Path(file))
        else:
            self.tree = parse_tree(toml) if toml else build_tree(BUILT_IN[variant], f"tree/{variant}")
        if self.tree.has_values:
            self.default_heuristic = "given"  # type: ignore[misc]

    def __str__(self) -> str:
        return f"tree/{self.variant}" if self.variant else super().__str__()

    def start_state(self) -> Any:
        return Tree(self.tree.nodes, np.int32(0), np.int8(self.tree.mover(0, 0)))

    def child_name(self, state: Any, move: int) -> str:
        return self.tree.names[self.tree.nodes[int(state.node)][0] + move]

    def move_text(self, state: Any, move: int) -> str:
        return self.child_name(state, move)

    def normal_move_text(self, text: str) -> str:
        return text.strip()

    def why_not(self, state: Any, text: str) -> str | None:
        if text not in self.tree.names:
            return None
        return gettext("it is not a child of {node}").format(node=self.tree.names[int(state.node)])

    def parse_board(self, text: str) -> Any:
        """The name of any node is a position too."""
        if text not in self.tree.names:
            if any(ch.isspace() or ch == "," for ch in text):
                return None
            raise PositionError(
                "{game} has no node {text!r}; it has {names}", game=self, text=text, names=", ".join(self.tree.names)
            )
        node = self.tree.names.index(text)
        depth, at = 0, node
        while at:
            at = next(i for i, (first, children, *_) in enumerate(self.tree.nodes) if first <= at < first + children)
            depth += 1
        return Tree(self.tree.nodes, np.int32(node), np.int8(self.tree.mover(node, depth)))

    def position_text(self, position: Position) -> str:
        return self.tree.names[int(position.state.node)]

    def node_name(self, position: Position) -> str:
        return self.position_text(position)

    def board(self, position: Position) -> str:
        return drawing.text_board(self.tree, int(position.state.node))

    def picture(self, position: Position, marks: Mapping[str, str]) -> Picture:
        return drawing.draw(position, self.tree, marks)


game = TreeGame
