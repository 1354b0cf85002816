"""A Monte Carlo tree that grows within a budget, and reports what it knows on the way, as the engine's search does."""

from collections.abc import Iterator

from zermelo.searches.budget import Budget
from zermelo.searches.deepening import Iteration
from zermelo.searches.mcts_run import Mcts

NODES_PER_SIMULATION = 10
"""A simulation counts as this many positions in a limit of nodes: it takes as long as evaluating them (Hex, 7x7 to
11x11, with the heuristic two_distance)."""
FIRST_REPORT = 1024
"""The first report comes after this many simulations, and each other one when their number has doubled."""


def grow(tree: Mcts, budget: Budget, past: tuple[int, ...] = ()) -> Iterator[Iteration]:
    """Let a tree grow and yield what it knows, again and again, until the budget is used up or the root is solved.

    At least one iteration is given, whatever the budget.
    """
    most = None if budget.nodes is None else max(1, budget.nodes // NODES_PER_SIMULATION)
    made, taken, batch = 0, 0.0, FIRST_REPORT
    while True:
        left = budget.after(seconds=taken).seconds
        found = tree.run(batch if most is None else min(batch, most - made), left, past)
        made += found.simulations
        taken += found.seconds
        is_last = found.solved or (most is not None and made >= most)
        is_last |= found.simulations == 0 or (budget.seconds is not None and taken >= budget.seconds)
        yield Iteration(
            depth=len(found.line),
            score=found.score,
            line=found.line,
            nodes=made * NODES_PER_SIMULATION,
            seconds=taken,
            table_use=found.nodes / int(tree.work.capacity),
            exact=found.solved,
            complete=True,
        )
        if is_last:
            return
        batch = made
