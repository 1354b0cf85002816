"""Simulations a second of MCTS, one thread, on every game; beside OpenSpiel's C++ where it has the game.

Both search from the start of the game with one random game per leaf and with proven results on (OpenSpiel's `solve`).
They are measured by turns, in processor time, and the ratio is the median of the rounds' ratios.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable
from typing import Any

from zermelo.games import find_game, game_names
from zermelo.search.mcts_run import Mcts

try:
    import pyspiel
except ImportError:
    pyspiel = None

OPENSPIEL = {
    "connect4": "connect_four",
    "hex": "hex(board_size=11)",
    "reversi": "othello",
    "tictactoe": "tic_tac_toe",
}
MEMORY = 1000  # megabytes, for both
OVERRUNS = 20


def our_search(name: str) -> Callable[[int], int]:
    """What makes so many simulations, and says how many it made."""
    state = find_game(name).start().state
    return lambda simulations: Mcts(state, seed=1, memory=MEMORY).run(simulations).simulations


def their_search(name: str) -> Callable[[int], int] | None:
    if pyspiel is None or name not in OPENSPIEL:
        return None
    game = pyspiel.load_game(OPENSPIEL[name])

    def search(simulations: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        policy = pyspiel.ChildSelectionPolicy.UCT
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, MEMORY, True, 1, False, policy)
        return int(bot.mcts_search(game.new_initial_state()).explore_count)

    return search


def rate(search: Callable[[int], int], simulations: int) -> float:
    began = time.process_time()
    made = search(simulations)
    return made / (time.process_time() - began)


def measure(name: str, rounds: int, seconds: float) -> dict[str, Any]:
    """Both by turns, each for about so many seconds a round."""
    ours, theirs = our_search(name), their_search(name)
    ours(10)
    many = max(int(rate(ours, 2000) * seconds), 100)
    their_many = max(int(rate(theirs, 300) * seconds), 100) if theirs else 0
    pairs = [(rate(ours, many), rate(theirs, their_many) if theirs else None) for _ in range(rounds)]
    figure: dict[str, Any] = {"game": name, "ours": round(statistics.median(pair[0] for pair in pairs))}
    ratios = [mine / other for mine, other in pairs if other]
    if ratios:
        figure["openspiel"] = round(statistics.median(other for _, other in pairs if other))
        figure["ratio"] = round(statistics.median(ratios), 2)
        figure["ratios"] = [round(min(ratios), 2), round(max(ratios), 2)]
    return figure


def overruns(seconds: float = 0.1) -> list[float]:
    """How many milliseconds too long a search of so many seconds takes, by the clock; sorted."""
    tree = Mcts(find_game("connect4").start().state, seed=1)
    found = []
    for _ in range(OVERRUNS):
        began = time.perf_counter()
        tree.run(seconds=seconds)
        found.append(1000 * (time.perf_counter() - began - seconds))
    return sorted(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="by default, all")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each round and program")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = []
    for name in options.games or [name for name in game_names() if not name.startswith("tree/")]:
        figure = measure(name, options.rounds, options.seconds)
        figures.append(figure)
        if not options.json:
            peer = f"  OpenSpiel {figure['openspiel']:>9,}  ratio {figure['ratio']}" if "ratio" in figure else ""
            print(f"{figure['game']:<12} {figure['ours']:>10,} simulations/s{peer}", flush=True)
    late = overruns()
    if options.json:
        print(json.dumps({"figures": figures, "overrun_ms": late}))
    else:
        print(f"a search of 0.1 s takes {late[len(late) // 2]:.1f} ms too long (median; worst {late[-1]:.1f})")
        if pyspiel is None:
            print("OpenSpiel is not installed: pip install --group bench")


if __name__ == "__main__":
    main()
