"""A small search in plain Python, which answers for a player whose code is still being compiled.

It uses the player's own heuristic and looks ahead as far as a second allows, but never farther than the player would.
"""

import random
import time
from collections.abc import Callable
from typing import Any

from zermelo.games import find_heuristic
from zermelo.players.engine import EnginePlayer
from zermelo.players.fallible import FalliblePlayer, Looks
from zermelo.players.levels import LevelPlayer
from zermelo.players.mcts import MctsPlayer
from zermelo.players.player import Choice, Player
from zermelo.players.textbook import SearchPlayer
from zermelo.position import Position
from zermelo.rules import MOST_PLIES, is_over, moves_of, outcome, play, to_move
from zermelo.scores import RECORDED_WIN, Score

SECONDS = 0.8
"""How long a stand-in thinks at most."""

MOST_DEPTH = 6
Judge = Callable[[Any], float]


class OutOfTime(Exception):
    """The search must stop here."""


def has_stand_in(player: Player) -> bool:
    """Can a small search answer for this player?"""
    return isinstance(player, (LevelPlayer, EnginePlayer, MctsPlayer, SearchPlayer, FalliblePlayer))


def stand_in(player: Player, position: Position, seconds: float = SECONDS) -> Choice:
    """What a small search in plain Python plays for this player. Nothing is compiled for it."""
    began = time.perf_counter()
    if isinstance(player, LevelPlayer):
        player = player.player_for(position.game)
    if isinstance(player, FalliblePlayer):
        chance = player.chance(position)
        player = player.at_a_move(chance)
        return player.looked(PlainLooks(player, position, chance, began + seconds), began)
    judge = _judge(player.heuristics.get("heuristic"), position)
    glance = _judge(position.game.first_glance, position) if position.game.first_glance else None
    search = PlainSearch(judge, began + seconds, glance)
    depth = min(MOST_DEPTH, player.budget.depth or MOST_DEPTH)
    values, reached = search.moves(position.state, depth)
    move = max(values, key=lambda one: (values[one], random.random()))
    text = position.game.move_text(position.state, move)
    score = Score.of_number(values[move], position.to_move)
    return Choice(text, time.perf_counter() - began, score, (text,), reached, search.nodes)


def _judge(heuristic: Any, position: Position) -> Judge:
    """The heuristic as plain Python; the game's usual one if the player names none."""
    found = find_heuristic(heuristic if heuristic is not None else position.game.default_heuristic, position.game)
    found.check(position.state)
    return found.as_python


class PlainSearch:
    """Alpha-beta in plain Python, depth after depth until the time is over."""

    def __init__(self, judge: Judge, until: float, glance: Judge | None = None):
        """judge: the heuristic; glance: a quicker one that sorts the moves at the root; until: when to stop."""
        self.judge, self.until, self.glance, self.nodes = judge, until, glance, 0

    def moves(self, state: Any, depth: int) -> tuple[dict[int, float], int]:
        """What the moves are worth, in points, to the player to move, and the depth that was searched completely."""
        codes = moves_of(state)
        random.shuffle(codes)
        values, reached = {code: self.look(state, code) for code in codes}, 0
        for plies in range(1, depth + 1):
            found: dict[int, float] = {}
            try:
                for code in sorted(values, key=lambda one: -values[one]):
                    found[code] = self.after(state, code, plies - 1, 1)
            except OutOfTime:
                values = found if plies == 1 and found else values
                break
            values, reached = found, plies
            if max(values.values()) > RECORDED_WIN - MOST_PLIES or len(values) == 1:
                break
        return values, reached

    def look(self, state: Any, code: int) -> float:
        """How a move looks at first glance, which says in what order moves are searched."""
        following = play(state, code)
        if self.glance is None or is_over(following):
            return 0.0
        value = float(self.glance(following))
        return value if to_move(following) == to_move(state) else -value

    def after(self, state: Any, code: int, depth: int, ply: int, alpha: float = -2e9, beta: float = 2e9) -> float:
        """What a move is worth to the player who makes it."""
        following = play(state, code)
        if to_move(following) == to_move(state):
            return self.value(following, depth, ply, alpha, beta)
        return -self.value(following, depth, ply, -beta, -alpha)

    def value(self, state: Any, depth: int, ply: int, alpha: float, beta: float) -> float:
        """What a state is worth to the player to move. OutOfTime if there is none left."""
        self.nodes += 1
        if time.perf_counter() > self.until:
            raise OutOfTime
        if is_over(state):
            return int(outcome(state)) * (RECORDED_WIN - ply)
        if depth == 0:
            return float(self.judge(state))
        best = -2e9
        for code in moves_of(state):
            best = max(best, self.after(state, code, depth - 1, ply + 1, max(alpha, best), beta))
            if best >= beta:
                break
        return best


class PlainLooks(Looks):
    """What a fallible player sees, with plain Python in the place of compiled code."""

    def __init__(self, player: FalliblePlayer, position: Position, chance: random.Random, until: float):
        self.player, self.position, self.chance, self.nodes = player, position, chance, 0
        self.heuristic = _judge(player.heuristic, position)
        self.glance = _judge(player.glance_of(position.game), position)
        self.after = {move: position.play_code(move) for move in position.codes}
        self.search = PlainSearch(self.heuristic, until)

    def searched(self, move: int) -> float:
        state, after = self.position.state, self.after[move]
        try:
            return self.search.after(state, move, int(self.player.depth) - 1, 1)
        except OutOfTime:
            return self._value_of(after, self.heuristic)
