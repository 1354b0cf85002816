"""Simulations per second of MCTS with one thread on every game, compared with OpenSpiel's C++ if it has the game.

Both search from the start of the game with one random game per leaf and with proven results on (OpenSpiel's `solve`).
They are measured in turn, in processor time. The last figure is by how much a search overruns its time, by the clock.
"""

import importlib
import time
from collections.abc import Callable
from typing import Any

from _common import NOT_INSTALLED, Figure, Missing, Work, alone, compare, main, rate, tell, without
from zermelo.games import find_game, game_names
from zermelo.searches.mcts_run import Mcts

OPENSPIEL = {
    "connect4": "connect_four",
    "hex": "hex(board_size=11)",
    "reversi": "othello",
    "tictactoe": "tic_tac_toe",
}
PEER, UNIT = "OpenSpiel, C++", "k simulations/s"
TRIED = 300  # simulations of a first search, which shows how many the others need to take SECONDS
SECONDS = 0.5
MEMORY = 1000  # megabytes, for both
OVERRUNS, OVERRUN_SECONDS = 20, 0.1


Search = Callable[[int], int]
"""A function that makes a number of simulations in a fresh tree, and returns how many it made."""


def our_search(name: str) -> Search:
    state = find_game(name).start().state
    return lambda simulations: Mcts(state, seed=1, memory=MEMORY).run(simulations).simulations


def their_search(name: str) -> Search:
    try:
        pyspiel: Any = importlib.import_module("pyspiel")
    except ImportError:
        raise Missing(NOT_INSTALLED) from None
    game = pyspiel.load_game(OPENSPIEL[name])

    def search(simulations: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        policy = pyspiel.ChildSelectionPolicy.UCT
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, MEMORY, True, 1, False, policy)
        return int(bot.mcts_search(game.new_initial_state()).explore_count)

    return search


def one_search(search: Search) -> Work:
    """A single search of about SECONDS. Large trees are slower than small ones, so both programs run equally long."""
    search(10)  # compile it
    simulations = max(TRIED, int(SECONDS * rate(lambda: search(TRIED), SECONDS / 5)))
    return lambda: search(simulations)


def speed(name: str, rounds: int) -> Figure:
    ours = one_search(our_search(name))
    if name not in OPENSPIEL:
        tell(f"{name}: ours")
        return alone(name, UNIT, ours, rounds=rounds, scale=1e3)
    try:
        theirs = one_search(their_search(name))
    except Missing as missing:
        return without(alone(name, UNIT, ours, rounds=rounds, scale=1e3), PEER, missing)
    return compare(name, UNIT, ours, PEER, theirs, rounds=rounds, scale=1e3)


def overrun() -> Figure:
    """How much a search exceeds its time, by the clock. This needs a quiet machine."""
    tree = Mcts(find_game("connect4").start().state, seed=1)
    late = []
    for _ in range(OVERRUNS):
        began = time.perf_counter()
        tree.run(seconds=OVERRUN_SECONDS)
        late.append(1000 * (time.perf_counter() - began - OVERRUN_SECONDS))
    late.sort()
    name = f"overrun of {OVERRUNS} searches of {1000 * OVERRUN_SECONDS:.0f} ms"
    return Figure(name, "ms, worst", late[-1], note=f"median {late[len(late) // 2]:.1f} ms")


def measure(rounds: int) -> list[Figure]:
    names = [name for name in game_names() if not name.startswith("tree/")]
    return [*(speed(name, rounds) for name in names), overrun()]


if __name__ == "__main__":
    main("mcts", "MCTS, one random game per leaf: simulations a second", measure)
