"""Agreement of moves: copies stand out from players of the same strength, and players are asked in their processes."""

import dataclasses
import random
from pathlib import Path

from desk_class import DeskClass
from zermelo.arena.agreement import agreement_chore, agreements
from zermelo.processes.sandbox import SandboxLimits, missing

PLAYER = """\
class Mine:
    def choose(self, position):
        moves = position.moves
        return moves[{which}]
"""


def made_up(seed: int, players: int = 30, positions: int = 40):
    """Players of rising strength: the stronger, the more often they find the best of six moves."""
    chance = random.Random(seed)
    moves, elo = {}, {}
    for i in range(players):
        skill = 0.2 + 0.7 * i / players
        answers = [0 if chance.random() < skill else chance.randrange(6) for _ in range(positions)]
        moves[f"v{i}"], elo[f"v{i}"] = [str(move) for move in answers], 100.0 * i
    return moves, elo


def test_copies_stand_out_and_good_players_do_not() -> None:
    for seed in range(10):
        moves, elo = made_up(seed)
        copied = list(moves["v8"])
        for place in (3, 17):
            copied[place] = "5"  # a copy with another idea in two positions
        moves["v9"], moves["v7"] = copied, list(moves["v8"])
        found = agreements(moves, elo)
        assert {frozenset((pair.one, pair.other)) for pair in found[:3]} == {
            frozenset(pair) for pair in (("v7", "v8"), ("v8", "v9"), ("v7", "v9"))
        }
        assert all(pair.surprise > 4 for pair in found[:3])
        assert all(pair.surprise < 4 for pair in found[3:])
        best = next(pair for pair in found if {pair.one, pair.other} == {"v28", "v29"})
        assert best.equal > 0.5 and best.expected is not None and best.expected > 0.5 and best.surprise < 3


def test_what_cannot_be_known_is_not_claimed() -> None:
    [pair] = agreements({"a": ["1", None, "2"], "b": ["1", "3", "4"]}, {})
    assert (pair.asked, pair.equal, pair.expected, pair.surprise) == (2, 0.5, None, 0.0)
    assert agreements({"a": [None], "b": ["1"]}, {}) == []
    assert agreements({}, {}) == []


def test_every_player_is_asked_once_in_its_own_process(tmp_path: Path) -> None:
    small = DeskClass(tmp_path / "arena", games=2)
    plan, _openings = small.store.plan("ladder")
    sandbox = SandboxLimits() if missing() is None else None
    small.store.set_plan(dataclasses.replace(plan, sandbox=sandbox))
    for student in small.students.values():
        for one in small.records.submissions(student.id):
            small.records.decide(one.id, "withdrawn")
    for name, which in (("=Ana", "0"), ("Zoe", "-(len(moves) % 2)")):
        small.hand_in(name, PLAYER.format(which=which), player="player({file}:Mine)")
    chore = (small.records, small.store, small.arena)
    rounds = 0
    while agreement_chore(*chore):
        rounds += 1
    assert rounds == 3  # each player once, and the result
    _revision, found = small.records.published("agreement")
    [pair] = found["pairs"]
    places = small.records.published("agreement/positions")[1]["places"]
    assert pair["asked"] == found["positions"] == len(places) > 10
    even = sum((9 - len(line)) % 2 == 0 for _start, line in places)  # a board of nine cells, of which some are taken
    assert pair["equal"] == even / len(places)
