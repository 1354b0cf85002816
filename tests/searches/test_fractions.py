"""Heuristics return fractions, and fractions count: in searches, windows, tables, traces, records and displays."""

import json

import pytest

import slow
import zermelo as z
from conftest import dose
from zermelo.core import count, heuristic
from zermelo.errors import PlayerError
from zermelo.games.connect4.rules import Connect4
from zermelo.position import Position, random_playout
from zermelo.rules import to_move
from zermelo.searches.textbook import run_alphabeta, run_minimax

GAME = z.game("connect4")
DEPTH = dose(4, 2)
STATES = [random_playout(GAME.start(), seed, 6).state for seed in range(dose(8, 2))]


@heuristic(weights={"low": 0.375, "even": 0.125})
def eighths(state: Connect4, w):
    """Stones in the lowest row and in even columns: never more than a few points, always multiples of an eighth."""
    lowest, even = 0x0101010101010101, 0x00FF00FF00FF00FF
    theirs = int(state.mine ^ state.stones)
    mine = int(state.mine)
    low = count(mine & lowest) - count(theirs & lowest)
    return w.low * low + w.even * (count(mine & even) - count(theirs & even))


@heuristic
def share(state: Connect4):
    """(a - b) / (a + b), which is between -1 and 1."""
    low = 0x0303030303030303
    mine, theirs = count(int(state.mine) & low), count(int(state.mine ^ state.stones) & low)
    return (mine - theirs) / (mine + theirs + 1)


@pytest.mark.parametrize("judge", [eighths, share])
def test_searches_count_fractions(judge):
    for state in STATES:
        value = slow.minimax(state, DEPTH, judge)
        assert run_minimax(state, judge, DEPTH).score == value
        assert run_alphabeta(state, judge, DEPTH).score == value
        position = Position(GAME, state)
        assert z.engine(judge, depth=DEPTH, solver=False, threads=1).think(position).score == value


def test_a_window_of_a_fraction_is_kept():
    values = [(state, slow.minimax(state, DEPTH, eighths)) for state in STATES]
    for state, value in ((state, value) for state, value in values if abs(value) < 100):  # no win is near
        assert run_alphabeta(state, eighths, DEPTH, window=(value - 0.125, value + 0.125)).score == value
        assert run_alphabeta(state, eighths, DEPTH, window=(value, value + 0.125)).score <= value
        assert run_alphabeta(state, eighths, DEPTH, window=(value - 0.125, value)).score >= value


@pytest.mark.parametrize("tolerance", [0.125, 0.25, 0.5, 1.75])
def test_tolerance_may_be_a_fraction(tolerance):
    for state in STATES:
        counter = [0]
        value = slow.min_max_search(state, DEPTH, eighths, tolerance, counter=counter)
        found = run_alphabeta(state, eighths, DEPTH, tolerance=tolerance)
        assert found.score == (value if to_move(state) == 0 else -value)
        assert found.nodes == counter[0]


def test_a_players_text_holds_the_tolerance():
    player = z.player("alphabeta(lines2, 3, tolerance=0.25)")
    assert str(player) == "alphabeta(heuristic=lines2, depth=3, tolerance=0.25)"
    assert str(z.alphabeta("lines2", depth=3, tolerance=2.0)) == "alphabeta(heuristic=lines2, depth=3, tolerance=2)"
    for wrong in ("nan", "inf", "-0.5", "much"):
        with pytest.raises(PlayerError, match="tolerance"):
            z.player(f"alphabeta(lines2, 3, tolerance={wrong})")


def test_traces_records_and_analyses_show_fractions():
    start = GAME.position("4453")
    trace = z.trace(start, z.alphabeta(eighths, depth=2, tolerance=0.125))
    values = [child["value"] for child in trace.to_dict()["tree"]["children"] if child.get("value") is not None]
    assert any(value != int(value) for value in values)
    assert f"= {trace.to_dict()['tree']['value']}" in str(trace)
    record = z.play(z.alphabeta(eighths, depth=1), z.alphabeta(share, depth=1), start)
    scores = [move["score"] for move in json.loads(record.to_json())["moves"] if move["score"] is not None]
    assert any(score != int(score) for score in scores)
    analysis = z.analyse(start, depth=1, heuristic=eighths)
    points = [move.score.points for move in analysis.moves]
    assert any(value != int(value) for value in points)
    assert any(move.score.text == f"{move.score.points:+.3f}".rstrip("0") for move in analysis.moves)
