"""Running proof-number search: is a position won, drawn or lost?"""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import int64

from zermelo.core import compiled
from zermelo.core.clock import run_stoppable
from zermelo.rules import is_over, moves_of, outcome, to_move
from zermelo.searches.budget import NO_LIMIT, Budget
from zermelo.searches.proof import (
    BUCKET,
    ENTRY,
    INFINITE,
    LONGEST,
    PROOF_WORK,
    PROOF_WORK_TYPE,
    TABLE_TYPE,
    prove,
)
from zermelo.searches.workspace import UNLIMITED

MEMORY = 64
"""The default size of the table, in megabytes."""


@dataclass(frozen=True)
class Proof:
    """What is proven about a position: the least and the most that the player to move can achieve."""

    least: int  # 1 won, 0 drawn, -1 lost
    most: int
    move: int | None  # a move with which the mover gets at least `least`; None if the game is over
    nodes: int  # positions generated
    seconds: float
    horizon: bool  # was something refuted only because the search looks no further ahead?

    @property
    def outcome(self) -> int | None:
        """1 won, 0 drawn, -1 lost; None if it is not known yet."""
        return self.least if self.least == self.most else None


class ProofSearch:
    """A search for proofs, with a table of `memory` megabytes that is kept from run to run.

    plies: how far to look ahead. A proof holds whatever the limit is, but a refutation may mean only that there is no
    win within the limit. So once the limit has stopped a search of this object, its refutations count as unknown.
    """

    def __init__(self, memory: float = MEMORY, plies: int = LONGEST):
        entries = max(int(memory * 1e6) // ENTRY.itemsize // BUCKET, 1) * BUCKET
        self.table = np.zeros(entries, ENTRY).view(np.recarray)
        self.work = np.zeros(1, PROOF_WORK).view(np.recarray)[0]
        self.work.plies = min(plies, LONGEST)
        self._stopped = False

    def stop(self) -> None:
        """End the current run."""
        self._stopped = True
        self.work.stop = 1

    def run(self, state: Any, budget: Budget = NO_LIMIT) -> Proof:
        """Find out whether the player to move can win and, if not, whether the other player can, within the budget.

        The nodes of the budget are positions generated.
        """
        if is_over(state):
            result = int(outcome(state))
            return Proof(result, result, None, 0, 0.0, False)
        run, moves = self._compiled(state), moves_of(state)  # compiling does not count against the budget
        self._stopped = False
        self.work.stop = self.work.generated = 0
        self.work.limit = UNLIMITED if budget.nodes is None else budget.nodes
        mover = int(to_move(state))

        def both() -> tuple[int, int, int | None, float]:
            began = time.perf_counter()
            least, most, move = self._questions(run, state, len(moves), mover)
            return least, most, move, time.perf_counter() - began

        least, most, move, elapsed = run_stoppable(both, self.stop, budget.seconds)
        move = moves[0] if move is None else move
        return Proof(least, most, move, int(self.work.generated), elapsed, bool(self.work.horizon))

    def _questions(self, run: Any, state: Any, moves: int, mover: int) -> tuple[int, int, int | None]:
        """Return the least and the most that the mover can achieve, and a move that achieves the least."""
        won, move = self._can_win(run, state, moves, mover)
        if won:
            return 1, 1, move
        lost, move = (None, None) if self._stopped else self._can_win(run, state, moves, 1 - mover)
        if lost:
            return -1, -1, None
        return (-1 if lost is None else 0), (1 if won is None else 0), move

    def _can_win(self, run: Any, state: Any, moves: int, player: int) -> tuple[bool | None, int | None]:
        """Return whether this player can force a win (None if unknown), and the move by which the mover settles it."""
        work = self.work
        work.attacker = player
        run(state, 0, 0, INFINITE, INFINITE, self.table, work)
        self._stopped = self._stopped or bool(work.stop)
        if work.proof != 0 and (work.disproof != 0 or work.horizon):
            return None, None
        settled = [int(work.moves[i]) for i in range(moves) if work.success[i] == 0]
        return bool(work.proof == 0), settled[0] if settled else None

    @staticmethod
    def _compiled(state: Any) -> Any:
        return compiled(prove, type(state).numba, *[int64] * 4, TABLE_TYPE, PROOF_WORK_TYPE)


def run_proof(state: Any, budget: Budget = NO_LIMIT, plies: int = LONGEST) -> Proof:
    """Solve a state with a table of its own."""
    return ProofSearch(MEMORY if budget.memory is None else budget.memory, plies).run(state, budget)
