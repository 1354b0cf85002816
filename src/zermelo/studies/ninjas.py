"""Seed 001's table 1, played again: its strategies against the three ninjas, on both sides.

The seed judged by one game in each cell. Here the same table, then what it could not know: the same matches over many
starting positions, with win rates and error bars, and its direct match of h1 against h2.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any

from zermelo.drawing.charts import heat_map
from zermelo.language import _, marked
from zermelo.match import play_match
from zermelo.players import AlphaBetaPlayer, find_player, named_players
from zermelo.position import Game
from zermelo.studies.games import Progress, openings, pair_rate, pair_rate_dict, play_pairs
from zermelo.tournaments.intervals import Rate

STRATEGIES = {  # the rows of the seed's table, in its order; the names of our players
    "AlphaBetaH2": "seed1",
    "AlphaBetaH1": "seed2",
    "PodaProbH2": "seed3",
    "OrdenacionH2": "seed4",
    "OrdenacionH1yH2": "seed5",
    "PodaProbH1": "seed6",
}
NINJAS = ("ninja1", "ninja2", "ninja3")
NODES, DEPTH = 3_500_000, 8  # as in the seed: a game takes a second or two

WORDS = {1: marked("won"), 2: marked("lost"), None: marked("drawn")}


@dataclass(frozen=True)
class Cell:
    """A strategy against a ninja."""

    strategy: str
    ninja: str
    first: str  # the result of one game from the usual start as player 1: won, lost or drawn
    second: str  # and as player 2
    rate: Rate  # over many starts, both sides of each


@dataclass(frozen=True)
class Study:
    """The table, and the match of the two heuristics."""

    cells: list[Cell]
    h2_against_h1: Rate
    pairs: int


def study(
    game: Game,
    *,
    pairs: int = 10,
    plies: int = 6,
    seed: int = 1,
    nodes: int = NODES,
    depth: int = DEPTH,
    progress: Progress = lambda: None,
) -> Study:
    """Every strategy, at this depth, against every ninja, all within so many nodes a move.

    Fewer nodes want less depth: a search that ends in the middle of its first moves knows nothing.
    """
    texts = named_players(game)
    starts = openings(game, pairs, plies, seed)
    cells = []
    for name, known in STRATEGIES.items():
        player = _player(texts[known], game, nodes, depth)
        for ninja_name in NINJAS:
            ninja = _player(texts[ninja_name], game, nodes)
            as_first = play_match(player, ninja, game.start())
            as_second = play_match(ninja, player, game.start())
            scores, _ = play_pairs(player, ninja, starts)
            second = {1: "lost", 2: "won", None: "drawn"}[as_second.winner]
            cells.append(Cell(name, ninja_name, WORDS[as_first.winner], second, pair_rate(scores)))
            progress()
    h2, h1 = (_player(texts[STRATEGIES[name]], game, nodes, depth) for name in ("AlphaBetaH2", "AlphaBetaH1"))
    scores, _ = play_pairs(h2, h1, starts)
    progress()
    return Study(cells, pair_rate(scores), len(starts))


def _player(text: str, game: Game, nodes: int, depth: int | None = None) -> AlphaBetaPlayer:
    player = find_player(text, game)
    assert isinstance(player, AlphaBetaPlayer)
    return dataclasses.replace(player, nodes=nodes, depth=depth or player.depth)


def table(found: Study) -> tuple[list[str], list[list[str]]]:
    """Heading and rows to print: the single games as the seed has them, then the rates."""
    heading = [_("strategy")]
    for ninja in NINJAS:
        heading += [
            _("{player}, as 1").format(player=ninja),
            _("as 2"),
            _("over {number} starts").format(number=found.pairs),
        ]
    rows = []
    for strategy in STRATEGIES:
        row = [strategy]
        for cell in (c for c in found.cells if c.strategy == strategy):
            row += [_(cell.first), _(cell.second), _short(cell.rate)]
        rows.append(row)
    return heading, rows


def _short(rate: Rate) -> str:
    return f"{rate.value:.0%} [{rate.low:.0%}, {rate.high:.0%}]"


def to_dict(found: Study) -> dict[str, Any]:
    """The same for machines."""
    return {
        "cells": [
            {"strategy": c.strategy, "ninja": c.ninja, "as_first": c.first, "as_second": c.second}
            | pair_rate_dict(c.rate)
            for c in found.cells
        ],
        "h2_against_h1": pair_rate_dict(found.h2_against_h1),
    }


def chart(found: Study) -> str:
    """The rates as a heat map."""
    cells = [
        [
            (c.rate.value, _short(c.rate).replace(" ", "\N{NO-BREAK SPACE}"))
            for c in found.cells
            if c.strategy == strategy
        ]
        for strategy in STRATEGIES
    ]
    heading = _("Parcheckers: score against the ninjas over {number} starts, both sides").format(number=found.pairs)
    return heat_map(heading, list(STRATEGIES), NINJAS, cells)
