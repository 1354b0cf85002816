"""Games played inside compiled code are the same as the referee's, except for their times."""

import json
from dataclasses import replace

import pytest

import zermelo as z
from conftest import dose
from zermelo.core import JIT
from zermelo.match import Record
from zermelo.players import find_player
from zermelo.position import random_playout
from zermelo.tournaments.quick import is_quick, play_quickly
from zermelo.tournaments.referee import Abandoned, Limits, play_game

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")

GAMES = [
    "connect4",
    "tictactoe",
    "connect4(columns=5, rows=4)",
    "reversi(columns=6, rows=6)",
    "hex(size=4)",
    "tree/course",
]
NAMES = ("one", "two")


def timeless(played):
    """A record without its times; of a game in one go, read back from what it wrote."""
    record = played if isinstance(played, Record) else Record.from_json(played.json)
    if record is not played:
        assert (played.score, played.reason, played.plies) == (record.score, record.reason, len(record.moves))
        assert [*json.loads(played.json)] == [*json.loads(record.to_json())], "the same fields in the same order"
    return replace(record, moves=[replace(move, seconds=0.0) for move in record.moves])


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("alphabeta(depth=2)", "alphabeta(depth=3)"),
        ("alphabeta(depth=3, tolerance=5)", "alphabeta(depth=3, top_moves=2)"),
        ("alphabeta(depth=2, order={h}, order_plies=1)", "alphabeta(depth=2, order={h})"),
    ],
)
def test_the_same_game(name, first, second):
    game = z.game(name)
    players = tuple(find_player(text.format(h=game.default_heuristic), game) for text in (first, second))
    assert is_quick(players, game, Limits())
    for seed in range(dose(4, 1)):
        start = random_playout(game.start(), seed, 2)
        if not start.is_over:
            quick = play_quickly(players, NAMES, start, Limits())
            assert timeless(quick) == timeless(play_game(players, NAMES, start))
            assert timeless(quick).final_position().is_over


def test_weights_and_seats_are_not_confused():
    start = z.game("connect4").position("44")
    one, other = find_player("alphabeta(lines2(three=50), depth=3)"), find_player("alphabeta(parity12(one=9), depth=4)")
    for players in ((one, other), (other, one)):
        quick = play_quickly(players, NAMES, start, Limits())
        assert timeless(quick) == timeless(play_game(players, NAMES, start))


def test_a_cap_on_plies():
    player = find_player("alphabeta(depth=2)")
    for plies in (1, 3):
        limits = Limits(most_plies=plies)
        start = z.game("connect4").start()
        quick = play_quickly((player, player), NAMES, start, limits)
        assert timeless(quick) == timeless(play_game((player, player), NAMES, start, limits))
        assert quick.plies == plies


@pytest.mark.parametrize(
    ("player", "limits"),
    [
        ("minimax(depth=2)", Limits()),
        ("random", Limits()),
        ("alphabeta(depth=2, nodes=100)", Limits()),
        ("alphabeta(depth=2, seconds=1)", Limits()),
        ("alphabeta(depth=2)", Limits(seconds=1)),
        ("alphabeta(depth=2)", Limits(prove_nodes=100)),
    ],
)
def test_who_needs_a_referee(player, limits):
    plain, other = find_player("alphabeta(depth=2)"), find_player(player)
    assert not is_quick((plain, other), z.game("connect4"), limits)


def test_a_game_whose_history_matters_needs_a_referee():
    both = (find_player("alphabeta(depth=1)"),) * 2
    games = [z.game(name) for name in z.catalogue()]
    with_history = [g for g in games if type(g).is_drawn_by_history is not z.Game.is_drawn_by_history]
    assert with_history, "Onitama is one"
    assert not any(is_quick(both, game, Limits()) for game in with_history)


def test_a_heuristic_that_fails_is_the_fault_of_its_player(tmp_path, monkeypatch):
    (tmp_path / "faulty.py").write_text(
        "import zermelo as z\nfrom zermelo.games.connect4 import Connect4\n\n"
        "@z.heuristic\ndef faulty(state: Connect4):\n"
        "    'Fails when ten stones lie.'\n    return 7 // (z.count(state.stones) // 2 - 5)\n"
    )
    monkeypatch.chdir(tmp_path)
    report = z.tournament(["faulty.py:faulty", "centre"], "connect4", pairs=3, depth=2, threads=1)
    assert report.score("faulty.py:faulty", "centre") == 0
    assert report.endings == {"crash": 6}
    assert all("ZeroDivisionError" in game.reason for game in report.store.games("tournament"))


def test_a_game_that_is_stopped_does_not_count():
    player = find_player("alphabeta(depth=2)")
    with pytest.raises(Abandoned):
        play_quickly((player, player), NAMES, z.game("connect4").start(), Limits(), lambda: True)
