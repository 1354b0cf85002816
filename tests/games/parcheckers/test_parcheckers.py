"""Parcheckers against the course's own engine (perft, and every ply of 60 random games), and rule by rule."""

import gzip
import json
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from conftest import GOLDEN, dose, golden_lines
from zermelo.errors import GameError, IllegalMoveError, PositionError
from zermelo.games import find_game
from zermelo.games.parcheckers.rules import (
    CAPTURED_AT,
    CAPTURED_MASK,
    COLOURS,
    SAFE_SQUARES,
    Parcheckers,
    bounced_out,
)
from zermelo.language import speaking
from zermelo.position import Position, random_playout
from zermelo.rules import is_noisy, key, move_hint, moves_of
from zermelo.searches.perft import perft

GAME = find_game("parcheckers")
COURSE_DIE = {"1": 1, "2": 2, "4": 4, "5": 5, "6": 6, "*": 69, "10": 10, "20": 20}


def at(text: str) -> Position:
    return GAME.position(text)


# ------------------------------------------------------------------------------------------ the course's engine


@pytest.mark.parametrize(("depth", "expected"), [tuple(map(int, line)) for line in golden_lines("parcheckers.perft")])
def test_perft(depth: int, expected: int) -> None:
    if depth > dose(5, 2):
        pytest.skip("too long without the compiler")
    assert perft(GAME.start().state, depth) == expected


def course_games() -> list[Any]:
    with gzip.open(GOLDEN / "parcheckers-playthroughs.jsonl.gz", "rt") as file:
        return [json.loads(line) for line in file]


def course_state(position: Position) -> dict[str, Any]:
    """A position in the course's words, from its text."""
    words = dict(word.partition("=")[::2] for word in str(position).split())
    dice = [[[COURSE_DIE[die] for die in side]] for side in words["dice"].split("/")]
    if "bonus" in words:
        dice[position.to_move - 1].append([int(words["bonus"])])
    pieces = {colour: words[colour].split(",") for colour in COLOURS}
    return {"pieces": pieces, "player": position.to_move - 1, "color": words["turn"], "dice": dice}


def course_move(text: str) -> tuple[str, int, int]:
    piece, die = text.split(":")
    return ("", -1, COURSE_DIE[die]) if piece == "pass" else (piece[:-1], int(piece[-1]), COURSE_DIE[die])


def test_every_ply_of_the_course_engines_games() -> None:
    plies = 0
    for game in course_games()[: dose(60, 5)]:
        position = GAME.start()
        for ply in game["plies"]:
            assert course_state(position) == ply["state"]
            expected = [("" if index < 0 else colour, index, die) for colour, index, die in ply["moves"]]
            assert [course_move(move) for move in position.moves] == expected, str(position)
            position = position.play(position.moves[ply["played"]])
            plies += 1
        assert course_state(position) == game["final"]
        assert position.is_over
        assert position.winner == game["winner"] + 1
        assert bool(bounced_out(position.state.rest)) == bool(game["overbounce"])
    assert plies == dose(9099, plies)


# ------------------------------------------------------------------------------------------ rule by rule


@pytest.mark.parametrize(
    ("position", "move", "after"),
    [
        ("yellow=4,13", "yellow0:*", "yellow=5,13"),
        ("yellow=4,13", "yellow0:5", "yellow=14,13"),
        ("yellow=4,13", "yellow0:6", "yellow=18,13"),  # a 6 counts as 7
        ("yellow=4,H", "yellow0:6", "yellow=16,H"),  # but as 6 with someone at home
        ("yellow=H,20", "yellow0:5", "yellow=4,20"),
        ("yellow=66,20", "yellow0:4", "yellow=F6,20"),
        ("yellow=68,20", "yellow0:4", "yellow=G,20"),
        ("yellow=F6,20", "yellow0:1", "yellow=G,20"),
        ("yellow=F6,20", "yellow0:2", "yellow=F6,20"),  # two too many: back where it stood
        ("yellow=F6,20", "yellow0:5", "yellow=68,20"),  # eight too many: out of the corridor
        ("yellow=F6,20", "yellow0:6", "yellow=64,20"),
        ("blue=H,H red=38,47 turn=red", "red0:5", "red=48,47"),
        ("green=51,60", "green0:4", "green=G,60"),
        ("blue=17,20 turn=blue", "blue0:4", "blue=G,20"),
        ("red=34,20 turn=blue", "red0:4", "red=G,20"),
    ],
)
def test_where_a_die_leads(position: str, move: str, after: str) -> None:
    assert after in str(at(position).play(move))


def test_the_turn_goes_yellow_blue_red_green() -> None:
    position, turns = GAME.start(), []
    for die in "112244":
        turns.append((position.to_move, str(position).split("turn=")[1].split()[0]))
        position = position.play(next(move for move in position.moves if move.endswith(f"1:{die}")))
    assert turns == [(1, "yellow"), (2, "blue"), (2, "red"), (1, "green"), (1, "yellow"), (2, "blue")]


def test_a_six_keeps_the_turn_and_a_pass_with_it_too() -> None:
    assert "turn=yellow" in str(GAME.start().play("yellow0:6"))
    stuck = at("yellow=G,G green=H,H turn=green")
    assert stuck.moves == ("pass:*", "pass:6", "green0:5", "green1:5", "pass:4", "pass:2", "pass:1")
    assert "turn=green" in str(stuck.play("pass:6"))
    assert "turn=yellow" in str(stuck.play("pass:4"))


def test_dice_come_back_when_all_are_spent() -> None:
    assert "dice=12456*/45" in str(at("dice=2/45").play("yellow0:2"))


def test_a_capture_sends_home_and_wins_twenty() -> None:
    before = at("yellow=5,8 blue=6,30")
    after = before.play("yellow0:*")
    assert str(after) == (
        "yellow=6,8 blue=H,30 red=38,47 green=55,64 turn=yellow dice=12456/12456* bonus=20 captured=blue"
    )
    assert {move.split(":")[1] for move in after.moves} == {"20"}
    again = after.play("yellow1:20")
    assert "yellow=6,48" in str(again)
    assert "turn=blue" in str(again)
    assert "captured" not in str(again)


def test_the_partner_is_captured_too() -> None:
    after = at("yellow=5,13 green=6,64").play("yellow0:*")
    assert "green=H,64" in str(after)
    assert "bonus=20 captured=green" in str(after)


def test_nobody_is_captured_on_a_safe_square() -> None:
    for square in SAFE_SQUARES:
        after = at(f"yellow={square - 1},2 green=G,1 blue={square},7 red=9,10").play("yellow0:*")
        assert f"yellow={square},2 blue={square},7" in str(after)
        assert "bonus" not in str(after)


def test_a_goal_wins_ten_and_a_six_is_remembered() -> None:
    after = at("yellow=60,20").play("yellow0:6")  # fourteen squares would be two short of the goal
    assert "bonus" not in str(after)
    after = at("yellow=62,20").play("yellow0:6")
    assert "yellow=G,20" in str(after)
    assert "turn=yellow" in str(after)
    assert "bonus=10 six" in str(after)
    assert "turn=yellow" in str(after.play("yellow1:10"))
    without = at("yellow=68,20").play("yellow0:4")
    assert str(without).endswith("bonus=10")
    assert "turn=blue" in str(without.play("yellow1:10"))


@pytest.mark.parametrize(
    ("position", "move", "reason"),
    [
        ("yellow=4,13 blue=6,6", "yellow0:5", "a wall of another colour"),
        ("yellow=4,13 blue=6,6", "yellow0:1", "a wall of another colour"),
        ("yellow=4,13 green=6,6", "yellow0:5", "a wall of another colour"),
        ("yellow=66,13 blue=68,68", "yellow0:4", "a wall of another colour"),  # on the way into the corridor
        ("yellow=66,13 green=68,68", "yellow0:4", "a wall of another colour"),
        ("yellow=3,20 blue=4,21 red=4,47", "yellow0:*", "two pieces on 4"),
        ("yellow=H,20 blue=4,21 red=4,47", "yellow0:5", "two pieces on 4"),
        ("yellow=H,20 green=4,4", "yellow0:5", "two pieces on 4"),
        ("yellow=H,20", "yellow0:4", "leaves it only with a 5"),
        ("yellow=G,20", "yellow0:4", "is in the goal"),
        ("yellow=6,20 green=59,59", "yellow0:6", "the wall of green must be opened"),
        ("yellow=F3,F3", "green0:6", "the wall of yellow must be opened"),
        ("yellow=4,13", "pass:5", "only if none can"),
        ("yellow=4,13", "blue0:5", "belongs to player 2"),
        ("yellow=4,13", "yellow0:20", "cannot use the die 20"),
        ("dice=46/12456*", "yellow0:1", "cannot use the die 1 now, only 4 6"),
        ("yellow=4,13 blue=H,30 bonus=20", "yellow0:1", "bonus die must be used first"),
        # From the course's games: forty steps from 63 bounce back to 49, and the way there is nearly all the ring.
        ("yellow=40,63 blue=H,55 red=65,17 green=1,1 turn=green dice=*/4 bonus=20", "yellow1:20", "a wall of another"),
    ],
)
def test_illegal_moves_are_explained(position: str, move: str, reason: str) -> None:
    assert move not in at(position).moves
    with pytest.raises(IllegalMoveError, match=reason) as caught:
        at(position).play(move)
    assert move in str(caught.value)


def test_every_illegal_move_has_its_reason() -> None:
    pieces = [f"{colour}{i}" for colour in COLOURS for i in (0, 1)]
    for seed in range(dose(6, 1)):
        for position in random_playout(GAME.start(), seed).path[: -1 : dose(3, 25)]:
            for text in [f"{piece}:{die}" for piece in [*pieces, "pass"] for die in COURSE_DIE]:
                if text not in position.moves:
                    with pytest.raises(IllegalMoveError, match="illegal"):
                        position.play(text)


def test_what_does_not_stop_a_piece() -> None:
    assert "yellow0:5" in at("yellow=4,13 blue=15,15").moves  # a wall behind the destination
    assert "yellow1:1" in at("yellow=4,13 blue=6,6").moves  # one behind the piece
    assert "yellow0:4" in at("yellow=68,13 blue=1,1").moves  # one beyond the last ring square
    assert "yellow0:10" in at("yellow=66,20 red=34,34 bonus=10").moves  # a bounce that ends where it began
    assert "blue0:1" in at("blue=4,4 turn=blue yellow=5,13").moves  # its own wall


def test_a_six_opens_a_wall_if_one_piece_of_it_can_move() -> None:
    moves = at("yellow=20,20 green=55,64 dice=6/12456*").moves
    assert moves == ("yellow0:6", "yellow1:6")
    blocked = at("yellow=20,20 red=22,22 dice=6/12456*").moves
    assert blocked == ("pass:6",)


def test_the_31st_bounce_of_a_colour_loses() -> None:
    before = at("yellow=F6,20 bounces=yellow:30,blue:12")
    assert not before.is_over
    after = before.play("yellow0:2")
    assert "bounces=yellow:31,blue:12" in str(after)
    assert after.is_over
    assert after.winner == 2
    assert after.moves == ()
    blue = at("blue=F6,20 bounces=blue:30 turn=blue").play("blue0:2")
    assert blue.winner == 1


def test_four_pieces_in_the_goal_win_and_win_no_bonus() -> None:
    after = at("yellow=G,G green=G,51").play("green1:4")
    assert after.is_over
    assert after.winner == 1
    assert "bonus" not in str(after)
    assert at("blue=G,G red=G,34 turn=red").play("red1:4").winner == 2


# ------------------------------------------------------------------------------------------ keys, hints


def test_the_key_forgets_the_last_capture_and_nothing_else() -> None:
    base = "yellow=6,8 blue=H,30 red=H,47 green=H,64 dice=1/2 bonus=20 captured={}"
    keys = {at(base.format(colour)).key for colour in COLOURS if colour != "yellow"}
    assert len(keys) == 1
    others = ["turn=blue", "bounces=red:1", "six", "turn=green"]
    assert len({at(base.format(f"blue {other}")).key for other in others} | keys) == 5
    assert at(base.format("red")) != at(base.format("blue")), "positions are compared in full"


def test_states_that_differ_in_any_bit_have_other_keys() -> None:
    state = random_playout(GAME.start(), 4, plies=40).state
    other_pieces = [Parcheckers(state.pieces ^ np.uint64(1 << i), state.rest) for i in range(56)]
    captured = range(CAPTURED_AT, CAPTURED_AT + 3)
    other_rests = [Parcheckers(state.pieces, state.rest ^ np.uint64(1 << i)) for i in range(44) if i not in captured]
    keys = {int(key(s)) for s in [state, *other_pieces, *other_rests]}
    assert len(keys) == 1 + 56 + 44 - 3
    assert key(Parcheckers(state.pieces, state.rest | CAPTURED_MASK)) == key(state)


def test_hints_put_captures_first_and_find_the_noise() -> None:
    position = at("yellow=5,9 blue=6,30 green=51,61 red=11,47")
    hints = {GAME.move_text(position.state, m): int(move_hint(position.state, m)) for m in moves_of(position.state)}
    noisy = {GAME.move_text(position.state, m) for m in moves_of(position.state) if is_noisy(position.state, m)}
    assert (
        noisy
        == {move for move in position.moves if "captured" in str(position.play(move))}
        == {"yellow0:*", "yellow1:1"}
    )
    assert hints["yellow0:*"] == hints["yellow1:1"] > hints["green0:4"] > hints["yellow0:6"] > hints["yellow0:1"]
    own = at("yellow=5,13 green=6,64")
    codes = {GAME.move_text(own.state, m): m for m in moves_of(own.state)}
    assert move_hint(own.state, codes["yellow0:*"]) < 0, "the partner's pieces are captured last"


# ------------------------------------------------------------------------------------------ texts


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("yellow=4", "two pieces"),
        ("yellow=4,69", "'69'"),
        ("yellow=4,F8", "'f8'"),
        ("yellow=4,04", "'04'"),
        ("yellow=4,13 yellow=5,5", "twice"),
        ("purple=4,13", "purple"),
        ("turn=purple", "purple"),
        ("dice=12456*", "player 1 / those"),
        ("dice=11/2", "'11'"),
        ("dice=/2", "player 1 has ''"),
        ("bonus=30", "10 and 20"),
        ("six=1", "write only six"),
        ("turn=blue six", "only while a bonus"),
        ("bounces=red:32", "'32'"),
        ("bounces=red:1,red:2", "twice"),
        ("captured=red", "bonus=20"),
        ("bonus=20 captured=red", "no red piece is at home"),
        ("yellow=5,6 blue=5,30", "not a safe square"),
        ("yellow=4,4 blue=4,30", "3 pieces stand on 4"),
        ("yellow=G,G green=G,G blue=G,G red=G,G", "both players"),
        ("yellow=G,G green=G,G bonus=10", "over"),
        ("yellow=٤,13", "places are"),
    ],
)
def test_bad_positions_are_refused_in_words(text: str, reason: str) -> None:
    with pytest.raises(PositionError, match=reason):
        GAME.position(text)


def test_the_start_option() -> None:
    assert str(find_game("parcheckers", start="yellow=4,13 blue=21,30 red=38,47 green=55,64")) == "parcheckers"
    game = find_game("parcheckers", start="yellow=H,F3  turn=RED")
    assert str(game) == 'parcheckers(start="yellow=H,F3 blue=21,30 red=38,47 green=55,64 turn=red")'
    assert game.start().to_move == 2
    for bad in ("yellow", "yellow=G,G green=G,G", "yellow=1,1,1", "4,13"):
        with pytest.raises(GameError, match="start"):
            find_game("parcheckers", start=bad)
    with pytest.raises(GameError, match="start=5"):
        find_game("parcheckers(start=5)")


# ------------------------------------------------------------------------------------------ pictures


def test_every_legal_move_can_be_clicked_once() -> None:
    for seed in range(dose(10, 1)):
        for position in random_playout(GAME.start(), seed).path[:: dose(3, 20)]:
            root = ElementTree.fromstring(position.svg())
            clickable = [element for element in root.iter() if element.get("data-move")]
            assert sorted(element.get("data-move", "") for element in clickable) == sorted(position.moves)
            for element in clickable:
                assert element.get("data-move") == f"{element.get('data-from')}:{element.get('data-die')}"
                assert element.get("role") == "button"
                assert element.get("aria-label")
            pieces = [element.get("data-piece") for element in root.iter() if element.get("data-piece")]
            assert sorted(pieces) == sorted(f"{colour}{i}" for colour in COLOURS for i in (0, 1))


def test_the_text_board_shows_all_squares_and_pieces() -> None:
    start = GAME.start().board()
    words = "".join(start.splitlines(keepends=True)[:19]).replace("(", " ").replace(")", " ").split()
    for square in range(1, 69):
        assert str(square) in words or square in (4, 13, 21, 30, 38, 47, 55, 64), square
    for piece in ("Y0", "Y1", "B0", "B1", "R0", "R1", "G0", "G1"):
        assert start.count(piece) == 1
    assert max(map(len, start.splitlines())) <= 79
    assert len(start.splitlines()) <= 24
    later = at("yellow=H,G blue=6,6 red=F3,47 bonus=20").board()
    assert "B0B1" in later
    assert "bonus of 20" in later


def test_the_picture_writes_the_last_move_in_the_readers_language():
    after = GAME.start().play("yellow0:1")
    with speaking("es"):
        assert "jugó amarillo0:1" in after.picture().svg()
    assert "played yellow0:1" in after.picture().svg()
