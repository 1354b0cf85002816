"""The player that searches with MCTS: written as text, playing, and keeping its tree while a game lasts."""

import gc

import pytest

import zermelo as z
from conftest import dose
from zermelo.core import JIT, heuristic
from zermelo.errors import HeuristicError, PlayerError
from zermelo.games.connect4.rules import Connect4
from zermelo.players import SIMULATIONS, MctsPlayer, find_player
from zermelo.players.mcts import _kept_trees
from zermelo.searches.kept import MOST

START = z.game("connect4").start()
FEW = dose(500, 20)


@pytest.mark.parametrize(
    "text",
    [
        "mcts",
        "mcts(heuristic=centre, simulations=500)",
        "mcts(seconds=0.5, rollouts=3, rollout_plies=20, decisive=yes, exploration=0.7)",
        "mcts(heuristic=lines2(two=5), rollouts=0, scale=100.5, rave=300, memory=64, reuse=no, seed=3)",
        "mcts(heuristic=centre, mix=0.25)",
    ],
)
def test_it_prints_itself_as_it_is_written(text):
    assert str(find_player(text)) == text
    assert find_player(str(find_player(text))) == find_player(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mcts(simulations=0)", "simulations=0 is not a whole number of at least 1"),
        ("mcts(simulations=0.5)", "simulations=0.5 is not a whole number of at least 1"),
        ("mcts(mix=2)", "mix=2 is not a number from 0 to 1"),
        ("mcts(exploration=-1)", "exploration=-1 is not a number of at least 0"),
        ("mcts(decisive=3)", "decisive=3 is not yes or no"),
        ("mcts(reuse=perhaps)", "reuse=perhaps is not yes or no"),
        ("mcts(memory=0)", "memory=0 is not a whole number from 1 to 65,536"),
        ("mcts(depth=3)", "mcts has no option 'depth'"),
    ],
)
def test_what_is_wrong_is_said(text, message):
    with pytest.raises(PlayerError) as caught:
        find_player(text)
    assert message in str(caught.value)


def test_what_it_says_of_its_move():
    choice = z.mcts(simulations=FEW, seed=1).think(START)
    assert choice.nodes == FEW
    assert choice.line[0] == choice.move
    assert choice.score is not None and abs(choice.score) <= 1000
    won = z.mcts(simulations=FEW, seed=1).think(z.game("connect4").position("112233"))
    assert (won.move, z.score_text(won.score or 0)) == ("4", "win in 1")


@pytest.mark.skipif(not JIT, reason="too many for plain Python")
def test_ten_thousand_simulations_unless_told_otherwise():
    assert z.mcts(seed=1).think(START).nodes == SIMULATIONS == 10_000


def test_with_seconds_there_are_as_many_as_there_is_time_for():
    assert (z.mcts(seconds=0.05, seed=1).think(START).nodes or 0) > 0


def test_without_rollouts_the_heuristic_is_the_games_own():
    named = z.mcts(START.game.default_heuristic, rollouts=0, simulations=FEW, seed=1).think(START)
    assert z.mcts(rollouts=0, simulations=FEW, seed=1).think(START).line == named.line
    with pytest.raises(HeuristicError, match="has no heuristic 'corners'"):
        z.mcts("corners").choose(START)


def test_it_does_not_lose_tictactoe():
    start = z.game("tictactoe").start()
    for seed in range(dose(10, 1)):
        player = z.mcts(simulations=dose(20_000, 300), seed=seed)
        assert z.play(player, z.random(seed=seed), start).winner != 2
        assert z.play(z.random(seed=seed), player, start).winner != 1


def test_the_tree_is_kept_from_move_to_move():
    player = z.mcts(simulations=FEW, seed=1)
    before = len(_kept_trees)
    start = z.game("connect4").start()
    choice = player.think(start)
    assert len(_kept_trees) == before + 1
    later = start.play(choice.line[0]).play(choice.line[1])
    tree = _kept_trees.take(player, later)
    assert tree is not None and tree.state == later.state
    assert 0 < tree.found().visits < FEW
    assert len(_kept_trees) == before, "it was taken away"
    assert _kept_trees.take(player, later) is None
    assert _kept_trees.take(player, start) is None, "nothing is kept for the very same position"


def test_the_other_side_and_other_players_have_trees_of_their_own():
    player, other = z.mcts(simulations=FEW, seed=1), z.mcts(simulations=FEW, seed=2)
    start = z.game("connect4").start()
    player.think(start)
    later = start.play("4")
    assert _kept_trees.take(player, later) is None, "there the other side moves"
    assert _kept_trees.take(other, later.play("4")) is None
    elsewhere = z.game("connect4").start().play("4").play("4")
    assert _kept_trees.take(player, elsewhere) is None, "another game, though the same position"
    assert _kept_trees.take(player, later.play("4")) is not None


def test_what_is_kept_is_forgotten_with_the_game():
    player = z.mcts(simulations=FEW, seed=1)
    gc.collect()
    before = len(_kept_trees)
    z.play(player, player, z.game("tictactoe").start())
    gc.collect()
    assert len(_kept_trees) == before


def test_only_so_many_trees_are_kept():
    starts = [z.game("tictactoe").start() for _ in range(MOST + 5)]
    player = z.mcts(simulations=1, seed=1)
    for start in starts:
        player.think(start)
    assert len(_kept_trees) == MOST


def test_the_same_game_again_gets_the_same_moves():
    for reuse in (True, False):
        player = z.mcts(simulations=dose(300, 10), seed=7, reuse=reuse)
        games = [z.play(player, z.random(seed=3), z.game("connect4").start()) for _ in range(2)]
        assert [move.move for move in games[0].moves] == [move.move for move in games[1].moves]
    assert z.mcts(seed=1).is_deterministic
    assert not z.mcts().is_deterministic
    assert not z.mcts(seed=1, seconds=1.0).is_deterministic


def test_an_error_inside_a_heuristic_is_reported_under_its_name():
    @heuristic(weights={"only": 1})
    def reaches_too_far(state: Connect4, w):
        return w[7 + int(state.mine & state.stones & ~state.stones)]

    with pytest.raises(HeuristicError, match=r"reaches_too_far failed in the position .*: IndexError"):
        MctsPlayer(reaches_too_far, rollouts=0).choose(START)
