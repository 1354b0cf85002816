"""The process in which a student's file runs. It answers cases, and it is never told which answers are right.

It knows neither the rubric nor the secret number, nor any case before it is asked. What it says is not trusted: the
teacher's process (marks.py) computes the right answers itself, and checks the type of everything that comes back.

{"do": "load", "file": "mine.py", "kind": "search", "function": null}
                {"name": "my_alphabeta", "window": true, "depth": true}
{"do": "search", "cases": [{"tree": TOML, "depth": 3, "window": [-1, 2], "trace": false}, ...]}
                a part for each: {"value": 2, "move": 0, "nodes": 12, "visited": 9, "tree": null}, or {"fault": text}
{"do": "play", "game": "connect4", "cases": [{"position": "4", "moves": ["4"], "depth": 3, ...}, ...]}
                a part for each: {"value": 0.5, "move": "4"}, or {"fault": text}
{"do": "evaluate", "game": "connect4", "cases": [[[words of a state], ...], ...]}
                a part for each: {"values": [0.5, null, ...], "fault": null or the first failure}
{"do": "compile", "game": "connect4"}
                {"compiled": true, "reason": ""}
"""

import math
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.calls import Call
from zermelo.check.search_trees import game_of_trees, value_heuristic
from zermelo.core import JIT, Heuristic, class_of
from zermelo.errors import Message, SearchError, ZermeloError, marked
from zermelo.games import find_heuristic, load_file, load_module, read_game
from zermelo.players.own import searches_in
from zermelo.players.programs import HostedPlayer, programs_in
from zermelo.processes.jobs import serve
from zermelo.searches.budget import Budget
from zermelo.searches.own.running import ready, run_own
from zermelo.searches.own.search import OwnSearch
from zermelo.searches.recording import Node

MOST_NODES = 100_000
"""A search of one small tree that visits more nodes than this is endless."""
WHOLE = 60
"""The depth for a search that takes none."""
KINDS = {"search": marked("search"), "heuristic": marked("heuristic"), "player": marked("player")}
LONGEST = 2000
"""Maximum number of characters of a text about a failure."""


def main() -> None:
    student = Student()
    names = ("load", "search", "play", "evaluate", "compile")
    jobs: dict[str, Callable[..., Any]] = {name: getattr(student, name) for name in names}
    warnings.simplefilter("ignore")
    serve(jobs, told)


def told(error: Exception) -> str:
    """What went wrong, with the last line of the student's file in the traceback."""
    if isinstance(error, ZermeloError):
        return str(error)[:LONGEST]
    frames = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).parent == Student.folder]
    place = f"{frames[-1].filename}:{frames[-1].lineno}: {frames[-1].line}\n    " if frames else ""
    return f"{place}{type(error).__name__}: {error}"[:LONGEST]


class Student:
    """What this process holds: the function that is marked."""

    folder = Path()
    thing: Any

    def load(self, file: str, kind: str, function: str | None) -> dict[str, Any]:
        """Load the file, and choose what is marked."""
        path = Path(file)
        Student.folder = path.parent
        load_module(path)  # it says what is wrong with a file that cannot be loaded
        finders: dict[str, Callable[[Path], Mapping[str, Any]]] = {
            "search": searches_in,
            "heuristic": load_file,
            "player": programs_in,
        }
        known = finders[kind](path)
        if function is not None and function not in known:
            raise SearchError("there is no {kind} {name} in this file", kind=Message(KINDS[kind]), name=function)
        if not known:
            raise SearchError("there is no {kind} in this file", kind=Message(KINDS[kind]))
        if function is None and len(known) > 1:
            raise SearchError(
                "this file has more than one {kind}, and only one can be marked: {names}",
                kind=Message(KINDS[kind]),
                names=", ".join(known),
            )
        name = function or next(iter(known))
        if kind == "player":
            self.thing = HostedPlayer(path, Call(f"{path.name}:{name}"))
            return {"name": name}
        self.thing = known[name]
        if isinstance(self.thing, OwnSearch):
            return {"name": self.thing.name, "window": self.thing.takes_window, "depth": self.thing.takes_depth}
        return {"name": self.thing.name}

    # -------------------------------------------------------------------------------- searches

    def search(self, cases: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Search trees."""
        for case in cases:
            yield _answered(lambda case=case: self._searched(**case))  # type: ignore[misc]

    def _searched(self, tree: str, depth: int, window: list[float], trace: bool) -> dict[str, Any]:
        kind = game_of_trees()
        state = type(kind)(**{str(kind.text_option): tree}).start_state()
        budget = Budget(nodes=MOST_NODES)
        found = run_own(
            self.thing,
            state,
            value_heuristic(),
            depth if self.thing.takes_depth else WHOLE,
            budget=budget,
            trace=trace,
            window=(float(window[0]), float(window[1])),
        )
        if not found.complete:
            raise SearchError("it does not come to an end on a small tree")
        answer: dict[str, Any] = {"value": float(found.score.number), "move": found.move, "nodes": found.nodes}
        if trace and found.tree is not None:
            answer |= {"visited": _visited(found.tree), "tree": _as_lists(found.tree)}
        return answer

    def play(self, game: str, cases: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Search positions of a game."""
        played = read_game(game)

        def answer(
            position: str, moves: list[str], depth: int, nodes: int | None, heuristic: str | None
        ) -> dict[str, Any]:
            place = played.position(position)
            for text in moves:
                place = place.play(text)
            if isinstance(self.thing, HostedPlayer):
                return {"move": self.thing.think(place).move}
            judge = find_heuristic(heuristic or played.default_heuristic, played)
            budget = Budget(nodes=nodes)
            found = run_own(self.thing, place.state, judge, depth if self.thing.takes_depth else WHOLE, budget=budget)
            move = None if found.move is None else played.move_text(place.state, found.move)
            return {"value": float(found.score.number), "move": move}

        for case in cases:
            yield _answered(lambda case=case: answer(**case))  # type: ignore[misc]

    # -------------------------------------------------------------------------------- heuristics

    def compile(self, game: str) -> dict[str, Any]:
        """Compile it for a game, and say whether that was possible."""
        state = read_game(game).start_state()
        if isinstance(self.thing, OwnSearch):
            made = ready(self.thing, class_of(state))
            return {"compiled": made.is_compiled, "reason": made.reason}
        note = self.thing.note(class_of(state)) if JIT else None
        self.thing.check(state)
        return {"compiled": JIT and note is None, "reason": str(note or "")}

    def evaluate(self, game: str, cases: list[list[list[int]]]) -> Iterator[dict[str, Any]]:
        """Evaluate states of a game, many in each case."""
        like = read_game(game).start_state()
        for rows in cases:
            yield _evaluated(self.thing, [_state(like, row) for row in rows])


def _answered(answer: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return answer()
    except Exception as error:
        return {"fault": told(error)}


def _evaluated(heuristic: Heuristic, states: list[Any]) -> dict[str, Any]:
    values: list[float | None] = []
    fault = None
    for state in states:
        try:
            value = float(heuristic(state))
            values.append(value if math.isfinite(value) else None)
        except Exception as error:
            fault = fault or told(error)
            values.append(None)
    return {"values": values, "fault": fault}


def _state(like: Any, words: list[int]) -> Any:
    """The state that core/packed.py packed into words."""
    kinds = class_of(like).kinds
    return type(like)(*(np.array([w], np.uint64).astype(kind)[0] for w, kind in zip(words, kinds, strict=True)))


def _visited(node: Node) -> int:
    return int(node.is_visited) + sum(map(_visited, node.children))


def _as_lists(node: Node) -> list[Any]:
    """A node as [move, was it visited, its value in points for the player to move, its children]."""
    value = None if node.value is None else node.value / 1000
    return [node.move, node.is_visited, value, [_as_lists(child) for child in node.children]]


if __name__ == "__main__":
    main()
