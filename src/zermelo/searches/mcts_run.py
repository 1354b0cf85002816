"""Running Monte Carlo tree search: a tree that can grow, report what it knows, and follow the moves of a game."""

import functools
import secrets
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import int64

from zermelo.core import Heuristic, compiled, heuristic, mix
from zermelo.core.clock import run_stoppable
from zermelo.core.searching import searching
from zermelo.rules import POINT, is_over, moves_of, play, to_move
from zermelo.scores import Score
from zermelo.searches.mcts import (
    AMAF,
    AMAF_TYPE,
    LONGEST,
    MCTS_WORK,
    MCTS_WORK_TYPE,
    NODE,
    PAST,
    TREE_TYPE,
    keep_subtree,
    search_tree,
    typical_sizes,
)
from zermelo.searches.rollouts import worth
from zermelo.searches.workspace import WIDEST, heuristic_type

MOST_SIMULATIONS = (1 << 31) - 1 - (1 << 24)  # a node counts its visits in 31 bits
MEMORY = 256
"""The default size of a tree, in megabytes. The operating system provides them only as they are used."""

PLAYOUTS_TO_SCALE = 32
PER_MILLE = 1000
"""An unsolved score is the mean value of the simulations, from -1000 (all lost) to 1000 (all won)."""


def nothing(state: Any) -> int:
    """Stand in for the heuristic in a search that has none."""
    return 0


@functools.cache
def no_heuristic(cls: Any) -> Heuristic:
    made: Heuristic = heuristic(nothing, of=cls)
    return made


@dataclass(frozen=True)
class MoveStatistics:
    """What the tree knows about a move at the root."""

    move: int
    visits: int
    value: float  # the mean of its simulations, -1 to 1, for the player to move at the root; 0 if there were none
    score: Score | None  # exact, if solved: a win may take fewer plies than it says, but never more


@dataclass(frozen=True)
class MctsFound:
    """What a search found, and what it cost."""

    move: int | None  # None if the game is over
    score: Score  # for the player to move: exact if solved, else the mean value, where a win counts as 1000
    solved: bool
    line: tuple[int, ...]  # the moves it expects, its own first
    simulations: int  # made in this run
    visits: int  # simulations from the root of the tree, including those of earlier runs
    nodes: int  # number of nodes in the tree
    full: bool  # was there too little memory to expand every node?
    seconds: float
    moves: tuple[MoveStatistics, ...]  # in the order of the tree


class Mcts:
    """A search tree rooted at a state. `run` makes it grow; `advance` follows moves and keeps what is known there.

    heuristic, rollouts, mix: without a heuristic, the value of a leaf is the mean of `rollouts` random games. With a
        heuristic and no rollouts it is tanh(heuristic / scale). With both it is a weighted mean, in which the
        heuristic has the weight `mix` and the random games have the weight 1 - mix.
    scale: by default, the mean size of the heuristic's values in random games from here.
    rollout_plies: a random game that is not over after so many plies counts as the heuristic says, or as a draw.
    decisive: in random games, a player who can win immediately does so.
    rave: the number of visits up to which RAVE's value of a move (its value when played later in a simulation) counts
        most; 0 turns RAVE off.
    prior: the number of simulations that the game's guess of a move (rules.move_guesses) counts as in RAVE's value.
    trust: how much a move counts for more while it has fewer visits than its guess lets expect, in RAVE with a prior.
    knowledge: after so many visits to a node, the game is asked what it can prove there (rules.known_moves); 0: never.
    width, widening: with a prior, only the moves with the best guesses are considered: `width` of them at first, and
        `widening` more after each visit; a width of 0 considers all moves from the start.
    memory: megabytes; once they are used up, leaves are evaluated but not expanded.
    seed: the same seed gives the same simulations.
    """

    def __init__(
        self,
        state: Any,
        *,
        heuristic: Heuristic | None = None,
        rollouts: int = 1,
        rollout_plies: int | None = None,
        decisive: bool = False,
        mix: float = 0.5,
        scale: float | None = None,
        exploration: float = 1.4,
        rave: float = 0,
        prior: int = 0,
        trust: float = 0,
        knowledge: int = 0,
        width: int = 0,
        widening: float = 0.5,
        seed: int | None = None,
        memory: float = MEMORY,
    ):
        cls: Any = type(state)
        if heuristic is None and rollouts == 0:
            raise ValueError("a search without rollouts needs a heuristic")
        self.state = state
        self.heuristic = heuristic or no_heuristic(cls)
        self._native = self.heuristic.native(cls)
        self._compile(state)
        self.work = work = np.zeros(1, MCTS_WORK).view(np.recarray)[0]
        work.has_heuristic = heuristic is not None
        work.weights = self.heuristic.address
        work.rollouts, work.rollout_plies = rollouts, min(rollout_plies or LONGEST, LONGEST)
        work.decisive = decisive
        work.mix = 0.0 if heuristic is None else 1.0 if rollouts == 0 else mix
        work.exploration, work.rave, work.prior, work.knowledge = exploration, rave, prior, knowledge
        work.width, work.widening, work.trust = width, widening, trust
        work.random = _random_state(seed)
        work.capacity = nodes = capacity(memory, rave > 0)
        self.tree: Any = np.empty(nodes, NODE).view(np.recarray)
        self.amaf: Any = np.empty(nodes if rave > 0 else 1, AMAF).view(np.recarray)
        self._most_used = 0  # nodes, before the tree was last cut back
        self._scale(state, self._native, PLAYOUTS_TO_SCALE, work)
        if scale is not None:
            work.scale = scale * POINT
        self._plant()

    def _compile(self, state: Any) -> None:
        """Compile everything that a run calls, so that compiling does not count against its budget."""
        cls: Any = type(state)
        for move in moves_of(state)[:1]:
            to_move(play(state, move))
        is_over(state)
        function = heuristic_type(cls)
        arrays = (TREE_TYPE, AMAF_TYPE)
        self._search = compiled(search_tree, cls.numba, *arrays, function, MCTS_WORK_TYPE)
        self._scale = compiled(typical_sizes, cls.numba, function, int64, MCTS_WORK_TYPE)
        self._keep = compiled(keep_subtree, *arrays, int64, MCTS_WORK_TYPE)

    def _plant(self) -> None:
        """Start again with a tree that consists of the root alone."""
        self.tree[:1], self.amaf[:1] = np.zeros(1, NODE), np.zeros(1, AMAF)
        self.work.used, self.work.full = 1, 0
        self.grow(0)

    def grow(self, simulations: int) -> None:
        """Make this many simulations. The root is expanded even if there are none."""
        self.work.simulations, self.work.limit = 0, simulations
        self._search(self.state, self.tree, self.amaf, self._native, self.work)

    # -------------------------------------------------------------------------------- searching

    def stop(self) -> None:
        """End the current run after the current simulation."""
        self.work.stop = 1

    def run(
        self, simulations: int | None = None, seconds: float | None = None, past: tuple[int, ...] = ()
    ) -> MctsFound:
        """Simulate until the number of simulations or the time is reached, or the root is solved.

        past: the keys of the positions before the root, which count as draws if they occur again.
        """
        left = MOST_SIMULATIONS - int(self.tree[0].visits)
        limit = left if simulations is None else min(simulations, left)
        self.work.stop = 0
        self.work.past = len(past[-PAST:])
        self.work.keys[: self.work.past] = past[-PAST:]

        def timed() -> float:
            began = time.perf_counter()
            self.grow(limit)
            return time.perf_counter() - began

        with searching(self.state):
            return self.found(run_stoppable(timed, self.stop, seconds))

    def advance(self, *moves: int) -> None:
        """Make the position after these moves the root, and keep everything that the tree knows about it."""
        node: int | None = 0
        for move in moves:
            self.state = play(self.state, move)
            if node is not None:
                node = next((child for child in self._children(node) if self.tree[child].move == move), None)
        self._most_used = max(self._most_used, int(self.work.used))
        if node is not None and self.tree[node].visits > 0:
            self._keep(self.tree, self.amaf, node, self.work)
            self.work.full = 0
            self.grow(0)
        else:
            self._plant()

    # -------------------------------------------------------------------------------- asking

    @property
    def used_bytes(self) -> int:
        """The memory that the tree takes: that of all nodes that it has ever had at the same time."""
        each = self.tree.itemsize + (self.amaf.itemsize if len(self.amaf) > 1 else 0)
        return int(each * max(self._most_used, int(self.work.used)))

    def found(self, seconds: float = 0.0) -> MctsFound:
        """Return what is known now."""
        root, work = self.tree[0], self.work
        sign = _sign(self.state)
        line = self._line()
        player = int(to_move(self.state)) + 1
        if root.solved:
            score = Score.of_units(sign * int(root.score), player)
        else:
            score = Score(sign * round(PER_MILLE * float(root.total) / max(int(root.visits), 1)), player=player)
        return MctsFound(
            move=line[0] if line else None,
            score=score,
            solved=bool(root.solved),
            line=line,
            simulations=int(work.simulations),
            visits=int(root.visits),
            nodes=int(work.used),
            full=bool(work.full),
            seconds=seconds,
            moves=tuple(self._statistics(child, sign) for child in self._children(0)),
        )

    def _children(self, node: int) -> range:
        first = int(self.tree[node].first)
        return range(first, first + int(self.tree[node].children))

    def _statistics(self, child: int, sign: int) -> MoveStatistics:
        node = self.tree[child]
        visits = int(node.visits)
        value = sign * float(node.total) / visits if visits else 0.0
        known = Score.of_units(sign * int(node.score), int(to_move(self.state)) + 1) if node.solved == 1 else None
        return MoveStatistics(int(node.move), visits, value, known)

    def _best_child(self, node: int, sign: int) -> int:
        """Return the child to play: the most visited unsolved one, or the best solved one if it is at least as good.

        A solved loss never counts as good. If the node or all its children are solved, it is the best solved one.
        """
        children = self._children(node)
        solved = [child for child in children if self.tree[child].solved]
        known = max(solved, key=lambda child: sign * int(self.tree[child].score), default=None)
        if known is not None and (self.tree[node].solved or len(solved) == len(children)):
            return known
        tried = max(set(children) - set(solved), key=lambda child: (self.tree[child].visits, -child))
        if known is None:
            return tried
        sure = float(worth(sign * int(self.tree[known].score), self.work.points))
        return known if sure > -1 and sure >= self._statistics(tried, sign).value else tried

    def _line(self) -> tuple[int, ...]:
        state, node, moves = self.state, 0, []
        while self.tree[node].first != 0 and (node == 0 or self.tree[node].visits > 1):
            node = self._best_child(node, _sign(state))
            moves.append(int(self.tree[node].move))
            state = play(state, moves[-1])
        return tuple(moves)


def capacity(memory: float, rave: bool) -> int:
    """Return how many nodes fit into this many megabytes."""
    size = NODE.itemsize + (AMAF.itemsize if rave else 0)
    return max(min(int(memory * 1e6) // size, (1 << 31) - 1), WIDEST + 1)


def run_mcts(state: Any, *, simulations: int | None = None, seconds: float | None = None, **options: Any) -> MctsFound:
    """Search a state with a tree of its own; the options are those of Mcts."""
    return Mcts(state, **options).run(simulations, seconds)


def _random_state(seed: int | None) -> np.uint64:
    """Return the first state of the random generator. It is never 0, because the generator would stay there."""
    number = secrets.randbits(63) if seed is None else seed
    begin = mix(np.uint64((number + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF))
    return np.uint64(begin) if begin else np.uint64(1)


def _sign(state: Any) -> int:
    """Return the factor, 1 or -1, that turns a value for the first player into one for the player to move."""
    return 1 if to_move(state) == 0 else -1
