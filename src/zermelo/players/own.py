"""A search that a user wrote, as a player: `mine.py:my_alphabeta(depth=6, heuristic=centre)`."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from zermelo.calls import Call, call_of, named_options, text_of
from zermelo.core import Heuristic, class_of
from zermelo.core.contents import is_named
from zermelo.errors import PlayerError, SearchError
from zermelo.evaluation.weight_files import check_weights, read_weights
from zermelo.games import load_module
from zermelo.players.common import require
from zermelo.players.textbook import SearchPlayer
from zermelo.position import Game, Position
from zermelo.searches.budget import Budget
from zermelo.searches.own.running import ready, run_own
from zermelo.searches.own.search import OwnSearch
from zermelo.searches.reporting import SECONDS, Own, reporting
from zermelo.searches.textbook import Found

OPTIONS = ("depth", "heuristic", "nodes", "seconds")
"""The options that may follow the name of a search; all others are its weights."""


@dataclass(frozen=True)
class OwnSearchPlayer(SearchPlayer):
    """A search of your own, from a file: FILE.py:NAME, or search(function=FILE.py:NAME).

    Without a depth, it is called with depth 1, 2, 3, ... until its nodes or seconds are used up. A search that does not
    return in time is stopped, and the move of the last search that was finished is played.
    """

    function: OwnSearch | str | Call | None = None  #: the search, as FILE.py:NAME; weights may follow in parentheses
    nodes: int | None = None  #: maximum number of positions generated and evaluated
    seconds: float | None = None  #: maximum time for a move, in seconds
    kind: ClassVar[str] = "search"

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "nodes", 1)
        if self.function is None:
            raise PlayerError("search: say which one, as in search(function=mine.py:my_alphabeta)")

    def prepare(self, game: Game) -> None:
        super().prepare(game)
        ready(self.own_search, class_of(game.start_state()))

    @property
    def own_search(self) -> OwnSearch:
        """The search. One in a file is read from the file as it is now."""
        assert self.function is not None
        return self.function if isinstance(self.function, OwnSearch) else find_search(self.function)

    def with_function(self, function: OwnSearch) -> "OwnSearchPlayer":
        """The same player with this search."""
        return self._with({"function": function})

    @property
    def full_text(self) -> str:
        return str(Call(self.kind, {name: value for name, value in self._values().items() if value is not None}))

    def text_without(self, *names: str) -> str:
        function = str(self.function) if isinstance(self.function, OwnSearch) else self.function
        named = call_of(function or "")
        options = {name: value for name, value in self._values().items() if name in OPTIONS and name not in names}
        given = {name: value for name, value in options.items() if value is not None}
        return str(Call(named.name, given | named.options))  # type: ignore[operator]

    def search_to(
        self,
        position: Position,
        depth: int,
        budget: Budget,
        trace: bool = False,
        window: tuple[float, float] = (-math.inf, math.inf),
    ) -> Found:
        evaluation, search = self.evaluation(position), self.own_search

        def run(evaluation: Heuristic) -> Found:
            return run_own(search, position.state, evaluation, depth, budget=budget, trace=trace, window=window)

        def plain() -> Found:
            few = Budget(depth=budget.depth, nodes=budget.nodes, seconds=SECONDS)
            return run_own(search, position.state, evaluation, depth, budget=few, window=window, plain=True)

        with reporting(position, evaluation, again=run, own=Own(search.label, search.function, plain)):
            return run(evaluation)


def own_player(call: Call) -> OwnSearchPlayer:
    """The player that `mine.py:my_alphabeta(depth=6, heuristic=centre, corner=3)` describes."""
    return OwnSearchPlayer(**own_options(call))


def own_options(call: Call) -> dict[str, Any]:
    """The options of that player, by name."""
    names: dict[str | int, Any] = {}
    weights: dict[str | int, Any] = {}
    for key, value in call.options.items():
        (names if isinstance(key, int) or key in OPTIONS else weights)[key] = value
    given: Mapping[str, Any] = named_options(Call(call.name, names), OPTIONS, PlayerError)
    return {"function": Call(call.name, weights) if weights else call.name, **given}


def find_search(text: str | Call) -> OwnSearch:
    """The search that `mine.py:my_alphabeta` names; its weights may follow in parentheses."""
    call = call_of(text)
    file, colon, _ = call.name.rpartition(":")
    if not (colon and file.endswith(".py")):
        raise PlayerError("{call} is not a search: write FILE.py:NAME", call=call)
    return pick_search(searches_in(Path(file)), call)


def pick_search(known: Mapping[str, OwnSearch], call: Call) -> OwnSearch:
    """The search that a call names, out of those of a file, with the weights that the call gives."""
    file, _, name = call.name.rpartition(":")
    if name not in known:
        raise SearchError(
            "{file} has no search {name!r}; it has {known}", file=file, name=name, known=", ".join(known) or "-"
        )
    found = known[name].labelled(call.name)
    weights: dict[str, float] = {}
    for key, value in call.options.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise SearchError("{call}: weight {key}={value} is not a number", call=call, key=key, value=text_of(value))
        weights[str(key)] = value
    return found.with_weights(**weights) if weights else found


def tuned_search(call: Call) -> Call | None:
    """The search whose weights are in a file, `tuned.json(depth=4)`, with these weights; None if it is not a search."""
    path = Path(call.name).expanduser()
    read = read_weights(path)
    named = call_of(read.heuristic)
    if not is_named(named.name, "search"):
        return None
    check_weights(read, call.name)
    return Call(named.name, named.options | read.weights | call.options)


def searches_in(path: Path) -> dict[str, OwnSearch]:
    """The searches in a Python file, by name."""
    module = load_module(path)
    found = [value for value in vars(module).values() if isinstance(value, OwnSearch)]
    return {value.name: value for value in found if value.function.__module__ == module.__name__}
