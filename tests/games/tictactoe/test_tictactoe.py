"""Tic-tac-toe: the game is a draw, and its counts are known."""

import pytest

from conftest import dose
from zermelo.core import JIT
from zermelo.errors import IllegalMoveError, PositionError
from zermelo.games import find_game
from zermelo.players import AlphaBetaPlayer, MinimaxPlayer
from zermelo.searches.perft import perft

GAME = find_game("tictactoe")


@pytest.mark.skipif(not JIT, reason="too many for plain Python")
def test_the_number_of_games():
    """255,168 games of all lengths is the published count; 127,872 of them fill the board."""
    start = GAME.start().state
    assert [perft(start, depth) for depth in range(6)] == [1, 9, 72, 504, 3024, 15120]
    assert perft(start, 9) == 127872
    assert perft(start, 9, ended=1) == 255168


def test_it_is_a_draw():
    start = GAME.position("b2 a1") if dose(0, 1) else GAME.start()
    choice = AlphaBetaPlayer(depth=9).think(start)
    assert choice.score == 0
    assert len(choice.line) == len(start.moves)


def test_a_quick_win_is_preferred_and_a_loss_put_off():
    winning = GAME.position("XX./OO./... x")
    assert MinimaxPlayer(depth=5).think(winning).move == "c1"
    losing = GAME.position("XX./O../X.O o")
    assert MinimaxPlayer(depth=5).think(losing).move == "c1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("XX/.../...", "three rows of three"),
        ("XZ./.../... x", "cell b1 is 'Z'"),
        ("XXX/.../... o", "3 X and 0 O"),
        ("X../.../... x", "o is to move, not x"),
        ("OOO/XX./X.. o", "x is to move, not o"),
        ("XXX/OO./.O. x", "X is to move but has three in a line already"),
    ],
)
def test_impossible_boards_are_refused(text, message):
    with pytest.raises(PositionError) as caught:
        GAME.position(text)
    assert message in str(caught.value)


def test_a_taken_cell():
    with pytest.raises(IllegalMoveError, match=r"B2 is illegal: the cell is taken \(in the position .../.X./... o\)"):
        GAME.start().play("b2").play("B2")
