"""Reading trees: children lists and leaf scores by name, built in or from a TOML or JSON file.

    [children]                [scores]
    A = ["B", "C"]            C = 4
    B = ["D", "E"]            D = 7
                              E = [2, 5]      # points of both players: counts as -3

The root is the node that is nobody's child. A score is MAX's (the first player's). Two more tables are optional:

    [values]                  [movers]
    B = 3                     B = "MAX"

A value is what the heuristic `given` says about an inner node, for MAX. Players take turns, and MAX begins; `movers`
names the nodes where somebody else moves, and the turns go on from there.
"""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.errors import FileError
from zermelo.files.reading import read_text
from zermelo.files.whole import BAD_JSON
from zermelo.games.tree.rules import MOVER
from zermelo.language import _

# Both are from the Reversi report: the tree handed out with the course's code, and the tree of its lectures.
BUILT_IN: dict[str, dict[str, Any]] = {
    "course": {
        "children": {"A": "BCD", "B": "EF", "C": "GH", "D": "IJ", "G": "KL", "J": "MNOP"},
        "scores": {"E": 4, "F": 3, "H": 5, "I": 5, "K": 2, "L": 1, "M": 4, "N": 2, "O": 6, "P": 1},
    },
    "theory": {
        "children": {"A": "BC", "B": "DEFG", "C": "HIJK", "H": "LM", "I": "NOP", "J": "QRS", "K": "TUV"},
        "scores": {"D": 8, "E": 6, "F": 7, "G": 5, "L": 9, "M": 2, "N": 8, "O": 10, "P": 2}
        | {"Q": 3, "R": 2, "S": 4, "T": 0, "U": 5, "V": 6},
    },
}

MOST_SCORE = 1 << 29
MOST_DEEP = 200


@dataclass(frozen=True)
class NamedTree:
    """A tree with the names of its nodes, in breadth-first order."""

    names: tuple[str, ...]
    nodes: tuple[tuple[int, ...], ...]  # as rules.py draws them

    def mover(self, node: int, depth: int) -> int:
        """The player who moves at a node this far from the root: 0 is MAX, 1 is MIN."""
        return self.nodes[node][MOVER] if len(self.nodes[node]) > MOVER else depth % 2

    @property
    def has_values(self) -> bool:
        """Is there a value for some inner node?"""
        return any(node[1] and node[2] for node in self.nodes)


def read_tree(path: Path) -> NamedTree:
    """The tree in a file; every error names the file and the node."""
    text = read_text(path)
    try:
        data = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except BAD_JSON as error:
        raise FileError(f"{path}: {error}") from None
    return build_tree(data, str(path))


def parse_tree(text: str, where: str = "") -> NamedTree:
    """The tree of a text in TOML; where is its name in error messages."""
    where = where or _("the tree")
    try:
        data = tomllib.loads(text)
    except BAD_JSON as error:
        raise FileError(f"{where}: {error}") from None
    return build_tree(data, where)


def build_tree(data: Any, where: str) -> NamedTree:
    """Number the nodes of {"children": {...}, "scores": {...}}, breadth first, and check them."""
    children, scores = _children(data, where), _scores(data, where)
    parents: dict[str, str] = {}
    for name, below in children.items():
        for child in below:
            if child in parents:
                raise FileError(
                    "{where}: {child!r} is a child of both {parents!r} and {name!r}",
                    where=where,
                    child=child,
                    parents=parents[child],
                    name=name,
                )
            if child not in children and child not in scores:
                raise FileError(
                    "{where}: {child!r}, a child of {name!r}, has neither children nor a score",
                    where=where,
                    child=child,
                    name=name,
                )
            parents[child] = name
    roots = [name for name in children if name not in parents]
    if not roots:
        raise FileError(
            "{where}: there is no root, because the children form a circle: {circle}",
            where=where,
            circle=_circle(next(iter(children)), parents),
        )
    if len(roots) > 1:
        raise FileError(
            "{where}: there are several roots, {roots}; a tree has only one", where=where, roots=", ".join(roots)
        )
    values, movers = _inner(data, "values", children, where), _inner(data, "movers", children, where)
    names = [roots[0]]
    nodes: list[tuple[int, ...]] = []
    turns = {roots[0]: movers.get(roots[0], 0)}
    depths = {roots[0]: 0}
    for name in names:  # the list grows during the loop
        below = children.get(name, [])
        score = values.get(name, 0) if below else scores[name]
        nodes.append((len(names), len(below), score, *([turns[name]] if movers else [])))
        turns |= {child: movers.get(child, 1 - turns[name]) for child in below}
        names += below
        depths |= dict.fromkeys(below, depths[name] + 1)
        if depths[name] > MOST_DEEP:
            raise FileError(
                "{where}: {name!r} is more than {most} plies from the root", where=where, name=name, most=MOST_DEEP
            )
    if len(names) < len(children.keys() | parents.keys()):
        lost = next(name for name in children if name not in names)
        raise FileError("{where}: the children form a circle: {circle}", where=where, circle=_circle(lost, parents))
    for name in scores:
        if name in children:
            raise FileError("{where}: {name!r} has children, so it cannot have a score too", where=where, name=name)
        if name not in parents:
            raise FileError("{where}: {name!r} has a score but is not the child of any node", where=where, name=name)
    return NamedTree(tuple(names), tuple(nodes))


def _children(data: Any, where: str) -> dict[str, list[str]]:
    table = data.get("children") if isinstance(data, Mapping) else None
    if not isinstance(table, Mapping) or not table:
        raise FileError(
            '{where}: the table \'children\' is missing; write, for example, A = ["B", "C"] in it', where=where
        )
    found = {}
    for name, below in table.items():
        if not isinstance(below, (list, str)) or not below or not all(isinstance(child, str) for child in below):
            raise FileError(
                "{where}: the children of {name!r} must be a list of names, not {below!r}",
                where=where,
                name=name,
                below=below,
            )
        for word in (name, *below):
            if word in ("", "-") or word != "".join(word.split()) or "," in word:
                raise FileError(
                    "{where}: {word!r} is not a valid name: names have no spaces or commas, and are not '-'",
                    where=where,
                    word=word,
                )
        found[name] = list(below)
    return found


def _scores(data: Any, where: str) -> dict[str, int]:
    table = data.get("scores", {})
    if not isinstance(table, Mapping):
        raise FileError("{where}: 'scores' must be a table with lines such as C = 4", where=where)
    found = {}
    for name, score in table.items():
        pair = score if isinstance(score, list) else [score, 0]
        if len(pair) != 2 or not all(isinstance(part, int) and abs(part) <= MOST_SCORE for part in pair):
            raise FileError(
                "{where}: the score of {name!r} must be a whole number (or two), not {score!r}",
                where=where,
                name=name,
                score=score,
            )
        found[name] = pair[0] - pair[1]
    return found


def _inner(data: Any, table: str, children: Mapping[str, Any], where: str) -> dict[str, int]:
    """The values of inner nodes, or the players who move at them (0: MAX, 1: MIN)."""
    given = data.get(table, {})
    if not isinstance(given, Mapping):
        raise FileError("{where}: {table!r} must be a table", where=where, table=table)
    players = {"MAX": 0, "MIN": 1}
    found = {}
    for name, value in given.items():
        if name not in children:
            raise FileError("{where}: {table}: {name!r} has no children", where=where, table=table, name=name)
        is_number = isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MOST_SCORE
        if table == "values" and not is_number:
            raise FileError(
                "{where}: the value of {name!r} must be a whole number, not {value!r}",
                where=where,
                name=name,
                value=value,
            )
        if table == "movers" and value not in players:
            raise FileError(
                '{where}: the mover of {name!r} must be "MAX" or "MIN", not {value!r}',
                where=where,
                name=name,
                value=value,
            )
        found[name] = players[value] if table == "movers" else value
    return found


def _circle(name: str, parents: Mapping[str, str]) -> str:
    """The names along the circle above a node from which no root can be reached."""
    way = [name]
    while parents[way[-1]] not in way:
        way.append(parents[way[-1]])
    circle = way[way.index(parents[way[-1]]) :]
    return " > ".join([circle[0], *circle[:0:-1], circle[0]])
