"""What the learned table of Parcheckers looks at, kind by kind: against the texts of positions, and the legal moves."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from conftest import dose
from zermelo.evaluation.tables import MOST_ENTRIES, table_entries
from zermelo.games import find_game
from zermelo.games.parcheckers.patterns import (
    BLOCKED,
    FIRST,
    NOTHING_TO_GAIN,
    REACHED,
    SHAPES,
    TOTAL,
    UNREACHED,
    loss_of,
)
from zermelo.games.parcheckers.rules import COLOURS, HOME, TURN_AT, destination, distance_of, victim
from zermelo.position import Position, random_playout
from zermelo.rules import moves_of

GAME = find_game("parcheckers")
LAST = {"yellow": 68, "green": 51, "blue": 17, "red": 34}
NO_TURN = "yellow=10,H green=55,55 blue=14,H red=F3,47"


def seen(state: Any) -> dict[str, list[tuple[int, ...]]]:
    """The entries that describe a state, by kind, as the answers to the questions of its shape."""
    out = np.zeros(MOST_ENTRIES, np.int32)
    found: dict[str, list[tuple[int, ...]]] = {kind: [] for kind in SHAPES}
    for entry in out[: table_entries(state, out)].tolist():
        kind = max((kind for kind in SHAPES if FIRST[kind] <= entry), key=lambda kind: FIRST[kind])
        place = np.unravel_index(entry - FIRST[kind], SHAPES[kind])
        found[kind].append(tuple(int(i) for i in place))
    return found


def some_positions() -> list[Position]:
    return [here for seed in range(dose(15, 1)) for here in random_playout(GAME.start(), seed).path[: -1 : dose(1, 9)]]


def read(position: Position) -> tuple[dict[str, list[int]], list[str], dict[str, int], dict[str, str]]:
    """From the text of a position: the distances by colour, the dice of both players, whose colours, all words."""
    words = dict(word.partition("=")[::2] for word in str(position).split())
    places = {}
    for colour in COLOURS:
        places[colour] = [
            HOME if place == "H" else 0 if place == "G" else 8 - int(place[1]) if place[0] == "F" else -int(place)
            for place in words[colour].split(",")
        ]
        places[colour] = [(LAST[colour] + at) % 68 + 8 if at < 0 else at for at in places[colour]]
    whose = {colour: 0 if (colour in ("yellow", "green")) == (position.to_move == 1) else 1 for colour in COLOURS}
    return places, words["dice"].split("/"), whose, words


def dice_bits(dice: str) -> int:
    return sum(1 << "12456*".index(die) for die in dice)


def test_the_kinds_fill_the_table() -> None:
    assert sorted(FIRST.values()) == list(FIRST.values()) and FIRST["colours"] == 0
    last = list(SHAPES)[-1]
    assert FIRST[last] + np.prod(SHAPES[last]) == TOTAL


def test_where_pieces_stand_and_which_dice_are_left() -> None:
    """Kinds `colours`, `pieces`, `dice` and `both_dice`, from the text."""
    for position in some_positions():
        places, dice, whose, words = read(position)
        found = seen(position.state)
        mine, theirs = (dice_bits(text) for text in (dice if position.to_move == 1 else reversed(dice)))
        assert Counter(found["colours"]) == Counter((whose[colour], *sorted(places[colour])) for colour in COLOURS)
        assert Counter(found["pieces"]) == Counter(
            (whose[colour], place, (mine, theirs)[whose[colour]])
            for colour in COLOURS
            for place in places[colour]
            if place
        )
        second = int(words["turn"] in ("blue", "green"))
        home = [sum(place == HOME for c in COLOURS if whose[c] == player for place in places[c]) for player in (0, 1)]
        assert found["dice"] == [(0, second, mine, home[0]), (1, second, theirs, home[1])]
        assert found["both_dice"] == [(second, mine, theirs)]


def test_how_far_everybody_is() -> None:
    """Kinds `stages`, `bounces`, `lead` and `lead_then`, from the text."""
    for position in some_positions():
        places, _, whose, words = read(position)
        found = seen(position.state)
        sides = [[place for c in COLOURS if whose[c] == player for place in places[c]] for player in (0, 1)]
        left = [sum(min(place, 74) for place in side) for side in sides]
        counted = [side.count(what) for side in sides for what in (0, HOME)]
        assert found["stages"] == [(int(words["turn"] in ("blue", "green")), *counted)]
        assert found["lead"] == [(200 + max(-200, min(200, left[1] - left[0])),)]
        ((phase, lead),) = found["lead_then"]
        assert phase == min(7, sum(left) * 8 // (8 * 74)) and abs((lead - 20) * 10 - (left[1] - left[0])) <= 10
        bounced = [word.split(":") for word in words.get("bounces", "").split(",") if word]
        assert Counter(found["bounces"]) == Counter(
            (whose[colour], int(colour in ("green", "blue")), int(number)) for colour, number in bounced
        )


def captures_of(state: Any) -> Counter[tuple[int, int]]:
    """The steps and the loss of each legal move that captures an enemy, apart from bounces."""
    found: Counter[tuple[int, int]] = Counter()
    for move in moves_of(state):
        die, place = move >> 4, move & 15
        if place < 8 and distance_of(state.pieces, place) < HOME:
            here, there = distance_of(state.pieces, place), destination(state.pieces, place, die)
            captured = victim(state.pieces, place, there)
            if captured >= 0 and captured >> 2 != place >> 2 and there < here:
                found[here - there, loss_of(distance_of(state.pieces, captured))] += 1
    return found


def test_who_reaches_whom_is_what_can_be_captured() -> None:
    """Kinds `pairs` and `captures`: exactly the legal captures, and for the opponent those it would have in turn."""
    seen_captures = 0
    for position in some_positions():
        state, found = position.state, seen(position.state)
        reached = [pair for pair in found["pairs"] if pair[2] == REACHED]
        assert Counter(pair[3:] for pair in reached if pair[0] == 0) == captures_of(state)
        ((mine, theirs, _, bonus),) = found["captures"]
        assert mine == max((loss for _, loss in captures_of(state)), default=NOTHING_TO_GAIN)
        if bonus == 0:
            other = captures_of(state._replace(rest=state.rest ^ np.uint64(2 << TURN_AT)))
            assert Counter(pair[3:] for pair in reached if pair[0] == 1) == other
            assert theirs == max((loss for _, loss in other), default=NOTHING_TO_GAIN)
        seen_captures += len(reached)
        attacked = sum(times for _, _, times, _, _ in found["threatened"])
        assert attacked == len(reached) or max(times for _, _, times, _, _ in found["threatened"]) == 2
    assert seen_captures > dose(100, 1)


@pytest.mark.parametrize(
    ("text", "kind", "entries"),
    [  # yellow on 10 reaches blue on 14 with the 2; green's wall cannot be captured, and red on 47 is safe
        (
            NO_TURN,
            "pairs",
            [(0, 1, REACHED, 4, 7), (0, 0, UNREACHED, 37, 1)]
            + 2 * [(0, 1, UNREACHED, 27, 7), (1, 0, UNREACHED, 8, 0)]
            + [(1, 1, UNREACHED, 31, 0)],
        ),
        (NO_TURN, "threatened", [(1, 0, 1, 1, 7), (0, 0, 0, 0, 0)]),
        (NO_TURN, "captures", [(7, NOTHING_TO_GAIN, 0, 0)]),
        (NO_TURN, "walls", [(0, 72, 1, 1)]),  # red waits eight squares behind it
        (NO_TURN + " dice=1245*/12456*", "walls", [(0, 72, 0, 1)]),  # no six is left to open it with
        (NO_TURN + " dice=1456*/12456*", "captures", [(NOTHING_TO_GAIN, NOTHING_TO_GAIN, 0, 0)]),
        (NO_TURN.replace("55,55", "11,11"), "captures", [(NOTHING_TO_GAIN, NOTHING_TO_GAIN, 0, 0)]),
        (
            NO_TURN.replace("55,55", "12,H") + " turn=green",
            "threatened",
            [(1, 1, 2, 2, 7), (0, 1, 0, 0, 0), (0, 1, 0, 0, 3)],
        ),
    ],
)
def test_captures_threats_and_walls_of_a_position(text: str, kind: str, entries: list[tuple[int, ...]]) -> None:
    assert Counter(seen(GAME.position(text).state)[kind]) == Counter(entries)


def test_a_wall_on_the_path_stops_a_capture() -> None:
    """Green's wall on 11 stands between yellow on 10 and blue on 14."""
    pairs = seen(GAME.position(NO_TURN.replace("55,55", "11,11")).state)["pairs"]
    assert (0, 1, BLOCKED, 4, 7) in pairs and not any(pair[2] == REACHED for pair in pairs)


def test_a_six_must_open_a_wall() -> None:
    """Yellow on 2 could reach blue on 14 with the 6 (12 steps), but green has a wall, which the 6 must open."""
    text = "yellow=2,H green={} blue=14,H red=F3,47"
    for green, reach in (("55,56", REACHED), ("55,55", UNREACHED)):
        assert (0, 1, reach, 12, 7) in seen(GAME.position(text.format(green)).state)["pairs"]


@pytest.mark.parametrize(
    ("text", "entry"),
    [  # my pieces that one die brings home, theirs, second turn, bonus, six
        ("yellow=F6,F4 green=G,55 blue=F7,30 red=38,47", (2, 1, 0, 0, 0)),
        ("yellow=F6,F4 green=G,55 blue=F7,30 red=38,47 turn=green dice=1/256", (1, 0, 1, 0, 0)),
        ("yellow=60,F4 green=G,55 blue=H,30 red=38,47 bonus=20 six", (0, 0, 0, 2, 1)),
    ],
)
def test_pieces_that_a_die_brings_home(text: str, entry: tuple[int, ...]) -> None:
    assert seen(GAME.position(text).state)["finishes"] == [entry]
