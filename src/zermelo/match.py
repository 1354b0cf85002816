"""One game between two players, and its record."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.errors import FileError, MoveError, ZermeloError
from zermelo.files.checked import checked, is_whole
from zermelo.files.whole import DAMAGED, cannot_write
from zermelo.games import find_game
from zermelo.language import _, marked, speaking
from zermelo.players.external import ExternalPlayer
from zermelo.players.player import Choice, Fault, Player, Resigned, TakeBack
from zermelo.position import Position
from zermelo.scores import Score

FORMAT = 1
ENDINGS = (  #: the reasons of a record, up to a colon
    marked("played out"),
    marked("resigned"),
    marked("unfinished"),
    marked("proven"),
    marked("timeout"),
    marked("crash"),
    marked("illegal move"),
    marked("wrong answer"),
)
TOO_LONG = marked("a draw after {plies} plies")


def _whole(value: Any) -> int | None:
    """A number as records have it; what a player says of its move may be anything."""
    try:
        whole = int(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return whole if is_whole(whole) else None


@dataclass(frozen=True)
class Move:
    """A move of a record: what was played, and what the player said of it."""

    move: str
    seconds: float
    score: float | None = None  #: for the player who chose, as Score.number has it
    depth: int | None = None
    nodes: int | None = None
    evaluated: int | None = None

    @classmethod
    def of(cls, choice: Choice) -> "Move":
        """A player's choice, as it goes into the record."""
        score = choice.score.number if isinstance(choice.score, Score) else None
        numbers = map(_whole, (choice.depth, choice.nodes, choice.evaluated))
        return cls(choice.move, round(choice.seconds, 6), score, *numbers)


@dataclass
class Record:
    """A whole game. It saves as one line of JSON."""

    game: str  #: with its options, as text
    players: tuple[str, str]  #: the texts of player 1 and player 2
    start: str  #: the position in which it began
    moves: list[Move] = field(default_factory=list)  #: in the order they were played
    winner: int | None = None  #: 1, 2, or None: a draw, or not finished
    margin: int | None = None  #: in the game's own points, for player 1; None if it did not end on the board
    reason: str = "unfinished"  #: played out, resigned, unfinished; in tournaments also why else it ended
    error: str | None = None  #: the traceback of a player that crashed

    @property
    def score(self) -> float:
        """What player 1 gets: 1, a half or 0."""
        return {1: 1.0, 2: 0.0, None: 0.5}[self.winner]

    def final_position(self) -> Position:
        """Play the moves again."""
        position = find_game(self.game).position(self.start)
        for move in self.moves:
            position = position.play(move.move)
        return position

    def to_json(self) -> str:
        """One line of JSON, without what is not known."""
        data = {"format": FORMAT} | vars(self)  # (asdict() copies deeply, which takes longer than the rest)
        data["moves"] = [{k: v for k, v in vars(move).items() if v is not None} for move in self.moves]
        if self.error is None:
            del data["error"]
        return json.dumps(data, ensure_ascii=False)

    def _check(self) -> None:
        """Refuse what no game leaves behind."""
        if len(self.players) != 2:
            raise FileError(_("not a game record: it has {number} players").format(number=len(self.players)))
        try:
            checked(self)
        except FileError as error:
            raise FileError(_("not a game record: {error}").format(error=error)) from None
        if self.winner not in (None, 1, 2):
            raise FileError(
                _("not a game record: its winner is {winner!r}, not 1, 2 or null").format(winner=self.winner)
            )

    @classmethod
    def from_json(cls, line: str) -> "Record":
        """Read such a line; the error says what is wrong with it."""
        try:
            data = json.loads(line)
            if not isinstance(data, dict) or data.pop("format", None) != FORMAT:
                raise FileError(_("not a record of format {ours}").format(ours=FORMAT))
            data["moves"] = [Move(**move) for move in data["moves"]]
            if isinstance(data["players"], list):
                data["players"] = tuple(data["players"])
            record = cls(**data)
            record._check()
            return record
        except ZermeloError:
            raise
        except DAMAGED as error:
            raise FileError(_("not a game record: {error}").format(error=error)) from None


def play_match(
    first: Player,
    second: Player,
    start: Position,
    on_move: Callable[[Position, Choice], None] | None = None,
    most_plies: int | None = None,
) -> Record:
    """Play from a position to the end of the game, or until somebody gives up; player 1 of the game is `first`.

    Another program (`process`, `gtp`) that dies, is late or gives no legal move has lost, and the record says why.
    on_move is told each position reached and the choice that led to it. After most_plies the game is left unfinished.
    """
    players = (first, second)
    record = Record(str(start.game), (str(first), str(second)), str(start))
    for number, player in enumerate(players, 1):
        try:
            player.prepare(start.game)
        except Fault as fault:
            return _lost(record, number, fault)
    reached = [start]
    while not reached[-1].is_over and (most_plies is None or len(record.moves) < most_plies):
        position = reached[-1]
        try:
            choice, following = choose_move(players[position.to_move - 1], position)
        except Resigned:
            record.winner, record.reason = 3 - position.to_move, "resigned"
            return record
        except Fault as fault:
            return _lost(record, position.to_move, fault)
        except TakeBack:
            turns = [ply for ply, earlier in enumerate(reached[:-1]) if earlier.to_move == position.to_move]
            if turns:
                del reached[turns[-1] + 1 :], record.moves[turns[-1] :]
            continue
        reached.append(following)
        record.moves.append(Move.of(choice))
        if on_move is not None:
            on_move(reached[-1], choice)
    end = reached[-1]
    if end.is_over:
        record.winner, record.margin, record.reason = end.winner, end.margin, "played out"
    return record


def choose_move(player: Player, position: Position) -> tuple[Choice, Position]:
    """A player's choice, and the position after it; Fault if another program gives none that can be played."""
    if not isinstance(player, ExternalPlayer):
        choice = player.think(position)
        return choice, position.play(choice.move)
    with speaking("en"):  # what it did wrong goes into the record, which is the same in every language
        choice = player.think(position)
        try:
            return choice, position.play(choice.move)
        except MoveError as error:
            raise IllegalMove(str(error), player.command) from None


class IllegalMove(Fault):
    """It answered with a move that cannot be played."""

    ending = "illegal move"


def _lost(record: Record, loser: int, fault: Fault) -> Record:
    record.winner, record.reason, record.error = 3 - loser, fault.reason, fault.said
    return record


def reason_text(reason: str) -> str:
    """The reason of a record in the user's language; what somebody did wrong is told as it was written down."""
    too_long = re.fullmatch(r"a draw after (\d+) plies", reason)
    if too_long:
        return _(TOO_LONG).format(plies=too_long[1])
    kind, colon, rest = reason.partition(":")
    return f"{_(kind)}{colon}{rest}"


def save_records(records: Sequence[Record], path: Path) -> None:
    """Append games to a JSONL file, one a line."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.writelines(record.to_json() + "\n" for record in records)
    except OSError as error:
        raise cannot_write(path, error) from None


def load_records(path: Path) -> list[Record]:
    """The games of a JSONL file; an error names the line."""
    records: list[Record] = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise FileError(_("{path}: cannot be read: {reason}").format(path=path, reason=error.strerror)) from None
    except UnicodeDecodeError:
        raise FileError(_("{path}: cannot be read: it is not text").format(path=path)) from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                records.append(Record.from_json(line))
            except ZermeloError as error:
                raise FileError(
                    _("{path}, line {number}: {error}").format(path=path, number=number, error=error)
                ) from None
    return records
