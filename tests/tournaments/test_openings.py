"""Openings are different and about even, and the same seed gives the same openings."""

import pytest

import zermelo as z
from conftest import dose
from zermelo.games import find_game
from zermelo.rules import MOST_PLIES
from zermelo.scores import RECORDED_WIN
from zermelo.tournaments.openings import draw, find_openings
from zermelo.tournaments.plan import Openings

CONNECT4 = z.game("connect4")
TICTACTOE = z.game("tictactoe")


@pytest.mark.parametrize(
    ("game", "plies", "number"),
    [
        # The first of the well-known 765 positions of tic-tac-toe up to symmetry: 1, 3, 12, 38, 108, 174, 204, 153, 57,
        # 15 by ply. Connect 4 after one ply: four columns of seven up to the mirror.
        (TICTACTOE, 0, 1),
        (TICTACTOE, 1, 3),
        (TICTACTOE, 2, 12),
        (TICTACTOE, 3, 38),
        (TICTACTOE, 4, 108),
        (CONNECT4, 1, 4),
    ],
)
def test_all_openings_up_to_symmetry(game, plies, number):
    found = find_openings(game, Openings(kind="all", plies=plies, balanced=False), 1, seed=1)
    assert len(found) == number
    assert all(len(game.position(text).line) == plies for text in found)


def test_random_openings_are_different_and_the_same_for_the_same_seed():
    wanted = Openings(plies=4, balanced=False)
    found = find_openings(CONNECT4, wanted, dose(100, 20), seed=1)
    assert len(found) == dose(100, 20)
    keys = {CONNECT4.canonical_key(CONNECT4.position(text).state) for text in found}
    assert len(keys) == len(found)
    assert found == find_openings(CONNECT4, wanted, dose(100, 20), seed=1)
    assert found != find_openings(CONNECT4, wanted, dose(100, 20), seed=2)


def test_balanced_openings_are_more_even():
    def unevenness(balanced):
        found = find_openings(CONNECT4, Openings(plies=6, balanced=balanced, depth=3), dose(60, 5), seed=3)
        judge = z.alphabeta(depth=3)
        return [abs(judge.think(CONNECT4.position(text)).score) for text in found]

    even, uneven = unevenness(True), unevenness(False)
    assert sum(even) < sum(uneven)
    assert max(even) < RECORDED_WIN - MOST_PLIES


def test_without_plies_there_are_as_many_as_give_enough():
    lengths = {
        number: {len(TICTACTOE.position(text).line) for text in find_openings(TICTACTOE, Openings(), number, 1)}
        for number in (2, 5, 20)
    }
    assert lengths[2] == lengths[5] == {2}
    assert min(lengths[20]) > 2
    assert find_openings(z.game("tree/course"), Openings(), 5, 1)


def test_too_few_openings_are_as_many_as_there_are():
    assert len(find_openings(TICTACTOE, Openings(plies=1, balanced=False), 50, seed=1)) == 3


def test_given_positions_are_kept_as_written_once_each():
    wanted = Openings(positions=("44", "4 4", "41", "47", "12"), balanced=False)
    assert find_openings(CONNECT4, wanted, 9, seed=1) == ["44", "41", "12"]  # 47 mirrors 41


def test_lost_positions_are_left_out_when_balance_is_asked_for():
    wanted = Openings(positions=("112233", "44"), balanced=True)
    assert find_openings(CONNECT4, wanted, 9, seed=1) == ["44"]


def test_varied_openings_deal_other_cards():
    onitama = z.game("onitama")
    found = find_openings(onitama, Openings(kind="varied", plies=1, balanced=False), 6, seed=1)
    assert len(found) == len({str(onitama.position(text)) for text in found}) == 6
    assert len({text.split(maxsplit=1)[1] for text in found}) > 1, "not always the same deal"
    usual = find_openings(onitama, Openings(plies=1, balanced=False), 6, seed=1)
    assert all(len(onitama.position(text).line) == 1 for text in usual)
    # A game without chance in its start has no other.
    assert len(find_openings(CONNECT4, Openings(kind="varied", plies=1, balanced=False), 9, seed=1)) == 4


def test_drawn_openings_are_different_and_not_over():
    """Tic-tac-toe has 9 first moves, 3 of them different by symmetry."""
    start = find_game("tictactoe").start()
    found = draw(lambda playout: start, range(200), 1, 100)
    assert len(found) == 3
    assert len(draw(lambda playout: start, range(200), 1, 100, identity=lambda position: position)) == 9
    assert len(draw(lambda playout: start, range(200), 1, 2)) == 2
    assert draw(lambda playout: start, range(200), 9, 5) == []
    assert draw(lambda playout: start, range(3), 4, 100, patience=lambda seen: -1) == []
