"""What is compiled for a game: its rules, and what its usual players need."""

import itertools

from zermelo.calls import parse_call
from zermelo.core import class_of, compiled_at_once
from zermelo.core.cache import number_compiled
from zermelo.games import find_game, game_names
from zermelo.players import Player, find_player
from zermelo.players.levels import NAMES
from zermelo.position import Game
from zermelo.rules import RULES
from zermelo.searches.budget import Budget

USUAL = (
    "engine(seconds=2)",
    *(f"level({number})" for number in range(len(NAMES), 0, -1)),
    "alphabeta(depth=4, seconds=2)",
    "mcts(seconds=1)",
)
"""The players that the lab offers for every game, the one with the most code first."""

TRIAL = Budget(seconds=0.05)
"""A player thinks for a moment, too: some things are compiled when they are first needed."""

FEWEST_TRIALS = 2
"""A player thinks until that compiles nothing more, and at least so often: a busy machine may use up one moment."""

RULES_HAVE = 25
USUALLY = {"engine": 75, "mcts": 40}
OTHERS_HAVE = 5
"""How many functions are compiled for the rules, and for the players of some kinds and of the others, roughly."""

ALMOST = 0.95


def usual_games() -> list[Game]:
    """The games of the catalogue. Of those that have the same states and therefore the same code, one is enough."""
    games = {class_of(game.start_state()): game for game in map(find_game, reversed(game_names()))}
    return list(reversed(games.values()))


def compile_rules(game: Game) -> None:
    """Compile those questions of the rules that Python asks."""
    cls = class_of(game.start_state())
    for question in RULES:
        question.entry(cls)


def compile_player(game: Game, text: str) -> None:
    """Compile all that a player needs to play a game."""
    player: Player = find_player(text, game).limited(TRIAL)
    player.prepare(game)
    start = game.start()
    if start.is_over:
        return
    for trial in itertools.count(1):
        before = number_compiled()
        player.think(start)
        if trial >= FEWEST_TRIALS and number_compiled() == before:
            break


def number_expected(player: str | None) -> int:
    """How many functions are usually compiled for a player; without a player, for the rules."""
    if player is None:
        return RULES_HAVE
    return USUALLY.get(parse_call(player).name, OTHERS_HAVE)


def share_of(player: str | None, functions: int) -> float:
    """How much of the work for a player is done after so many functions, from 0 to ALMOST."""
    return min(ALMOST, functions / number_expected(player))


def compile_for(game: Game, player: str | None) -> None:
    """Compile what a player needs; without a player, the rules."""
    with compiled_at_once():
        if player is None:
            compile_rules(game)
        else:
            compile_player(game, player)
