"""Parcheckers: the heuristics against a slow program that reads the texts of positions, and the named players."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from conftest import dose
from zermelo.calls import parse_call
from zermelo.core import JIT
from zermelo.games import find_game, find_heuristic
from zermelo.games.parcheckers import heuristics
from zermelo.games.parcheckers.players import ABOUT, PLAYERS
from zermelo.games.parcheckers.rules import (
    CAPTURED_AT,
    COLOURS,
    SAFE_SQUARES,
    TURN_AT,
    Parcheckers,
    distance_of,
    field,
    pack_pieces,
)
from zermelo.players import find_player
from zermelo.position import Position, random_playout
from zermelo.studies.games import openings, play_pairs

GAME = find_game("parcheckers")


def slow_value(position: Position, safe: int, goal: int, square: int, capture: int, home: int) -> int:
    """The report's formula, from the text of a position: mine minus the opponent's, with the terms of h1 and h2."""
    words = dict(word.partition("=")[::2] for word in str(position).split())
    owner = {"yellow": 1, "green": 1, "blue": 2, "red": 2}
    last = {"yellow": 68, "blue": 17, "red": 34, "green": 51}
    total = 0
    for colour in COLOURS:
        for place in words[colour].split(","):
            value = 0
            if place == "H":
                value = -74 * square - home
            elif place == "G":
                value = goal
            elif place.startswith("F"):
                value = -(8 - int(place[1])) * square
            else:
                value = -((last[colour] - int(place)) % 68 + 8) * square + (safe if int(place) in SAFE_SQUARES else 0)
            total += value if owner[colour] == position.to_move else -value
    if "captured" in words and owner[words["captured"]] != position.to_move:
        total += capture
    return total


@pytest.mark.parametrize(
    ("name", "terms"),
    [
        ("test", {"safe": 1, "goal": 5, "square": 0, "capture": 0, "home": 0}),
        ("h2", {"safe": 10, "goal": 15, "square": 1, "capture": 60 + 40, "home": 40 + 30}),
        ("h1", {"safe": 10, "goal": 20, "square": 2, "capture": 30 + 20, "home": 20 + 15}),
        ("order", {"safe": 0, "goal": 0, "square": 1, "capture": 0, "home": 40 + 30}),
    ],
)
def test_the_reports_heuristics(name: str, terms: dict[str, int]) -> None:
    heuristic = GAME.heuristics[name]
    captures = 0
    for seed in range(dose(15, 1)):
        for position in random_playout(GAME.start(), seed).path:
            assert heuristic(position) == slow_value(position, **terms)
            captures += "captured" in str(position)
    assert captures


def half_turn(state: Any) -> Any:
    """The board turned by 180 degrees, and the turn with it: yellow becomes red, green blue, player 1 player 2."""
    distances = [distance_of(state.pieces, place) for place in (6, 7, 4, 5, 2, 3, 0, 1)]
    rest = int(state.rest)
    low, high = rest & 0b111111, rest >> 6 & 0b111111
    turn = (rest >> TURN_AT & 3) ^ 2
    bounces = [int(field(state.rest, 20 + 6 * colour, 6)) for colour in (3, 2, 1, 0)]
    captured = rest >> CAPTURED_AT & 7
    captured = captured and 5 - captured
    turned = high | low << 6 | rest & 0b111 << 12 | turn << TURN_AT | captured << CAPTURED_AT
    turned |= sum(number << 20 + 6 * colour for colour, number in enumerate(bounces))
    return Parcheckers(pack_pieces(distances), np.uint64(turned))


def test_heuristics_judge_both_players_alike() -> None:
    for seed in range(dose(10, 1)):
        for position in random_playout(GAME.start(), seed).path[:: dose(1, 10)]:
            turned = half_turn(position.state)
            assert half_turn(turned) == position.state
            for heuristic in GAME.heuristics.values():
                assert heuristic(turned) == heuristic(position.state), (heuristic.name, str(position))


def test_heuristics_change_sign_with_the_player_to_move() -> None:
    """Only heuristics that do not depend on who moves: threats, finishes and turns count more for that player."""
    for seed in range(dose(10, 1)):
        for position in random_playout(GAME.start(), seed).path[:: dose(1, 10)]:
            if "bonus" in str(position):
                continue
            other = position.state._replace(rest=position.state.rest ^ np.uint64(2 << TURN_AT))
            for name in ("test", "h1", "h2", "order", "race", "walls"):
                heuristic = GAME.heuristics[name]
                assert heuristic(other) == -heuristic(position.state), (name, str(position))


def test_threats_and_finishes_are_what_can_be_played() -> None:
    """Counted from the texts of the legal moves, where no wall stands in the way."""
    finishes = GAME.heuristics["combined"].with_weights(**{name: int(name == "finish") for name in heuristics.COMBINED})
    threats = GAME.heuristics["threats"].with_weights(square=0, home=0, goal=0, threat=1, gain=0, danger=0, close=0)
    seen = 0
    for seed in range(dose(20, 1)):
        for position in random_playout(GAME.start(), seed).path[:-1]:
            words = dict(word.partition("=")[::2] for word in str(position).split())
            if any(a == b for a, b in (words[colour].split(",") for colour in COLOURS)):
                continue  # walls stop pieces and force sixes
            goals, victims = set(), set()
            for move in position.moves:
                after = dict(word.partition("=")[::2] for word in str(position.play(move)).split())
                bounced = after.get("bounces") != words.get("bounces")
                for colour in COLOURS:
                    enemy = (colour in ("yellow", "green")) == (position.to_move == 2)
                    for i, (old, new) in enumerate(
                        zip(words[colour].split(","), after[colour].split(","), strict=True)
                    ):
                        if new == "G" != old:
                            goals.add((colour, i))
                        if new == "H" != old and enemy and not bounced:  # captures by a bounce are not looked for
                            victims.add((colour, i))
            assert finishes(position) == len(goals)
            assert threats(position) == len(victims)
            seen += len(victims)
    assert seen


def test_heuristics_are_found_with_weights() -> None:
    tuned = find_heuristic("h2(capture=80)", GAME)
    assert str(tuned) == "h2(capture=80)"
    capture = GAME.position("yellow=6,8 blue=H,30 bonus=20 captured=blue")
    assert tuned(capture) - GAME.heuristics["h2"](capture) == 20
    assert parse_call(str(tuned)).options == {"capture": 80}


# ------------------------------------------------------------------------------------------ players


@pytest.mark.parametrize("name", PLAYERS)
def test_named_players_can_be_read(name: str) -> None:
    call = parse_call(PLAYERS[name])
    assert str(call) == PLAYERS[name]
    assert call.name == "alphabeta"
    assert set(call.options) <= {"depth", "heuristic", "tolerance", "order", "order_plies", "nodes"}
    for option in ("heuristic", "order"):
        if option in call.options:
            find_heuristic(str(call.options[option]), GAME)
    assert ABOUT[name]


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="whole games are too long without the compiler")
@pytest.mark.parametrize(
    ("stronger", "weaker", "pairs", "least"),
    [("ninja2", "ninja1", 50, 0.7), ("ninja3", "ninja2", 20, 0.7)]
    + [("ninja3", name, 20, 0.5) for name in PLAYERS if name.startswith("report")],
)
def test_who_is_stronger(
    stronger: str, weaker: str, pairs: int, least: float, record_property: Callable[[str, object], None]
) -> None:
    """Random openings, played with both sides; docs/games/parcheckers.md has longer matches."""
    one, other = (find_player(PLAYERS[name], GAME) for name in (stronger, weaker))
    scores, _ = play_pairs(one, other, openings(GAME, pairs, plies=12, seed=3))
    wanted, got = f"more than {least:.0%}", f"{sum(scores):g} of {len(scores)} games"
    record_property("figure", [6, f"{stronger} against {weaker}, over random openings", wanted, got])
    assert sum(scores) > least * len(scores)
