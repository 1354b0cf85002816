"""Versions of a heuristic or a search that differ only in their weights, and the games between them, in pieces.

The games of a piece depend on nothing but the piece, so any machine can play them (see pieces/job.py).
"""

import contextlib
import dataclasses
import functools
import json
import threading
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from zermelo.calls import call_of
from zermelo.core import Heuristic
from zermelo.core.contents import is_named
from zermelo.errors import HeuristicError, SearchError
from zermelo.games import find_game, find_heuristic
from zermelo.language import _
from zermelo.learn.arena import Arena, Pairs, SearchArena
from zermelo.learn.texel import Line
from zermelo.pieces.crews import Crew
from zermelo.pieces.job import Job, settings_of
from zermelo.pieces.kept import Kept
from zermelo.pieces.results import results
from zermelo.pieces.sources import with_code
from zermelo.players.own import own_player
from zermelo.position import Game, Position
from zermelo.searches.budget import Budget
from zermelo.searches.own.search import OwnSearch
from zermelo.tournaments.openings import opening_text

PAIRS, GAMES = 2, 10
"""Number of pairs of games, and of games to learn from, in one piece."""

Weights = Mapping[str, float]


@dataclass(frozen=True)
class Named:
    """What is tuned, as a user writes it: this is all that another machine needs to know."""

    heuristic: str  # or a search, mine.py:my_search
    game: str
    depth: int

    @functools.cached_property
    def settings(self) -> str:
        """As a job has it."""
        return settings_of(with_code(dataclasses.asdict(self)))

    @functools.cached_property
    def versions(self) -> "Versions":
        return _versions(self.settings)

    def pair_scores(
        self, crew: Crew, new: Weights, old: Weights, starts: Sequence[Position], kept: Kept, step: str, known: int = 0
    ) -> Generator[float, None, None]:
        """The score of the new weights in each pair of games, in the order of the openings; `known` pairs are left out.

        If the caller stops early, the pairs under way are given up.
        """
        first = known // PAIRS
        pieces = (
            {"new": new, "old": old, "starts": [opening_text(start) for start in starts[i : i + PAIRS]]}
            for i in range(PAIRS * first, len(starts), PAIRS)
        )
        skipped = known % PAIRS
        job = Job(f"{__name__}:do_pairs", self.settings)
        with contextlib.closing(results(crew, job, enumerate(pieces, first), kept, step)) as played:
            for packed in played:
                yield from json.loads(packed)[skipped:]
                skipped = 0

    def lines(self, crew: Crew, starts: Iterable[Position], kept: Kept) -> Iterator[Line]:
        """Games that the heuristic plays against itself, one from each position."""
        texts = (opening_text(start) for start in starts)
        pieces = iter(lambda: list(islice(texts, GAMES)), [])
        for packed in results(crew, Job(f"{__name__}:do_games", self.settings), enumerate(pieces), kept, "games"):
            for text, moves, result in json.loads(packed):
                yield self.versions.game.position(text).state, moves, result


@dataclass(frozen=True)
class Versions:
    """What is tuned, with its present weights, and who plays the games between its versions."""

    game: Game
    old: Heuristic | OwnSearch
    pairs: Pairs

    def version(self, weights: Weights) -> Heuristic | OwnSearch:
        """The version with these weights."""
        return self.old.with_weights(**weights)


@functools.lru_cache(maxsize=16)
def _versions(settings: str) -> Versions:
    named = Named(**{name: value for name, value in json.loads(settings).items() if name != "code"})
    game, call = find_game(named.game), call_of(named.heuristic)
    if is_named(call.name, "search"):
        player = own_player(call)
        if not player.own_search.weights:
            raise SearchError("{name} has no weights, so there is nothing to tune", name=named.heuristic)
        if not {"depth", "nodes", "seconds"} & call.options.keys():
            player = player.with_budget(Budget(named.depth))
        player.prepare(game)
        return Versions(game, player.own_search, SearchArena(player))
    old = find_heuristic(call, game)
    if len(old.weights) < 2:
        said = (
            _("{heuristic} has only one weight, and tuning needs at least two")
            if old.weights
            else _("{heuristic} has no weights, and tuning needs at least two")
        )
        raise HeuristicError(said.format(heuristic=old))
    return Versions(game, old, Arena(game, named.depth))


# ------------------------------------------------------------------------------------------ pieces


def do_pairs(settings: str, data: bytes, piece: Any, stopped: threading.Event) -> bytes:
    """Play the pairs of games of a piece; returns their scores."""
    versions, scores = _versions(settings), []
    new, old = versions.version(piece["new"]), versions.version(piece["old"])
    for text in piece["starts"]:
        if stopped.is_set():
            raise InterruptedError
        scores.append(versions.pairs.pair_score(new, old, versions.game.position(text)))
    return json.dumps(scores).encode()


def do_games(settings: str, data: bytes, piece: Any, stopped: threading.Event) -> bytes:
    """Play games of the heuristic against itself; returns their starts, moves and results."""
    versions, lines = _versions(settings), []
    assert isinstance(versions.pairs, Arena) and isinstance(versions.old, Heuristic)
    for text in piece:
        if stopped.is_set():
            raise InterruptedError
        moves, result = versions.pairs.game_played(versions.old, versions.old, versions.game.position(text))
        lines.append([text, moves, (1 + result) / 2])
    return json.dumps(lines).encode()


def weights_at(old: Heuristic | OwnSearch, vector: Any) -> dict[str, float]:
    """The weights in a vector, by their names."""
    return dict(zip(old.weights, map(float, np.asarray(vector)), strict=True))
