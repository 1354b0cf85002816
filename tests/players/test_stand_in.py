"""The small search in plain Python that answers while a player's code is compiled."""

import pytest

import zermelo as z
from zermelo.players import find_player
from zermelo.players.stand_in import has_stand_in, stand_in

TICTACTOE = z.game("tictactoe")
PATIENT = 60.0  # seconds: these positions are small, and a busy machine must not matter


@pytest.mark.parametrize(
    "text", ["engine(seconds=2)", "alphabeta(depth=4)", "fallible(overlook=0, breadth=9, taste=0)"]
)
def test_it_wins_and_stops_a_threat(text):
    player = find_player(text)
    assert stand_in(player, TICTACTOE.position("a1 b2 a2 b1"), PATIENT).move == "a3"
    assert stand_in(player, TICTACTOE.position("a1 b2 a2"), PATIENT).move == "a3"


def test_it_never_looks_farther_than_the_player():
    assert stand_in(find_player("alphabeta(depth=1)"), TICTACTOE.start(), PATIENT).depth == 1
    assert stand_in(find_player("alphabeta(depth=2)"), TICTACTOE.start(), PATIENT).depth == 2


def test_without_time_it_still_has_a_move():
    for name in ("connect4", "hex", "parcheckers"):
        position = z.game(name).start()
        assert stand_in(find_player("engine(seconds=2)"), position, 0.0).move in position.moves


def test_only_searches_have_one():
    assert has_stand_in(find_player("mcts")) and not has_stand_in(find_player("random"))
