"""A report's table of strategies against opponents, played again from both sides.

The report played one game for each cell. This study plays that table again, and then adds what the report could not
show: the same matches over many starting positions, with win rates and their intervals, and direct matches between two
strategies.

A game brings such a table as a part of its package, `strategies.py`, with these names:

    STRATEGIES   the rows: the report's name of a strategy -> the name of our player
    OPPONENTS    the columns: names of players
    DIRECT       further matches between two of STRATEGIES: a name for the match -> the two strategies
    HEADING      the heading of the picture, in which {number} is the number of starting positions
"""

from dataclasses import dataclass
from typing import Any

from zermelo.core.parts import part_of
from zermelo.drawing.charts import heat_map
from zermelo.language import _, marked
from zermelo.match import play_match
from zermelo.players import Player, find_player, named_players
from zermelo.position import Game
from zermelo.searches.budget import Budget
from zermelo.studies.games import Progress, openings, pair_rate, pair_rate_dict, play_pairs
from zermelo.tournaments.intervals import Rate

NODES, DEPTH = 3_500_000, 8  # as in the report: a game takes a second or two

WORDS = {1.0: marked("won"), 0.5: marked("drawn"), 0.0: marked("lost")}


@dataclass(frozen=True)
class Cell:
    """The results of a strategy against an opponent."""

    strategy: str
    opponent: str
    first: str  # the result of one game from the usual start as player 1: won, lost or drawn
    second: str  # the same as player 2
    rate: Rate  # the score over many starting positions, each played from both sides


@dataclass(frozen=True)
class Study:
    """The results: the cells of the table, and the matches between two of its strategies."""

    table: Any  # the game's part `strategies`
    cells: list[Cell]
    direct: dict[str, Rate]
    pairs: int


def table_of(game: Game) -> Any:
    """Return the module with the table of a game, or None if the game has none."""
    return part_of(type(game).__module__, "strategies")


def matches(game: Game) -> int:
    """Return the number of matches that the study of a game plays, which is how often `progress` is called."""
    known = table_of(game)
    return len(known.STRATEGIES) * len(known.OPPONENTS) + len(known.DIRECT)


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
    """Play every strategy, at this depth, against every opponent, with at most `nodes` nodes per move for each.

    With fewer nodes, choose a smaller depth too: a search that stops before it has compared its first moves is useless.
    """
    known, texts = table_of(game), named_players(game)
    starts = openings(game, pairs, plies, seed)
    cells = []
    for name, player_name in known.STRATEGIES.items():
        player = _player(texts[player_name], game, nodes, depth)
        for opponent_name in known.OPPONENTS:
            opponent = _player(texts[opponent_name], game, nodes)
            as_first = play_match(player, opponent, game.start())
            as_second = play_match(opponent, player, game.start())
            scores, _ = play_pairs(player, opponent, starts)
            words = WORDS[as_first.score], WORDS[1 - as_second.score]
            cells.append(Cell(name, opponent_name, *words, pair_rate(scores)))
            progress()
    direct = {}
    for match, names in known.DIRECT.items():
        one, other = (_player(texts[known.STRATEGIES[name]], game, nodes, depth) for name in names)
        scores, _ = play_pairs(one, other, starts)
        direct[match] = pair_rate(scores)
        progress()
    return Study(known, cells, direct, len(starts))


def _player(text: str, game: Game, nodes: int, depth: int | None = None) -> Player:
    return find_player(text, game).with_budget(Budget(depth, nodes))


def table(found: Study) -> tuple[list[str], list[list[str]]]:
    """Return the heading and the rows of the table to print: the single games of the report, and the scores."""
    heading = [_("strategy")]
    for opponent in found.table.OPPONENTS:
        heading += [
            _("{player}, moving first").format(player=opponent),
            _("moving second"),
            _("score over {number} starts").format(number=found.pairs),
        ]
    rows = []
    for strategy in found.table.STRATEGIES:
        row = [strategy]
        for cell in (c for c in found.cells if c.strategy == strategy):
            row += [_(cell.first), _(cell.second), _short(cell.rate)]
        rows.append(row)
    return heading, rows


def _short(rate: Rate) -> str:
    return f"{rate.value:.0%} [{rate.low:.0%}, {rate.high:.0%}]"


def to_dict(found: Study) -> dict[str, Any]:
    """Return the results in a form that can be written as JSON."""
    return {
        "cells": [
            {"strategy": c.strategy, "ninja": c.opponent, "as_first": c.first, "as_second": c.second}
            | pair_rate_dict(c.rate)
            for c in found.cells
        ],
    } | {match: pair_rate_dict(rate) for match, rate in found.direct.items()}


def chart(found: Study) -> str:
    """Draw the scores as a heat map."""
    cells = [
        [
            (c.rate.value, _short(c.rate).replace(" ", "\N{NO-BREAK SPACE}"))
            for c in found.cells
            if c.strategy == strategy
        ]
        for strategy in found.table.STRATEGIES
    ]
    heading = _(found.table.HEADING).format(number=found.pairs)
    return heat_map(heading, list(found.table.STRATEGIES), found.table.OPPONENTS, cells)
