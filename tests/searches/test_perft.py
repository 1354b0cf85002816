"""Move counts against published or independently made ones."""

import pytest

from conftest import GOLDEN, golden_lines
from zermelo.core import JIT
from zermelo.games import find_game, game_names
from zermelo.position import random_playout
from zermelo.rules import moves_of, play
from zermelo.searches.perft import divide, perft

COUNTS = [
    (file.stem, int(depth), int(count))
    for file in sorted(GOLDEN.glob("*.perft"))
    for depth, count in golden_lines(file.name)
]


@pytest.mark.parametrize(("name", "depth", "count"), COUNTS)
def test_perft(name, depth, count):
    if count > (40_000_000 if JIT else 3_000):
        pytest.skip("too many for this run; make check-all counts them")
    game = find_game(name)
    start, ended = game.start().state, int(game.perft_counts_ended)
    found = perft(start, depth, ended)
    assert found == count, divide(start, depth, ended)


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="hours in plain Python")
@pytest.mark.parametrize(("name", "depth", "count"), [case for case in COUNTS if case[2] > 40_000_000])
def test_deep_perft(name, depth, count, record_property):
    game = find_game(name)
    found = perft(game.start().state, depth, int(game.perft_counts_ended))
    record_property("figure", [11, f"perft {depth} of {game.title}", f"{count:,}", f"{found:,}"])
    assert found == count


@pytest.mark.parametrize("name", game_names())
def test_perft_counts_what_a_plain_loop_counts(name):
    game = find_game(name)
    length = len(random_playout(game.start(), 3).path)
    state = random_playout(game.start(), 3, length // 2).state
    two = sum(len(moves_of(play(state, move))) for move in moves_of(state))
    assert perft(state, 2) == two == sum(divide(state, 2).values())
    assert perft(state, 0) == 1
