"""Calibrate the ten levels of a game: `python tools/levels.py connect4 --store build/levels`.

Levels are points of paths. A path leads from one way of playing to a better one, such as from a child's first glance
to a look at many moves, and its players change without jumps, since all options of `fallible` may be fractions. In a
survey, players all along the paths play their neighbours in strength. A curve is fitted to all results: how strong the
player is at each point of each path. The levels are the ten points at equal distances on that curve, from its weakest
to its strongest.

Then the measurement: the ten play new games with one another, and only these give the strengths that are told. With
`--again`, the games of the last measurement become part of the survey, ten new points are found, and they are measured.
Every result is appended to a file in the store, so a later run continues. The levels are written to
games/<name>/levels.json. Without a game, the table of docs/how-to/web.md is printed. With `--newcomer`, a player that
stands for a newcomer plays 200 games against level 2, and nothing else is done.
"""

import argparse
import inspect
import itertools
import json
import math
import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

import zermelo as z
from zermelo.match import play_match
from zermelo.players import find_player
from zermelo.players.levels import FILE, NAMES, USUAL, levels_of
from zermelo.tournaments.intervals import Z95
from zermelo.tournaments.rating import ELO, HALF_A_DRAW, Rating, bradley_terry, fit, score_matrix

NEWCOMER = "fallible(depth=2, breadth=8, taste=0.5, overlook=0.2, heuristic={glance})"
"""Judges by what one sees at first glance, looks at the replies, and overlooks one in five."""
APART = (1, 2)
"""Players that are so many places apart in the ladder play each other in the measurement."""
APART_IN_SURVEY = (1, 3, 5)
"""The same in the survey. Its ladder is so dense that errors of many small steps would add up without larger ones."""
FINE = 200
"""Points between two stations of a path, of which the levels are chosen."""
SURVEYED = 4
"""How many of them, at equal distances, play in the survey. The curve is straight between them."""
BEND = 60.0
"""Points of Elo: how much the curve is expected to bend at each of them."""
WIDE = 2000.0
"""Points of Elo: strengths are expected to be this near the mean, in order that the fit always has a solution."""

Options = Mapping[str, float | str]
Path_ = Sequence[Options]
GEOMETRIC = ("taste", "nodes")
"""Options of which the ratio is constant along a path; of the others it is the difference."""
FIRST_GLANCE: Path_ = (
    {"depth": 1, "breadth": 1, "taste": 8, "overlook": 1},
    {"depth": 1, "breadth": 1, "taste": 0.5, "overlook": 1},
)
"""From a child who sees captures or the centre now and then, to somebody who always does."""
LOOKING: Path_ = (
    {"depth": 1, "breadth": 1, "taste": 8, "overlook": 1},
    {"depth": 1, "breadth": 2, "taste": 8, "overlook": 1},
    {"depth": 2, "breadth": 3, "taste": 1.5, "overlook": 0.6},
    {"depth": 3, "breadth": 6, "taste": 0.5, "overlook": 0.2},
)
"""From a child, through one who compares two moves without a thought of the reply, to one who looks three plies far."""


def concentrating(nodes: int) -> Path_:
    """From a search that lapses at nine moves of ten, to one that never does."""
    return (
        {"depth": 4, "breadth": 8, "taste": 0.3, "overlook": 0.9, "nodes": 300},
        {"depth": 4, "breadth": 8, "taste": 0.3, "overlook": 0.65, "nodes": 300},
        {"depth": 4, "breadth": 8, "taste": 0.3, "overlook": 0.15, "nodes": 1000},
        {"depth": 4, "breadth": 10, "taste": 0.1, "overlook": 0, "nodes": nodes},
    )


HEX_FIRST_GLANCE: Path_ = (  # among 121 moves the largest of so many tastes hides all else, so a child's is smaller
    {"depth": 1, "breadth": 1, "taste": 2, "overlook": 1},
    {"depth": 1, "breadth": 1, "taste": 0.5, "overlook": 1},
)
HEX_LOOKING: Path_ = (  # what counts is how many moves are compared: one more ply hardly helps, and three take seconds
    {"depth": 1, "breadth": 2, "taste": 2, "overlook": 1},
    {"depth": 1, "breadth": 4, "taste": 1, "overlook": 1},
    {"depth": 1, "breadth": 8, "taste": 0.4, "overlook": 1},
)
HEX_CONCENTRATING: Path_ = (
    {"depth": 2, "breadth": 8, "taste": 0.4, "overlook": 1, "nodes": 1000},
    {"depth": 2, "breadth": 8, "taste": 0.4, "overlook": 0.6, "nodes": 1000},
    {"depth": 2, "breadth": 8, "taste": 0.3, "overlook": 0.15, "nodes": 1500},
    {"depth": 2, "breadth": 8, "taste": 0.1, "overlook": 0, "nodes": 4000},
)
TOP = {"connect4": 300_000, "onitama": 10_000, "parcheckers": 10_000, "reversi": 3_000, "tictactoe": 100_000}
"""Nodes of the strongest level."""
NAMED = {
    "connect4": "parity12",
    "hex": "two_distance",
    "onitama": "learned_quiet",
    "parcheckers": "combined",
    "tictactoe": "lines",
}
"""Heuristics of the players above the weakest, so that they stay what they are if a game gets another usual one.

Those of Reversi name none: its usual heuristic is a table for the board of 8x8, and another one for smaller boards.
"""
TREE_SEARCH = {"hex"}
"""Games whose engine needs no heuristic, and would use another search with one: players with nodes name none there."""


def paths_of(game: z.Game) -> list[Path_]:
    """The paths of a game, the weakest first. The weakest players judge by what newcomers see at first glance."""
    if game.name in TREE_SEARCH:
        glancing, looking, top = HEX_FIRST_GLANCE, HEX_LOOKING, HEX_CONCENTRATING
    else:
        glancing, looking, top = FIRST_GLANCE, LOOKING, concentrating(TOP.get(game.name, 10_000))
    named: Options = {"heuristic": NAMED[game.name]} if game.name in NAMED else {}
    simple: Options = {"heuristic": game.first_glance} if game.first_glance else named
    paths = (
        [{**simple, **station} for station in glancing],
        [{**named, **station} for station in looking],
        [station if game.name in TREE_SEARCH else {**named, **station} for station in top],
    )
    return [list(path) for path in paths]


def player_at(path: Path_, place: float) -> str:
    """The player at a place of a path: 0 is its first station, 1.5 is half-way between the second and the third."""
    i = min(int(place), len(path) - 2)
    return f"fallible({', '.join(f'{name}={_between(name, path[i], path[i + 1], place - i)}' for name in path[i])})"


def _between(name: str, first: Options, second: Options, part: float) -> str:
    low, high = first[name], second[name]
    if isinstance(low, str) or isinstance(high, str):
        return str(low)
    value = low * (high / low) ** part if name in GEOMETRIC else low + (high - low) * part
    return f"{round(value)}" if name == "nodes" else f"{value:.4g}"


class Curve:
    """How strong the players are at all points of some paths, fitted to results by logistic regression."""

    def __init__(self, paths: Sequence[Path_]):
        self.paths = paths
        self.knots = [(k, i) for k, path in enumerate(paths) for i in range((len(path) - 1) * SURVEYED + 1)]
        self.column = {knot: column for column, knot in enumerate(self.knots)}
        self.weights: dict[str, np.ndarray] = {}
        for k, path in enumerate(paths):
            for i in range((len(path) - 1) * FINE + 1):
                self.weights.setdefault(player_at(path, i / FINE), self._weights(k, i / FINE * SURVEYED))
        self.elo = np.zeros(len(self.knots))

    def _weights(self, path: int, place: float) -> np.ndarray:
        """Which knots a place of a path is between, and how near."""
        found = np.zeros(len(self.knots))
        low = min(int(place), (len(self.paths[path]) - 1) * SURVEYED - 1)
        found[self.column[path, low]] = 1 - (place - low)
        found[self.column[path, low + 1]] = place - low
        return found

    def surveyed(self) -> list[str]:
        """The players who play in the survey."""
        return [player_at(self.paths[k], i / SURVEYED) for k, i in self.knots]

    def strength(self, player: str) -> float:
        return float(self.weights[player] @ self.elo)

    def fit(self, results: Sequence[tuple[str, str, float]]) -> None:
        """Fit the curve, by Newton's method. Players who are not on the paths do not count."""
        games: Counter[tuple[str, str]] = Counter()
        points: dict[tuple[str, str], float] = {}
        for first, second, score in results:
            if first in self.weights and second in self.weights:
                games[first, second] += 1
                points[first, second] = points.get((first, second), 0.0) + score
        size = len(self.knots)
        precision = np.eye(size) * (ELO / WIDE) ** 2
        for k, i in self.knots:
            if (k, i - 1) in self.column and (k, i + 1) in self.column:
                bend = np.zeros(size)
                bend[[self.column[k, i - 1], self.column[k, i], self.column[k, i + 1]]] = 1, -2, 1
                precision += np.outer(bend, bend) * (ELO / BEND) ** 2
        rows = np.array([self.weights[first] - self.weights[second] for first, second in games])
        played = np.array([games[pair] for pair in games], dtype=float)
        scored = np.array([points[pair] for pair in games], dtype=float)
        found = np.zeros(size)
        for _ in range(50):
            if not len(rows):
                break
            expected = 1 / (1 + np.exp(-rows @ found))
            slope = rows.T @ (scored - played * expected) - precision @ found
            curvature = rows.T @ (rows * (played * expected * (1 - expected))[:, None]) + precision
            step = np.linalg.solve(curvature, slope)
            found += np.clip(step, -1, 1)
            if np.abs(step).max() < 1e-9:
                break
        self.elo = found * ELO

    def levels(self) -> list[str]:
        """The ten players at equal distances, from the weakest path's first to the strongest path's last."""
        low, high = self.strength(player_at(self.paths[0], 0)), float(self.elo[-1])
        return [self._nearest(low + (high - low) * n / (len(NAMES) - 1)) for n in range(len(NAMES))]

    def _nearest(self, elo: float) -> str:
        """A player of this strength: of the path that comes nearest, and of two as near, of the stronger path."""
        best = {
            path: min(self._all(path), key=lambda text: abs(self.strength(text) - elo))
            for path in range(len(self.paths))
        }
        near = {path: max(2.0, abs(self.strength(text) - elo)) for path, text in best.items()}
        return best[min(near, key=lambda path: (near[path], -path))]

    def _all(self, path: int) -> Iterator[str]:
        return (player_at(self.paths[path], i / FINE) for i in range((len(self.paths[path]) - 1) * FINE + 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", help="Without a game, the table of all games is printed.")
    parser.add_argument("--survey", type=int, default=40, help="Rounds of the survey, with those in the store.")
    parser.add_argument("--rounds", type=int, default=100, help="Rounds of the measurement, with those in the store.")
    parser.add_argument("--store", type=Path, default=Path("build/levels"), help="The folder of results.")
    parser.add_argument("--again", action="store_true", help="Add what was measured to the survey, and measure anew.")
    parser.add_argument("--minutes", type=float, default=math.inf, help="Stop after this time; a later run continues.")
    parser.add_argument("--newcomer", action="store_true", help="Only play a newcomer's stand-in against level 2.")
    given = parser.parse_args()
    if given.game is None:
        print(table())
        return
    game = z.game(given.game)
    if given.newcomer:
        print(newcomer(game))
        return
    given.store.mkdir(parents=True, exist_ok=True)
    survey, measured = (given.store / f"{game.name}-{part}.jsonl" for part in ("survey", "measured"))
    until = time.monotonic() + given.minutes * 60
    curve = Curve(paths_of(game))
    if given.again and measured.exists():
        with survey.open("a", encoding="utf-8") as file:
            file.write(measured.read_text(encoding="utf-8"))
        measured.unlink()
    curve.fit(results(survey))
    if not measured.exists():
        play(game, curve.surveyed(), given.survey, survey, until, curve)
    for k, path in enumerate(curve.paths):
        print(k, [round(curve.elo[curve.column[k, i]] - curve.elo[0]) for i in range((len(path) - 1) * SURVEYED + 1)])
    levels = sorted({player for result in results(measured) for player in result[:2]}) or curve.levels()
    if time.monotonic() < until:
        play(game, levels, given.rounds, measured, until)
    if not measured.exists():
        return
    ratings = rated(measured)
    levels.sort(key=lambda text: ratings[text].elo)
    told = {
        "players": levels,
        "elo": [round(ratings[text].elo - ratings[levels[0]].elo) for text in levels],
        "error": [round(Z95 * ratings[text].error) for text in levels],
        "step_error": errors_of_steps(measured, levels),
        "games": len(results(measured)),
    }
    print(game.name, json.dumps(told, indent=2), flush=True)
    Path(inspect.getfile(type(game))).with_name(FILE).write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


def newcomer(game: z.Game, games: int = 200) -> str:
    """What a newcomer's stand-in scores against the level against which newcomers begin."""
    one = find_player(NEWCOMER.format(glance=game.first_glance or game.default_heuristic), game)
    other = find_player(f"level({USUAL})", game)
    points = 0.0
    for _ in range(games // 2):
        start = game.varied_start(random.randrange(1 << 30))
        points += play_match(one, other, start).score + 1 - play_match(other, one, start).score
    share = points / games
    error = Z95 * math.sqrt(share * (1 - share) / games)
    return f"{game.name}: {100 * share:.1f}% ± {100 * error:.1f} of {games} games against level {USUAL}"


def table() -> str:
    """The levels of all games that have been measured, as in docs/how-to/web.md."""
    games = [z.game(name) for name in ("connect4", "reversi", "hex", "onitama", "parcheckers", "tictactoe")]
    known = [levels_of(game) for game in games]
    rows = [
        [str(number + 1), name, *(f"{one.elo[number]:.0f} ± {one.error[number]:.0f}" for one in known)]
        for number, name in enumerate(NAMES)
    ]
    steps = [[after - before for before, after in itertools.pairwise(one.elo)] for one in known]
    rows.append(["", "games", *(f"{one.games:,}" for one in known)])
    rows.append(["", "mean step", *(f"{sum(one) / len(one):.0f}" for one in steps)])
    rows.append(["", "error of a step", *(f"± {sum(one.step_error) / len(one.step_error):.0f}" for one in known)])
    rows.append(["", "smallest and largest step", *(f"{min(one):.0f}, {max(one):.0f}" for one in steps)])
    head = ["level", "name", *(f"{game.title}{' 11x11' if game.name == 'hex' else ''}" for game in games)]
    lines = ["| " + " | ".join(head) + " |", "|---:|---|" + "---:|" * len(games)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def results(store: Path) -> list[tuple[str, str, float]]:
    """The first player, the second, and the score of the first, of all games in a file."""
    if not store.exists():
        return []
    return [tuple(json.loads(line)) for line in store.read_text(encoding="utf-8").splitlines()]


def play(
    game: z.Game, texts: Sequence[str], rounds: int, store: Path, until: float, curve: Curve | None = None
) -> None:
    """Let neighbours in the ladder play, with sides changed. After each round the ladder is sorted again."""
    players = {text: find_player(text, game) for text in dict.fromkeys(texts)}
    apart = APART if curve is None else APART_IN_SURVEY
    games = Counter(player for result in results(store) for player in result[:2] if player in players)
    done = round(sum(games.values()) / 2 / (2 * sum(len(players) - places for places in apart)))
    for _ in range(done, rounds):
        if time.monotonic() > until:
            break
        if curve is not None:
            curve.fit(results(store))
            strength = {text: curve.strength(text) for text in players}
        else:
            known = rated(store)
            strength = {text: known[text].elo if text in known else i for i, text in enumerate(players)}
        ladder = sorted(players, key=strength.__getitem__)
        near = [
            (first, second)
            for (i, first), (j, second) in itertools.permutations(enumerate(ladder), 2)
            if abs(i - j) in apart
        ]
        random.shuffle(near)
        with store.open("a", encoding="utf-8") as file:
            for first, second in near:
                start = game.varied_start(random.randrange(1 << 30))
                record = play_match(players[first], players[second], start)
                file.write(json.dumps([first, second, record.score]) + "\n")
    if curve is not None:
        curve.fit(results(store))


def points_of(store: Path) -> dict[tuple[str, str], tuple[float, float]]:
    """The points of both players of each pairing in a file of results."""
    points: dict[tuple[str, str], tuple[float, float]] = {}
    for first, second, score in results(store):
        mine, theirs = points.get((first, second), (0.0, 0.0))
        points[first, second] = mine + score, theirs + 1 - score
    return points


def rated(store: Path) -> dict[str, Rating]:
    """The strengths of all players in a file of results."""
    return {rating.player: rating for rating in bradley_terry(points_of(store))}


def errors_of_steps(store: Path, levels: Sequence[str]) -> list[int]:
    """Half the widths of the 95% intervals of the steps between neighbours."""
    names, scored = score_matrix(points_of(store))
    _strengths, covariance = fit(scored + (scored + scored.T > 0) * HALF_A_DRAW / 2)
    at = [names.index(player) for player in levels]
    variances = (covariance[i, i] + covariance[j, j] - 2 * covariance[i, j] for i, j in itertools.pairwise(at))
    return [round(Z95 * ELO * math.sqrt(variance)) for variance in variances]


if __name__ == "__main__":
    main()
