"""Monte Carlo tree search as a player."""

import time
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from zermelo.core import Heuristic, class_of
from zermelo.players.common import require, require_flags, resolved, take_functions
from zermelo.players.player import Choice, HeuristicChoice, Player
from zermelo.position import Game, Position
from zermelo.searches.budget import Budget
from zermelo.searches.kept import KeptTrees
from zermelo.searches.mcts_run import MEMORY, Mcts
from zermelo.searches.reporting import reporting

SIMULATIONS = 10_000
"""The number of simulations for a move, if there is no limit at all."""
_kept_trees = KeptTrees()


@dataclass(frozen=True)
class MctsPlayer(Player):
    """Monte Carlo tree search, with a number of simulations or seconds for each move (by default, 10 000 simulations).

    Without a heuristic, leaves are valued by rollouts; with rollouts=0, by the heuristic alone (by default, the game's
    usual one); with both, by a mixture. With reuse, the tree is kept when the game goes on. With a seed and without a
    limit of seconds, the same game played again gets the same moves.
    """

    heuristic: HeuristicChoice = None
    simulations: int | None = None  #: maximum number of simulations for a move
    seconds: float | None = None  #: maximum time for a move, in seconds
    rollouts: int = 1  #: number of random games from each leaf
    rollout_plies: int | None = None  #: a random game that is longer counts as the heuristic says, or as a draw
    decisive: bool = False  #: in random games, a player who can win at once does so
    mix: float = 0.5  #: weight of the heuristic in a leaf's value, if there are rollouts too
    scale: float | None = None  #: a heuristic's value counts as tanh(value / scale); by default, its mean size
    exploration: float = 1.4  #: how often moves that seem worse are tried
    rave: int = 0  #: number of visits up to which a move's value when played later counts most; 0 for never
    prior: int = 0  #: number of simulations that the game's own guess of a move counts as, with rave
    memory: int = MEMORY  #: size of the tree, in megabytes; when it is full, leaves are no longer expanded
    reuse: bool = True  #: keep the tree from move to move
    seed: int | None = None  #: starts the random generator; the same seed gives the same simulations
    kind: ClassVar[str] = "mcts"

    def __post_init__(self) -> None:
        take_functions(self, "heuristic")
        require(self, "simulations", 1)
        require(self, "seconds", 0.001)
        require(self, "rollouts", 0, 1000)
        require(self, "rollout_plies", 1)
        require(self, "mix", 0, 1)
        require(self, "scale", 0.001)
        require(self, "exploration", 0)
        require(self, "rave", 0)
        require(self, "prior", 0, 1000)
        require(self, "memory", 1, 1 << 16)
        require(self, "seed", 0)
        require_flags(self, "decisive", "reuse")

    def limited(self, budget: Budget) -> Self:
        limited = super().limited(budget)
        is_usual = self.simulations is None and self.seconds is None
        # Given a limit of seconds and none of simulations, it would make more simulations than before.
        return replace(limited, simulations=SIMULATIONS) if is_usual and limited.seconds is not None else limited

    def prepare(self, game: Game) -> None:
        start = game.start()
        self._plant(start, 1, self._evaluation(start))

    def compile_search(self, game: Game) -> None:
        replace(self, heuristic=None).prepare(game)

    def _evaluation(self, position: Position) -> Heuristic | None:
        if self.heuristic is None and self.rollouts > 0:
            return None
        return resolved(self.heuristic, position.game, class_of(position.state))

    @property
    def tree_options(self) -> dict[str, Any]:
        """How its trees grow: the options of Mcts except the heuristic and the memory."""
        names = "rollouts rollout_plies decisive mix scale exploration rave prior seed"
        return {name: getattr(self, name) for name in names.split()}

    def _plant(self, position: Position, memory: int, evaluation: Heuristic | None) -> Mcts:
        return Mcts(position.state, heuristic=evaluation, memory=memory, **self.tree_options)

    def think(self, position: Position) -> Choice:
        began = time.perf_counter()
        evaluation = self._evaluation(position)
        tree = _kept_trees.take(self, position) if self.reuse else None
        if tree is not None and evaluation not in (None, tree.heuristic):
            tree = None  # the heuristic's file was edited meanwhile
        following = time.perf_counter() - began
        seconds = None if self.seconds is None else max(self.seconds - following, 0)
        unlimited = self.simulations is None and seconds is None
        simulations = SIMULATIONS if unlimited else self.simulations

        def again(evaluation: Heuristic | None) -> None:
            self._plant(position, self.memory, evaluation).run(simulations, seconds, position.past_keys)

        with reporting(position, evaluation, again=again):
            tree = tree or self._plant(position, self.memory, evaluation)
            found = tree.run(simulations, seconds, position.past_keys)
        if self.reuse:
            _kept_trees.keep(self, position, tree)
        texts = position.line_texts(found.line)
        return Choice(texts[0], following + found.seconds, found.score, texts, len(texts), found.simulations)

    @property
    def is_deterministic(self) -> bool:
        return self.seed is not None and self.seconds is None
