"""The collections of puzzles: `puzzles.jsonl` in the folder of a game, one puzzle on each line."""

import datetime
import functools
import inspect
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from zermelo.errors import FileError, GameError
from zermelo.games import catalogue_game, find_game, game_names
from zermelo.position import Game, Position

FILE = "puzzles.jsonl"
FIRST_DAY = datetime.date(2026, 1, 1)


@dataclass(frozen=True)
class Puzzle:
    """A position in which exactly one move wins."""

    id: str  #: such as connect4-17
    game: str  #: the game, with its options
    position: str  #: the position as text
    move: str  #: the only move that wins
    depth: int  #: the least depth at which alpha-beta chooses this move, in plies
    fails: float  #: how often weak levels fail to find it, from 0 to 1
    rating: int  #: how difficult it is, on the scale of the levels

    @property
    def start(self) -> Position:
        """The position to think about."""
        return find_game(self.game).position(self.position)

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)


def puzzles_of(game: Game | str) -> list[Puzzle]:
    """The puzzles of a game, the easiest first."""
    return list(_read(file_of(find_game(game))))


def file_of(game: Game) -> Path:
    """The file of a game's puzzles, whether it exists or not."""
    file = Path(inspect.getfile(type(game)))
    return file.parent / FILE if file.stem == "__init__" else file.with_suffix(f".{FILE}")


@functools.lru_cache(maxsize=64)
def _read(file: Path) -> tuple[Puzzle, ...]:
    if not file.is_file():
        return ()
    try:
        found = [Puzzle(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (ValueError, TypeError) as error:
        raise FileError("{path}: this is not a collection of puzzles: {error}", path=file, error=error) from None
    return tuple(sorted(found, key=lambda puzzle: (puzzle.rating, puzzle.id)))


def games_with_puzzles() -> list[str]:
    """The names of the games of the catalogue that have puzzles."""
    return [name for name in game_names() if puzzles_of(catalogue_game(name))]


def find_puzzle(id_: str) -> Puzzle:
    """The puzzle of this id, such as connect4-17."""
    for name in games_with_puzzles():
        for puzzle in puzzles_of(name):
            if puzzle.id == id_:
                return puzzle
    raise GameError(
        "there is no puzzle {id!r}; the games with puzzles are {games}", id=id_, games=", ".join(games_with_puzzles())
    )


def daily_puzzle(day: datetime.date, game: str | None = None) -> Puzzle:
    """The puzzle of a day, of one game or of all. It depends on nothing but the date."""
    names = games_with_puzzles()
    chosen = [puzzle for name in ([game] if game is not None else names) for puzzle in puzzles_of(name)]
    if not chosen and game is None:
        raise GameError("no game of the catalogue has puzzles")
    if not chosen:
        raise GameError("{game} has no puzzles; the games with puzzles are {games}", game=game, games=", ".join(names))
    # A step that has no divisor in common with the length visits every puzzle before one comes back.
    step = next(step for step in range(len(chosen) * 5 // 8 + 1, 2 * len(chosen) + 2) if _coprime(step, len(chosen)))
    return chosen[(day - FIRST_DAY).days * step % len(chosen)]


def _coprime(a: int, b: int) -> bool:
    while b:
        a, b = b, a % b
    return a == 1
