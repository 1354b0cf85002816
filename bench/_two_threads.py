"""What a second thread brings Reversi's engine and its endgame solver, by the clock and in work.

    python bench/_two_threads.py engine --depth 15 --positions 30
    python bench/_two_threads.py solver --last 46

engine    Nodes of the main thread up to a depth, alone and with a helper, from positions after 12 to 30 random moves.
solver    FFO 40 to ...: nodes of one thread, and of the longest path with two: what is searched by one thread while the
          other waits counts in full, and of what they share, the greater part. So it is what the clock would show with
          two processors and equally quick threads. The seconds are by the clock.

Use a quiet machine. On a busy one the threads take turns, and the helper runs ahead and leaves more in the table than
it would at the same speed: with a load of 8 on two cores, the engine seemed to gain 1.72 to depth 15, where it gains
1.10.
"""

import argparse
import math
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import zermelo as z
from _reversi_sparring import FFO, FIRST_FFO
from zermelo.cli.common import print_table
from zermelo.core.threads import in_order as original_in_order
from zermelo.games import find_heuristic
from zermelo.games.reversi import sharing, solver
from zermelo.players import EnginePlayer
from zermelo.position import random_playout
from zermelo.searches.budget import Budget
from zermelo.searches.deepening import Engine

GAME = z.game("reversi")


def engine(depth: int, positions: int) -> None:
    heuristic = find_heuristic(GAME.default_heuristic, GAME)
    pruning = EnginePlayer().pruning(GAME, heuristic)
    list(Engine(heuristic, **pruning).deepen(GAME.start().state, Budget(depth=4)))  # compile it
    found: dict[int, list[tuple[int, int, float]]] = {1: [], 2: []}
    for seed in range(positions):
        state = random_playout(GAME.start(), seed, 12 + seed % 4 * 6).state
        for threads in found:
            searching, began = Engine(heuristic, memory=64, threads=threads, **pruning), time.perf_counter()
            list(searching.deepen(state, Budget(depth=depth)))
            nodes = [int(work.nodes) for work in searching.works]
            found[threads].append((nodes[0], sum(nodes), time.perf_counter() - began))
    alone, helped = ([sum(column) for column in zip(*found[threads], strict=True)] for threads in found)
    usual = math.exp(sum(math.log(a[0] / b[0]) for a, b in zip(found[1], found[2], strict=True)) / positions)
    print(f"{positions} positions to depth {depth}: the main thread searches {alone[0] / 1e6:.1f} M nodes alone and")
    print(
        f"{helped[0] / 1e6:.1f} M with a helper ({alone[0] / helped[0]:.2f} times as fast; geometric mean {usual:.2f}),"
    )
    print(
        f"{alone[2]:.2f} and {helped[2]:.2f} s by the clock, {alone[1] / alone[2] / 1e6:.2f} and "
        f"{helped[1] / helped[2] / 1e6:.2f} M nodes per second of both threads."
    )


class Path:
    """The nodes of the longest path, found from those of each call of the search."""

    def __init__(self) -> None:
        self.nodes, self.shared = 0, None  # type: int, list[int] | None

    def run(self, state: Any, alpha: int, beta: int, work: Any, shared: Any) -> int:
        before = int(work.nodes)
        score = original_run(state, alpha, beta, work, shared)
        if self.shared is None:
            self.nodes += int(work.nodes) - before
        else:
            self.shared.append(int(work.nodes) - before)
        return score

    def in_order(self, function: Callable[[Any], Any], items: Iterable[Any], threads: int) -> Iterator[Any]:
        self.shared = []
        yield from original_in_order(function, items, threads)
        shares = [0] * threads
        for nodes in self.shared:
            shares[shares.index(min(shares))] += nodes
        self.nodes, self.shared = self.nodes + max(shares), None


original_run = solver._run


def endgames(last: int) -> None:
    solver.solve(GAME.position(FFO[0][0]).state, nodes=1000)  # compile it
    path, rows, sums = Path(), [], [0.0] * 5
    for number, (text, score) in list(enumerate(FFO, FIRST_FFO))[: last - FIRST_FFO + 1]:
        state, row = GAME.position(text).state, []
        for threads in (1, 2):
            solver._run = path.run if threads == 2 else original_run
            for module in (solver, sharing):
                vars(module)["in_order"] = path.in_order if threads == 2 else original_in_order
            began = time.perf_counter()
            found = solver.solve(state, threads=threads)
            row += [found.nodes / 1e6, time.perf_counter() - began]
            assert found.score == score
        row.append(path.nodes / 1e6)
        path.nodes = 0
        sums = [one + other for one, other in zip(sums, row, strict=True)]
        rows.append(told(str(number), *row))
    print_table(
        ["FFO", "M nodes", "seconds", "two: M nodes", "seconds", "longest path", "ratio"], [*rows, told("sum", *sums)]
    )


def told(name: str, nodes: float, seconds: float, both: float, both_seconds: float, longest: float) -> list[str]:
    numbers = f"{nodes:.1f}", f"{seconds:.2f}", f"{both:.1f}", f"{both_seconds:.2f}", f"{longest:.1f}"
    return [name, *numbers, f"{nodes / longest:.2f}"]


def run() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["engine", "solver"])
    parser.add_argument("--depth", type=int, default=15)
    parser.add_argument("--positions", type=int, default=30)
    parser.add_argument("--last", type=int, default=46, help="the last of the FFO positions (46)")
    options = parser.parse_args()
    engine(options.depth, options.positions) if options.what == "engine" else endgames(options.last)


if __name__ == "__main__":
    run()
