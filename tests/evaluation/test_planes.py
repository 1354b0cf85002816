"""Positions and moves as arrays: what each channel holds, and that actions and moves correspond."""

import numpy as np
import pytest

import zermelo as z
from zermelo.games.tictactoe import TicTacToeGame
from zermelo.position import random_playout

GAMES = [
    *z.catalogue(),
    "connect4(columns=5, rows=4)",
    "reversi(columns=6, rows=4)",
    "hex(size=4, swap=yes)",
    "hex(size=9)",
]


class Mine(TicTacToeGame):
    """A game that says nothing about arrays."""

    name = "mine"


def positions(game, number=12):
    return [random_playout(game.varied_start(seed), seed, plies=3 * seed) for seed in range(number)]


@pytest.mark.parametrize("game", [*map(z.game, GAMES), Mine()], ids=str)
def test_arrays_have_the_shape_of_the_layout_and_actions_are_the_moves(game):
    layout = game.layout
    assert len(layout.channels) == layout.shape[0] and len(layout.shape) in (1, 3)
    for position in positions(game):
        for player in (None, 1, 2):
            planes = position.planes(player)
            assert planes.shape == layout.shape and planes.dtype == np.float32
            assert not layout.is_own or (planes.min() >= 0 and planes.max() <= 1)
        assert np.array_equal(position.planes(), position.planes(position.to_move))
        actions, mask = position.actions(), position.action_mask()
        assert tuple(actions.values()) == position.moves  # none is lost, so no two have the same action
        assert mask.shape == (layout.actions,) and mask.dtype == np.int8
        assert set(np.flatnonzero(mask).tolist()) == set(actions)
        for action, move in actions.items():
            assert position.play_action(action) == position.play(move)


@pytest.mark.parametrize("name", ["connect4", "reversi", "tictactoe", "hex(size=5)"])
def test_the_other_player_sees_mine_and_theirs_exchanged(name):
    for position in positions(z.game(name)):
        own, other = position.planes(1), position.planes(2)
        assert np.array_equal(own[[1, 0]], other[:2])


def test_rows_count_from_the_top():
    position = z.game("connect4").position("4453")
    mine, theirs = position.planes()
    assert mine.tolist()[5] == [0, 0, 0, 1, 1, 0, 0] and mine.sum() == 2
    assert theirs[4, 3] == 1 and theirs[5, 2] == 1 and theirs.sum() == 2
    cell = z.game("reversi").position("d3").planes()
    assert cell[1, 2, 3] == 1 and cell[0].sum() == 1


def test_hex_says_who_joins_what_and_who_may_swap():
    game = z.game("hex", size=3, swap=True)
    assert game.layout.channels[2:] == ("I join the top to the bottom", "White may answer with swap")
    assert game.start().planes()[2].all() and not game.start().planes()[3].any()
    after = game.start().play("b2")
    assert not after.planes()[2].any() and after.planes()[3].all()
    assert after.actions()[9] == "swap"


def test_onitama_shows_pieces_and_cards():
    planes = z.game("onitama").start().planes()
    assert planes[0, 4].tolist() == [1, 1, 0, 1, 1] and planes[1, 4, 2] == 1
    assert planes[2, 0].tolist() == [1, 1, 0, 1, 1] and planes[3, 0, 2] == 1
    assert planes[4].tolist()[1] == [0, 0, 1, 0, 0] and planes[4].tolist()[3] == [0, 1, 0, 1, 0]  # the crane
    assert planes[9].all() and not z.game("onitama").start().planes(2)[9].any()
    exchange = z.game("onitama").position("..B../...../...../...../R...r crane,monkey crab,tiger dragon r")
    assert set(exchange.actions()) <= set(range(1252))


def test_a_pass_of_reversi_and_of_parcheckers_is_an_action():
    passing = z.game("reversi", columns=4, rows=4)
    found = next(p for seed in range(200) for p in random_playout(passing.start(), seed).path if p.moves == ("pass",))
    assert found.actions() == {16: "pass"}
    game = z.game("parcheckers")
    moves = [p.actions() for seed in range(5) for p in random_playout(game.start(), seed).path]
    passes = {action for actions in moves for action, move in actions.items() if action % 5 == 4}
    assert passes and all(action < 40 for actions in moves for action in actions)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: z.game("connect4").start().planes(3), "3 is not a player; write 1 or 2"),
        (lambda: z.game("connect4").start().play_action(7), "action 7 is not legal in -"),
        (lambda: z.game("connect4").position("1212121").play_action(1), "action 1 is not legal in 1212121"),
    ],
)
def test_what_cannot_be_is_refused_in_words(call, told):
    with pytest.raises(z.ZermeloError, match=told):
        call()
