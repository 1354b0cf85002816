"""A game always ends: a player who crashes, cheats or hangs loses it, and the record says why."""

import time
from dataclasses import dataclass
from typing import ClassVar

import pytest

import zermelo as z
from zermelo.core import JIT
from zermelo.match import Record
from zermelo.players import Choice, Player, Resigned
from zermelo.tournaments.referee import Abandoned, Limits, play_game

START = z.game("tictactoe").start()
CHANCE = z.random(seed=1)


@dataclass(frozen=True)
class Odd(Player):
    """A player that does what the test says."""

    act: object = None
    kind: ClassVar[str] = "odd"

    def think(self, position):
        return self.act(position)


def crash(position):
    raise ZeroDivisionError("all my own fault")


def resign(position):
    raise Resigned


def sleep(position):
    time.sleep(2.2)
    return Choice(position.moves[0], 2.2)


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (crash, "crash: ZeroDivisionError: all my own fault"),
        (lambda position: Choice("c9", 0.0), "illegal move: c9 is illegal: the cells are a1 to c3"),
        (lambda position: Choice("", 0.0), "illegal move: '' is not a move of Tic-tac-toe"),
        (lambda position: Choice("b2", 0.0), "illegal move: b2 is illegal: the cell is taken"),
        (lambda position: "a1", "wrong answer: 'a1' is not the text of a move"),
        (lambda position: Choice(7, 0.0), "wrong answer"),
        (lambda position: None, "wrong answer: None is not"),
        (sleep, "timeout: "),
        (resign, "resigned"),
    ],
)
@pytest.mark.parametrize("seat", [1, 2])
def test_who_does_not_move_properly_loses(act, reason, seat):
    players = (Odd(act), CHANCE) if seat == 1 else (CHANCE, Odd(act))
    limits = Limits(seconds=0.5, grace=1.5) if act is sleep else Limits(seconds=60)
    record = play_game(players, ("one", "two"), START, limits)
    assert record.winner == 3 - seat
    assert record.reason.startswith(reason)
    assert (record.error is not None) == (act is crash)
    if act is crash:
        assert "in crash" in record.error
    assert Record.from_json(record.to_json()) == record
    record.final_position()


def test_a_game_is_cut_after_so_many_plies():
    record = play_game((CHANCE, CHANCE), ("one", "two"), START, Limits(most_plies=3))
    assert (len(record.moves), record.winner, record.reason) == (3, None, "a draw after 3 plies")


def test_a_game_whose_result_is_proven_is_not_played_out():
    # X has two ways to win, whatever O does.
    start = z.game("tictactoe").position("X.X/.O./X.O o")
    record = play_game((CHANCE, CHANCE), ("one", "two"), start, Limits(prove_nodes=2000))
    assert (record.moves, record.winner, record.reason) == ([], 1, "proven")
    drawn = z.game("tictactoe").position("XOX/XOO/.X. o")
    record = play_game((CHANCE, CHANCE), ("one", "two"), drawn, Limits(prove_nodes=2000))
    assert (record.winner, record.reason) == (None, "proven")
    if JIT:
        begun = play_game((CHANCE, CHANCE), ("one", "two"), z.game("connect4").start(), Limits(prove_nodes=500))
        assert begun.moves, "nobody proves that from the start with so few nodes"


def test_the_games_own_solver_proves_within_the_same_nodes():
    """A 5x5 board of Connect 4 is quick to solve, but not within ten nodes."""
    start = z.game("connect4(rows=5, columns=5)").start()
    record = play_game((CHANCE, CHANCE), ("one", "two"), start, Limits(prove_nodes=10, most_plies=2))
    assert (len(record.moves), record.reason) == (2, "a draw after 2 plies")


def test_what_is_proven_is_what_good_players_play():
    start = z.game("tictactoe").position("a1 b2")
    perfect = z.minimax(depth=9)
    played = play_game((perfect, perfect), ("one", "two"), start)
    proven = play_game((perfect, perfect), ("one", "two"), start, Limits(prove_nodes=100_000))
    assert proven.winner == played.winner
    assert len(proven.moves) < len(played.moves)


def test_a_game_that_is_left_does_not_count():
    with pytest.raises(Abandoned):
        play_game((CHANCE, CHANCE), ("one", "two"), START, is_stopped=lambda: True)
    with pytest.raises(Abandoned):
        play_game((Odd(crash), CHANCE), ("one", "two"), START, is_stopped=lambda: True)


def test_the_referee_tells_every_position():
    told = []
    record = play_game((CHANCE, CHANCE), ("one", "two"), START, on_position=told.append)
    assert [position.to_move for position in told] == [1 + i % 2 for i in range(len(record.moves) + 1)]
    assert told[0] == START and told[-1] == record.final_position()
