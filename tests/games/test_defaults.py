"""A game plays with the strongest heuristic that it has: no other beats the default at equal processor time."""

import time

import pytest

import zermelo as z
from zermelo.games import find_heuristic, game_names
from zermelo.players import EnginePlayer
from zermelo.searches.budget import Budget
from zermelo.searches.deepening import Engine
from zermelo.studies.games import openings, pair_rate, play_pairs

SECONDS = 0.01  # of processor time for a move
GAMES, STEP = 200, 40
OPENING = 6  # plies


def nodes_in_time(game, name):
    """How many nodes a search with this heuristic visits in so much processor time; seconds themselves would count
    other programs on this machine, too."""
    heuristic = find_heuristic(name, game)
    engine = Engine(heuristic, **EnginePlayer().pruning(game, heuristic))
    starts = openings(game, 6, OPENING, seed=3)
    list(engine.deepen(starts[0].state, Budget(nodes=1000)))
    nodes, began = 0, time.process_time()
    for start in starts:
        engine.forget()
        nodes += list(engine.deepen(start.state, Budget(nodes=100_000)))[-1].nodes
    return max(100, int(nodes * SECONDS / (time.process_time() - began)))


def rate_of(game, other):
    """What another heuristic scores against the default. The games stop early once it is clearly behind."""
    first, second = (
        z.engine(heuristic, nodes=nodes_in_time(game, heuristic), solver=False)
        for heuristic in (other, game.default_heuristic)
    )
    starts, scores = openings(game, GAMES // 2, OPENING, seed=1), []
    for at in range(0, len(starts), STEP // 2):
        scores += play_pairs(first, second, starts[at : at + STEP // 2], threads=1)[0]
        rate = pair_rate(scores)
        if rate.high < 0.5:
            break
    print(f"{game.name}/{other} against {game.default_heuristic}: {100 * rate.value:.1f}% of {len(scores)} games")
    return rate


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in game_names() if "/" not in name])  # the trees have no openings
def test_no_heuristic_beats_the_default(name):
    game = z.game(name)
    rates = {other: rate_of(game, other) for other in game.heuristics if other != game.default_heuristic}
    assert {other: rate for other, rate in rates.items() if rate.low > 0.5} == {}
