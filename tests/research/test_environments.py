"""Environments: PettingZoo's own tests, for every game; and what they must do besides."""

import itertools
import warnings

import numpy as np
import pytest

import zermelo as z

pytest.importorskip("pettingzoo")
from pettingzoo.test import api_test, seed_test

from zermelo.research.environments import AGENTS, Environment

REMARKS = (  # what PettingZoo says of its own board games, too, if they are not in its list of exceptions
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "Observation numpy array is all zeros",  # an empty board
)
GAMES = [*z.catalogue(), "reversi(columns=4, rows=4)", "hex(size=4, swap=yes)", "connect4(columns=5, rows=4)"]


@pytest.mark.parametrize("game", GAMES)
def test_it_passes_the_tests_of_pettingzoo(game, capsys):
    with warnings.catch_warnings():
        for remark in REMARKS:
            warnings.filterwarnings("ignore", message=remark)
        api_test(z.environment(game), num_cycles=200)
        seed_test(lambda: z.environment(game, varied=True), num_cycles=20)


def played(game, seed, **options):
    """Random games: who moved, with the position, until the end."""
    environment = z.environment(game, **options)
    environment.reset(seed=seed)
    generator = np.random.default_rng(seed)
    movers = []
    for agent in environment.agent_iter():
        observation, _reward, terminated, truncated, _info = environment.last()
        if terminated or truncated:
            environment.step(None)
            continue
        movers.append(agent)
        environment.step(int(generator.choice(np.flatnonzero(observation["action_mask"]))))
    return environment, movers


def test_the_winner_gets_one_and_the_loser_minus_one():
    environment = z.environment("connect4")
    environment.reset()
    for column in (0, 1, 0, 1, 0, 1, 0):
        environment.step(column)
    assert environment.rewards == {"player_1": 1.0, "player_2": -1.0}
    assert environment.terminations == {"player_1": True, "player_2": True}
    assert environment.unwrapped.position.winner == 1


def test_an_agent_may_move_twice():
    _environment, movers = played("parcheckers", 3)
    assert any(one == other for one, other in itertools.pairwise(movers))
    assert set(movers) == set(AGENTS)


def test_a_forced_pass_is_an_action():
    for seed in range(60):
        environment, movers = played("reversi(columns=4, rows=4)", seed)
        if any(move == "pass" for move in environment.unwrapped.position.line):
            break
    else:
        pytest.fail("nobody passed")
    assert len(movers) == len(environment.unwrapped.position.line)


def test_only_the_agent_on_turn_has_actions():
    environment = Environment("connect4 44")
    environment.reset()
    assert environment.observe("player_1")["action_mask"].sum() == 7
    assert environment.observe("player_2")["action_mask"].sum() == 0
    mine, theirs = (environment.observe(agent)["observation"] for agent in AGENTS)
    assert np.array_equal(mine, theirs[[1, 0]])


def test_an_illegal_action_loses():
    environment = z.environment("connect4 444444")
    environment.reset()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        environment.step(3)
    assert environment.rewards["player_1"] == -1 and all(environment.terminations.values())


def test_a_long_game_is_truncated():
    environment, movers = played("onitama", 1, most_plies=6)
    assert len(movers) == 6 and environment.unwrapped.position.line


def test_seeds_deal_the_cards():
    def dealt(seed):
        environment = z.environment("onitama", varied=True)
        environment.reset(seed=seed)
        return str(environment.unwrapped.position)

    assert dealt(1) == dealt(1) != dealt(2)


def test_it_can_be_shown(capsys):
    environment = z.environment("tictactoe", render_mode="ansi")
    environment.reset()
    assert environment.render().startswith("<tictactoe .../.../... x: X to move>")
    environment = z.environment("tictactoe", render_mode="human")
    environment.reset()
    environment.step(4)
    assert "2 . X ." in capsys.readouterr().out
    with pytest.raises(z.ZermeloError, match="render_mode='film' is not one of ansi, human"):
        z.environment("tictactoe", render_mode="film")
