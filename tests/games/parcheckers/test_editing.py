"""Setting up a position by clicks."""

import itertools
import math

import pytest

import zermelo as z
from zermelo.errors import PositionError

GAME = z.game("parcheckers")
START = "yellow=4,13 blue=21,30 red=38,47 green=55,64 turn=yellow dice=12456*/12456*"


def after(*clicks, start=START):
    """The text after clicks on these places."""
    text, held = start, ""
    for place in clicks:
        text, held = GAME.edited(GAME.position(text).state, place, held)
    assert held == ""
    return text


def test_a_piece_goes_where_the_second_click_says():
    assert after("4", "44") == START.replace("yellow=4,13", "yellow=44,13")
    assert after("30", "F3-of-blue") == START.replace("blue=21,30", "blue=21,F3")
    assert after("64", "H-of-green", "55", "G-of-green") == START.replace("green=55,64", "green=G,H")
    assert after("64", "H-of-green", "H-of-green", "12") == START.replace("green=55,64", "green=55,12")
    assert after("4", "4") == after("5") == START


def test_dice_are_taken_and_given_back_and_the_turn_goes_round():
    assert after("die-4-of-player-2") == START.replace("/12456*", "/1256*")
    assert after("die-4-of-player-2", "die-4-of-player-2") == START
    assert [after(*["turn"] * times).split("turn=")[1].split()[0] for times in range(5)] == [
        "yellow",
        "blue",
        "red",
        "green",
        "yellow",
    ]


def test_what_the_last_move_brought_about_is_forgotten():
    start = "yellow=44,13 blue=H,30 red=38,47 green=55,64 turn=yellow dice=16*/16* bonus=20 six captured=blue"
    assert after("H-of-blue", "21", start=start) == (
        "yellow=44,13 blue=21,30 red=38,47 green=55,64 turn=yellow dice=16*/16*"
    )


@pytest.mark.parametrize(
    ("clicks", "wrong"),
    [
        (("4", "F3-of-blue"), "no piece of 4 can stand on F3-of-blue"),
        (("4", "22", "21", "22"), "it is not a safe square"),
        ([f"die-{die}-of-player-1" for die in "12456*"], "keeps at least one die"),
    ],
)
def test_what_cannot_be_is_refused(clicks, wrong):
    with pytest.raises(PositionError, match=wrong):
        after(*clicks)


def test_places_to_click_are_apart_and_in_the_picture():
    places = GAME.edit_places()
    assert len(places) == 12 + 68 + 4 * (1 + 7 + 1)
    drawn = GAME.start().picture().places
    for name in ("die-4-of-player-2", "die-*-of-player-1"):
        assert places[name][:2] == pytest.approx((drawn[name].x, drawn[name].y))
    for (one, box), (other, second) in itertools.combinations(places.items(), 2):
        assert math.dist(box[:2], second[:2]) > 29, f"{one} and {other} are at the same place"
