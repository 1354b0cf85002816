"""Batches of self-play: the rows are positions of real games, with their moves and results."""

import numpy as np
import pytest

import zermelo as z
from conftest import dose
from zermelo.games.tictactoe import TicTacToeGame
from zermelo.games.tictactoe.rules import TicTacToe

CASES = [
    ("tictactoe", "random"),
    ("connect4", "alphabeta(depth=2)"),
    ("reversi(columns=4, rows=4)", "alphabeta(depth=1)"),
    ("hex(size=3)", "mcts(simulations=5)"),
    ("onitama", "random"),
    ("parcheckers", "random"),
    ("tree/course", "minimax(depth=1)"),
]


def middle(state: TicTacToe):
    return 1.0 if state.mine & np.uint64(16) else 0.0


class Mine(TicTacToeGame):
    """A game that says nothing about arrays."""

    name = "mine"


@pytest.mark.parametrize(("game", "player"), CASES)
def test_rows_are_positions_of_games(game, player):
    games = dose(4, 1)
    batch = z.self_play(game, player, games=games, seed=3, opening_plies=0, most_plies=60)
    layout = z.game(game).layout
    assert batch.planes.shape == (len(batch), *layout.shape) and batch.masks.shape == (len(batch), layout.actions)
    assert batch.policy.sum() == len(batch) and (batch.policy <= batch.masks).all()
    for number in range(games):
        rows = np.flatnonzero(batch.games == number)
        position = z.game(game).start()
        for row in rows:
            assert np.array_equal(batch.planes[row], position.planes())
            assert np.array_equal(batch.masks[row], position.action_mask())
            assert batch.players[row] == position.to_move
            position = position.play_action(int(batch.actions[row]))
        assert position.is_over or len(rows) == 60
        signs = {None: (0, 0), 1: (1, -1), 2: (-1, 1)}[position.winner]
        assert batch.results[rows].tolist() == [signs[player - 1] for player in batch.players[rows]]


def test_the_seed_decides_and_threads_change_nothing():
    def batch(seed, threads):
        return z.self_play("tictactoe", "random", games=dose(20, 4), seed=seed, threads=threads).actions.tolist()

    assert batch(1, 1) == batch(1, 2) != batch(2, 1)


def test_players_that_always_play_the_same_begin_with_random_moves():
    batch = z.self_play("tictactoe", "alphabeta(depth=2)", games=dose(20, 3), seed=1)
    assert batch.planes[batch.games == 0][0].sum() == 4
    assert z.self_play("tictactoe", "random", games=1).planes[0].sum() == 0


def test_a_function_an_opponent_and_a_position_will_do():
    batch = z.self_play(z.game("tictactoe").start().play("a1"), middle, "random", games=2)
    assert batch.game == "tictactoe" and repr(batch).endswith("positions of 2 games of tictactoe>")


def test_a_game_without_planes_works_too():
    batch = z.self_play(Mine(), "random", games=2)
    assert batch.planes.shape == (len(batch), 128) and batch.masks.shape[1] == 1024


@pytest.mark.parametrize("wrong", [{"games": 0}, {"most_plies": 0}, {"opening_plies": -1}])
def test_numbers_that_make_no_sense_are_refused(wrong):
    with pytest.raises(z.ZermeloError, match="self-play needs"):
        z.self_play("tictactoe", **wrong)
