"""Making an opening book with the engine, for a game that is too large to be solved.

The book grows from the start of the game along the best lines. The next position to be opened is the one whose line has
lost the fewest points, by both players' moves together, with a little more for each ply: so the main lines are the
deepest, and second-best moves follow. To open a position means to search all its moves to the same depth and to keep
those that are near the best. At the end the scores are looked through from the ends of the lines to the start.
"""

import heapq
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from zermelo.core import Heuristic
from zermelo.errors import FileError, GameError
from zermelo.evaluation.probcut_files import digest_of_weights
from zermelo.files.folders import make_folder
from zermelo.games import find_heuristic
from zermelo.language import Message
from zermelo.players.engine import EnginePlayer
from zermelo.players.opening_books import BookMove, Entry, OpeningBook, own_book_path
from zermelo.position import Game, Position
from zermelo.rules import is_over, moves_of, play, to_move
from zermelo.scores import Score
from zermelo.searches.budget import Budget
from zermelo.searches.deepening import Engine

KEPT = 3.0
"""Moves that are worse than the best by no more points than this are kept."""
PLY_COST = 0.35  # points
WON = 300.0  # stands for a proven win
SAVE_SECONDS = 20.0
MEMORY = 64  # megabytes


@dataclass(frozen=True)
class OpeningBookMade:
    """What `zermelo learn book` tells of a book: its file, its settings, and how many positions it has and lacks."""

    path: Path
    depth: int
    opened: int
    positions: int
    waiting: int  # positions that are still to be opened


def build_opening_book(
    game: Game,
    path: Path | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    *,
    positions: int,
    depth: int,
    seconds: float | None = None,
) -> OpeningBookMade:
    """Open positions until the book has so many, and keep it in a file, or where the engine looks for it.

    What the file already holds is not searched again, so a run may be stopped and continued later.
    """
    if EnginePlayer().grows_tree(game):  # its scores are no better than what it finds at the board
        raise GameError("{title} has no opening books", title=Message(game.title))
    path = path or own_book_path(game)
    make_folder(path.parent)
    heuristic = find_heuristic(game.default_heuristic, game)
    about = {
        "game": str(game),
        "heuristic": heuristic.name,
        "weights": digest_of_weights(heuristic),
        "depth": depth,
    }
    book = OpeningBook.read(path) if path.exists() else OpeningBook(about)
    if book.about != about:
        raise FileError("{path} is a book of another game, depth or heuristic: {about}", path=path, about=book.about)
    try:
        waiting = _Builder(game, heuristic, book, path, depth).grow(positions, seconds, progress)
    finally:
        book.write(path)
    return OpeningBookMade(path, depth, book.size, len(book.entries), waiting)


class _Builder:
    def __init__(self, game: Game, heuristic: Heuristic, book: OpeningBook, path: Path, depth: int):
        self.game, self.book, self.path, self.depth = game, book, path, depth
        self.engine = Engine(heuristic, memory=MEMORY, **EnginePlayer().pruning(game, heuristic))

    def grow(self, positions: int, seconds: float | None, progress: Callable[[int, int], None]) -> int:
        """Open positions in the order of what their lines have lost. Return how many are missing at the end."""
        deadline = None if seconds is None else time.monotonic() + seconds
        opened, saved, order = self.book.size, time.monotonic(), itertools.count()
        start = self.game.start()
        self.book.entries.setdefault(self.game.canonical_key(start.state), Entry(0.0, 0.0))
        lines: list[tuple[float, int, Position]] = [(0.0, next(order), start)]
        seen: dict[int, list[BookMove]] = {}
        try:
            while lines:
                cost, _, position = heapq.heappop(lines)
                key = self.game.canonical_key(position.state)
                entry = self.book.entries[key]
                if key in seen:
                    continue
                if not entry.is_open:
                    if opened >= positions or (deadline is not None and time.monotonic() >= deadline):
                        continue
                    self._open(position, entry)
                    opened += 1
                    progress(opened, positions)
                    if time.monotonic() - saved > SAVE_SECONDS:
                        self.book.write(self.path)
                        saved = time.monotonic()
                moves = seen[key] = self.book.moves(position)
                best = max((one.sign * one.entry.found for one in moves), default=0.0)
                for one in moves:
                    child = position.play(self.game.move_text(position.state, one.move))
                    if not child.is_over:
                        loss = best - one.sign * one.entry.found
                        heapq.heappush(lines, (cost + loss + PLY_COST, next(order), child))
        finally:
            self._look_through(seen)
        return max(0, positions - opened)

    def _open(self, position: Position, entry: Entry) -> None:
        """Search the moves of a position, and put those near the best into the book."""
        state = position.state
        self.engine.forget()
        first = list(self.engine.deepen(state, Budget(depth=max(1, self.depth - 2)), position.past_keys))[-1].move
        order = [first, *(move for move in moves_of(state) if move != first)]
        found = self.engine.score_moves(state, self.depth, order, past=position.past_keys)
        scores = {one.move: _points(one.score) for one in found or ()}
        best = max(scores.values())
        for move, score in scores.items():
            child = play(state, move)
            if score >= best - KEPT and not is_over(child):
                own = score if to_move(child) == to_move(state) else -score
                self.book.entries.setdefault(self.game.canonical_key(child), Entry(own, own))
        entry.is_open = True

    def _look_through(self, seen: dict[int, list[BookMove]]) -> None:
        """Give every open position the score of its best move, until nothing changes or a game may go in circles."""
        for _sweep in range(len(seen) + 1):
            changed = False
            for key in reversed(seen):
                entry, moves = self.book.entries[key], seen[key]
                score = max((one.score for one in moves), default=entry.score)
                changed = changed or score != entry.score
                entry.score = score
            if not changed:
                return


def _points(score: Score) -> float:
    return WON * (score.outcome or 0) if score.is_proven else round(float(score.points), 2)
