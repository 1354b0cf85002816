"""What `zermelo solve` answers: here, one position after another, or in pieces by a crew, in the same order."""

import json
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.pieces.crews import Crew
    from zermelo.position import Game, Position

Answer = dict[str, Any]
"""For a position: what `--json` prints, with its value as one word; or what is wrong with it, as `error`."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Asked:
    """What is asked of every position."""

    game: str
    weak: bool = False
    all_moves: bool = False
    seconds: float | None = None
    threads: int | None = None
    tables: int | None = None


def answer_of(position: "Position", asked: Asked, progress: Progress = lambda done, total: None) -> Answer:
    """The exact value of a position. The progress is that of the tables, if some must be made first."""
    from zermelo.errors import ZermeloError
    from zermelo.solving.exact import solve
    from zermelo.solving.registry import make_tables

    game = position.game
    try:
        if asked.tables is not None:
            make_tables(position, asked.tables, progress)
        found = solve(
            position, weak=asked.weak, all_moves=asked.all_moves, seconds=asked.seconds, threads=asked.threads
        )
    except ZermeloError as error:
        return {"error": str(error)}
    return {
        "position": str(position),
        "score": found.score if found.complete else None,
        "value": found.value if found.complete else None,
        "moves": [game.move_text(position.state, move) for move in found.moves],
        "scores": {game.move_text(position.state, move): score for move, score in found.scores.items()},
        "plies": found.plies,
        "nodes": found.nodes,
        "seconds": found.seconds,
        "complete": found.complete,
        "word": found.word if asked.weak and found.complete else found.value,
    }


def read(game: "Game", text: str) -> "Position | str":
    """The position that a text describes, or what is wrong with the text."""
    from zermelo.errors import ZermeloError

    try:
        return game.position(text)
    except ZermeloError as error:
        return str(error)


# ------------------------------------------------------------------------------------------ in pieces


def answers_of(
    texts: Sequence[str], asked: Asked, crew: "Crew", kept_in: Path | None = None, progress: Progress | None = None
) -> Iterator[Answer]:
    """The answer for each text, in their order, whoever finds it. A piece is a position.

    Positions that need the same tables are one piece, so that whoever solves them makes these tables only once.
    kept_in: a file for the pieces that are finished, from which the next call continues.
    """
    from zermelo.games import read_game
    from zermelo.pieces.job import Job, settings_of
    from zermelo.pieces.kept import Kept
    from zermelo.pieces.results import results
    from zermelo.pieces.sources import with_code

    settings = asdict(asked)
    groups = _groups(read_game(asked.game), texts, asked)
    pieces = [[texts[number] for number in group] for group in groups]
    found: dict[int, Answer] = {}
    waiting = deque(range(len(texts)))
    with Kept(kept_in, settings_of(with_code(settings | {"positions": list(texts)}))) as kept:
        done = results(crew, Job(f"{__name__}:do_piece", settings_of(settings)), enumerate(pieces), kept)
        for group, result in zip(groups, done, strict=True):
            found |= zip(group, json.loads(result), strict=True)
            if progress is not None:
                progress(len(found), len(texts))
            while waiting and waiting[0] in found:
                yield found.pop(waiting.popleft())
        kept.remove()


def _groups(game: "Game", texts: Sequence[str], asked: Asked) -> list[list[int]]:
    """The numbers of the positions in each piece."""
    from zermelo.solving.registry import shared_tables

    groups: dict[Any, list[int]] = {}
    for number, text in enumerate(texts):
        position = None if asked.tables is None else read(game, text)
        tables = None if position is None or isinstance(position, str) else shared_tables(position)
        groups.setdefault(("alone", number) if tables is None else ("tables", tables), []).append(number)
    return list(groups.values())


def do_piece(settings: str, data: bytes, piece: list[str], stopped: threading.Event) -> bytes:
    """Answer for the positions of a piece (see pieces.job)."""
    from zermelo.games import read_game

    asked = Asked(**json.loads(settings))
    game = read_game(asked.game)
    answers: list[Answer] = []
    for text in piece:
        if stopped.is_set():
            raise InterruptedError
        position = read(game, text)
        answers.append({"error": position} if isinstance(position, str) else answer_of(position, asked))
    return json.dumps(answers).encode()
