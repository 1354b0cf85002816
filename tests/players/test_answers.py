"""What every player can be asked: its budget, a copy with a smaller budget or with a seed, and its heuristics."""

import dataclasses
import re
import sys
from pathlib import Path

import pytest

import zermelo as z
from zermelo.players import KINDS, SIMULATIONS, Choice, EnginePlayer, MctsPlayer, Player, find_player
from zermelo.searches.budget import NO_LIMIT, Budget

COMMAND = f'"{sys.executable} -c pass"'
TEXTS = {
    "alphabeta(depth=6)": Budget(depth=6),
    "alphabeta": Budget(depth=4),
    "fallible(depth=2, nodes=100)": Budget(depth=2, nodes=100),
    "minimax(nodes=100, seconds=2)": Budget(nodes=100, seconds=2),
    "engine(nodes=100)": Budget(nodes=100, memory=16),
    "engine": Budget(seconds=1.0, memory=16),
    "mcts(seconds=2, memory=8)": Budget(seconds=2, memory=8),
    "search(function=mine.py:my_alphabeta, depth=3)": Budget(depth=3),
    "player(code=mine.py:Mine(option=3), seconds=2)": Budget(seconds=2),
    "level(level=3)": NO_LIMIT,
    "random": NO_LIMIT,
    "human": NO_LIMIT,
    f"process(command={COMMAND}, depth=3)": Budget(depth=3),
    f"gtp(command={COMMAND}, seconds=3)": Budget(seconds=3),
    f"nboard(command={COMMAND}, depth=3, seconds=3)": Budget(depth=3, seconds=3),
    "wasm(file=player.wasm, nodes=100, memory=8)": Budget(nodes=100, memory=8),
}


@pytest.mark.parametrize("text", TEXTS)
def test_every_kind_of_player_says_what_it_may_use(text):
    assert find_player(text).budget == TEXTS[text]


def test_no_kind_is_forgotten():
    assert {text.partition("(")[0] for text in TEXTS} == set(KINDS)


@pytest.mark.parametrize("text", TEXTS)
def test_a_limited_player_uses_no_more_than_its_limit(text):
    player = find_player(text)
    most = Budget(2, 50, 0.5, 4)
    limited = player.limited(most)
    assert type(limited) is type(player)
    for name, limit in most:
        if name in player.options():
            assert dict(limited.budget)[name] <= limit
    assert limited.limited(most) == limited
    assert player.limited(NO_LIMIT) == player


def test_a_smaller_budget_of_its_own_is_kept():
    assert find_player("alphabeta(depth=3, nodes=10)").limited(Budget(5, 100)).budget == Budget(3, 10)
    assert EnginePlayer().limited(Budget(seconds=30)) == EnginePlayer(), "a second, as before"


def test_a_clock_does_not_give_mcts_more_simulations():
    assert MctsPlayer().limited(Budget(seconds=30)) == MctsPlayer(simulations=SIMULATIONS, seconds=30)
    assert MctsPlayer(seconds=1).limited(Budget(seconds=30)) == MctsPlayer(seconds=1)


def test_other_limits_may_be_larger():
    assert find_player("alphabeta(depth=3)").with_budget(Budget(depth=5)).budget == Budget(depth=5)
    assert find_player("random").with_budget(Budget(depth=5)) == find_player("random")


def test_only_players_of_chance_without_a_seed_take_one():
    assert str(find_player("random").seeded(7)) == "random(seed=7)"
    assert str(find_player("mcts").seeded(7)) == "mcts(seed=7)"
    assert str(find_player("random(seed=1)").seeded(7)) == "random(seed=1)"
    assert find_player("engine").seeded(7) == find_player("engine")


def test_the_heuristics_that_were_chosen():
    assert find_player("alphabeta").heuristics == {}
    player = find_player("alphabeta(heuristic=centre, order=lines2)")
    assert player.heuristics == {"heuristic": "centre", "order": "lines2"}
    assert str(player.with_heuristics({"order": "centre"})) == "alphabeta(heuristic=centre, order=centre)"
    assert find_player("mcts(heuristic=centre)").heuristics == {"heuristic": "centre"}
    assert find_player("engine(heuristic=centre)").heuristics == {"heuristic": "centre"}
    assert find_player("random").heuristics == {}


def test_a_player_of_ones_own_need_not_answer_anything():
    @dataclasses.dataclass(frozen=True)
    class First(Player):
        kind = "first"

        def think(self, position):
            return Choice(position.moves[0], 0.0)

    player = First()
    assert player.budget == NO_LIMIT
    assert player.limited(Budget(seconds=1)).seeded(3).with_heuristics({"heuristic": "centre"}) == player
    assert player.heuristics == {}


def test_nobody_asks_a_player_for_what_it_may_not_have():
    """Players answer questions instead; only the checks of their own options look at these by name."""
    package = Path(z.__file__).parent
    asking = [
        f"{file.relative_to(package)}: {found}"
        for file in package.rglob("*.py")
        for found in re.findall(r"(?:getattr|hasattr)\(player, [^)]*\)", file.read_text(encoding="utf-8"))
    ]
    assert {one for one in asking if not one.endswith("py: getattr(player, name)")} == set()
    assert {one.partition(":")[0] for one in asking} == {"players/common.py"}
