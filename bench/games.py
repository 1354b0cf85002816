"""The rules of every game: perft, random games and alpha-beta, compared with OpenSpiel's C++ if it has the game."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
from numba import int32, int64, uint64

import _openspiel
import zermelo as z
from _common import Figure, Missing, Work, alone, compare, main, without
from zermelo.core import compiled, heuristic, mix, njit
from zermelo.games.hex.rules import Hex
from zermelo.rules import legal_moves, play
from zermelo.searches.perft import perft
from zermelo.searches.textbook import run_alphabeta

# Game, depth, leaves (published, or from the golden files), name in OpenSpiel, and the ratio that must be reached.
PERFTS = [
    ("reversi", 9, 3_005_288, "othello", 20),
    ("onitama", 6, None, None, None),
    ("parcheckers", 5, 3_599_130, None, None),
]
HEX, OPENSPIEL_HEX, HEX_GAMES = "hex(size=11)", "hex(num_cols=11,num_rows=11)", 200
HEX_DEPTH = 4
ALPHABETA = [("reversi", "report", 8), ("parcheckers", "h2", 7), ("onitama", "material", 7)]


@njit
def random_games(start, number, moves, seed):
    """Play this number of random games, and return how many plies they took."""
    plies = int64(0)
    chance = uint64(seed)
    for _ in range(number):
        state = start
        while True:
            end = legal_moves(state, moves, 0)
            if end == 0:  # the game is over: legal_moves promises to return no moves then
                break
            chance = mix(chance + uint64(0x9E3779B97F4A7C15))
            state = play(state, moves[int64((chance >> uint64(32)) * uint64(end) >> uint64(32))])
            plies += 1
    return plies


def with_openspiel(
    name: str, unit: str, ours: Work, theirs: Callable[[_openspiel.Cpp], Work], rounds: int, **more: float
) -> Figure:
    """Compare with OpenSpiel's C++, or measure only our own code if it is missing."""
    scale = more.pop("scale", 1e6)
    try:
        peer = _openspiel.cpp()
    except Missing as missing:
        return without(alone(name, unit, ours, rounds=rounds, scale=scale), "OpenSpiel, C++", missing)
    return compare(name, unit, ours, peer.name, theirs(peer), rounds=rounds, scale=scale, floor=more.get("floor"))


def perfts(rounds: int) -> list[Figure]:
    figures = []
    for name, depth, leaves, openspiel, floor in PERFTS:
        state = z.game(name).start().state
        found = perft(state, depth)
        if leaves is not None and found != leaves:
            raise SystemExit(f"perft {depth} of {name}: {found}, not {leaves}")
        title = f"{name}: perft {depth}, last ply in bulk"

        def ours(state: object = state, depth: int = depth) -> int:
            return perft(state, depth)

        if openspiel is None:
            figures.append(alone(title, "M leaves/s", ours, rounds=rounds))
            continue

        def theirs(peer: _openspiel.Cpp, game: str = openspiel, depth: int = depth) -> Work:
            return lambda: peer.game_perft(game, depth)

        figures.append(with_openspiel(title, "M leaves/s", ours, theirs, rounds, floor=floor or 0))
    return figures


def hex_games(rounds: int) -> Figure:
    state = z.game(HEX).start().state
    run = compiled(random_games, type(state).numba, int64, int32[::1], uint64)
    moves = np.empty(1024, np.int32)

    def ours() -> int:
        run(state, HEX_GAMES, moves, np.uint64(1))
        return HEX_GAMES

    def theirs(peer: _openspiel.Cpp) -> Work:
        def play_them() -> int:
            peer.random_games(OPENSPIEL_HEX, HEX_GAMES)
            return HEX_GAMES

        return play_them

    return with_openspiel("hex 11x11: random games", "k games/s", ours, theirs, rounds, scale=1e3, floor=5)


@heuristic
def nothing(state: Hex):
    """Every position is worth 0, so that only the search and the rules take time."""
    return 0


def hex_alphabeta(rounds: int) -> Figure:
    """Positions evaluated per second by alpha-beta on Hex, where the evaluation costs nothing in either program."""
    state = z.game(HEX).start().state

    def ours() -> int:
        return run_alphabeta(state, nothing, HEX_DEPTH).evaluated

    def theirs(peer: _openspiel.Cpp) -> Work:
        if peer.game_alpha_beta(OPENSPIEL_HEX, HEX_DEPTH) != ours():
            raise SystemExit("hex: the two searches do not evaluate equally many positions")
        return lambda: peer.game_alpha_beta(OPENSPIEL_HEX, HEX_DEPTH)

    name = f"hex 11x11: alpha-beta {HEX_DEPTH}, every position worth 0"
    return with_openspiel(name, "M evaluated/s", ours, theirs, rounds)


PLAIN = """
import json, time, zermelo as z
from zermelo.searches.textbook import run_alphabeta
game = z.game({game!r})
began = time.process_time()
found = run_alphabeta(game.start().state, game.heuristics[{heuristic!r}], {depth})
print(json.dumps([found.nodes, time.process_time() - began, found.score.number]))
"""


def plain_python(game: str, heuristic: str, depth: int) -> tuple[float, int]:
    """Nodes per second of the same search without the compiler, and its score."""
    code = PLAIN.format(game=game, heuristic=heuristic, depth=depth)
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    nodes, seconds, score = json.loads(done.stdout)
    return nodes / seconds, score


def alphabetas(rounds: int) -> list[Figure]:
    """Alpha-beta with a heuristic written in Python, compared with the same code without the compiler."""
    figures = []
    for name, judge, depth in ALPHABETA:
        game = z.game(name)
        state, chosen = game.start().state, game.heuristics[judge]

        def ours(state: object = state, chosen: z.Heuristic = chosen, depth: int = depth) -> int:
            return run_alphabeta(state, chosen, depth).nodes

        figure = alone(f"{name}: alpha-beta {depth}, {judge}", "M nodes/s", ours, rounds=rounds)
        shallow = 3
        rate, score = plain_python(name, judge, shallow)
        if score != run_alphabeta(state, chosen, shallow).score:
            raise SystemExit(f"{name}: plain Python finds {score}")
        ratio = figure.ours * 1e6 / rate
        note = f"plain Python is measured at depth {shallow}"
        peer = "the same in plain Python"
        figures.append(Figure(figure.name, figure.unit, figure.ours, peer, rate / 1e6, ratio, note=note))
    return figures


def measure(rounds: int) -> list[Figure]:
    began = time.perf_counter()
    figures = [*perfts(rounds), hex_games(rounds), hex_alphabeta(rounds), *alphabetas(rounds)]
    print(f"{time.perf_counter() - began:.0f} s", file=sys.stderr)
    return figures


if __name__ == "__main__":
    main("games", "The games: rules and searches", measure, rounds=3)
