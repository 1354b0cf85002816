"""One game between two players, and its record."""

import json
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.errors import FileError, MoveError, ZermeloError
from zermelo.files.checked import checked, is_whole
from zermelo.files.reading import read_text
from zermelo.files.whole import DAMAGED, cannot_write
from zermelo.games import PositionLike, find_position, stored_game
from zermelo.language import _, marked, speaking
from zermelo.players import PlayerLike, find_player
from zermelo.players.outside import OutsidePlayer
from zermelo.players.player import Choice, Fault, IllegalMove, Player, Resigned, TakeBack
from zermelo.players.wasm import WasmPlayer
from zermelo.position import Position
from zermelo.scores import Score

FORMAT = 1
ENDINGS = (  #: the reasons that a record may have, up to a colon
    marked("played out"),
    marked("resigned"),
    marked("agreed"),
    marked("unfinished"),
    marked("proven"),
    marked("timeout"),
    marked("crash"),
    marked("illegal move"),
    marked("wrong answer"),
)
TOO_LONG = marked("a draw after {plies} plies")


def _whole(value: Any) -> int | None:
    """A whole number for a record, if it is one: a player may say anything about its move."""
    try:
        whole = int(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return whole if is_whole(whole) else None


@dataclass(frozen=True)
class Move:
    """A move of a record: what was played, and what the player said about it."""

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
    reason: str = "unfinished"  #: why the game ended: one of ENDINGS, perhaps with details, or TOO_LONG
    error: str | None = None  #: the traceback of a player that crashed, or the last words of a program

    @property
    def score(self) -> float:
        """What player 1 gets: 1, a half or 0."""
        return {1: 1.0, 2: 0.0, None: 0.5}[self.winner]

    def final_position(self) -> Position:
        """Play the moves again."""
        position = stored_game(self.game, _("the record of a game")).position(self.start)
        for move in self.moves:
            position = position.play(move.move)
        return position

    def to_json(self) -> str:
        """One line of JSON, without the values that are not known."""
        data = {"format": FORMAT} | vars(self)  # asdict() copies deeply, which takes longer than everything else
        data["moves"] = [{k: v for k, v in vars(move).items() if v is not None} for move in self.moves]
        if self.error is None:
            del data["error"]
        return json.dumps(data, ensure_ascii=False)

    def _check(self) -> None:
        """Refuse what cannot be the record of a game."""
        if len(self.players) != 2:
            raise FileError("this is not a game record: it has {number} players", number=len(self.players))
        try:
            checked(self)
        except FileError as error:
            raise FileError("this is not a game record: {error}", error=error) from None
        if self.winner not in (None, 1, 2):
            raise FileError("this is not a game record: its winner is {winner!r}, not 1, 2 or null", winner=self.winner)

    @classmethod
    def from_json(cls, line: str) -> "Record":
        """Read such a line. FileError says what is wrong with it."""
        try:
            data = json.loads(line)
            if not isinstance(data, dict) or data.pop("format", None) != FORMAT:
                raise FileError("this is not a record of format {ours}", ours=FORMAT)
            data["moves"] = [Move(**move) for move in data["moves"]]
            if isinstance(data["players"], list):
                data["players"] = tuple(data["players"])
            record = cls(**data)
            record._check()
            return record
        except ZermeloError:
            raise
        except DAMAGED as error:
            raise FileError("this is not a game record: {error}", error=error) from None


class Lost(Exception):
    """The player to move loses the game; the text is the reason, as it stands in a record."""

    def __init__(self, reason: str, error: str | None = None):
        super().__init__(reason)
        self.error = error  # a traceback, or the last lines of a program's standard error

    @classmethod
    def by(cls, fault: Fault) -> "Lost":
        """The game that another program has lost by a fault."""
        return cls(fault.reason, fault.said)


class Course:
    """A game under way: the positions reached, and its record."""

    def __init__(self, start: Position, names: tuple[str, str]):
        self.record = Record(str(start.game), names, str(start))
        self.reached = [start]
        self.is_ended = False  # on the board or otherwise

    @property
    def position(self) -> Position:
        """The position reached last."""
        return self.reached[-1]

    def is_over(self) -> bool:
        """Has the game ended? If it is over on the board, the result is written down."""
        position = self.position
        if not self.is_ended and position.is_over:
            self.end("played out", position.winner)
            self.record.margin = position.margin
        return self.is_ended

    def goes_on(self, host: "Host") -> bool:
        """Is a move to be chosen here? If not, the result is written down; the host may end the game, too.

        Every game is conducted by asking this before each move, whether one loop waits for the players (play_out) or
        their moves come from several processes (tournaments/tables.py).
        """
        if self.is_ended:
            return False
        if not self.is_over():
            host.check(self)
            if self.is_ended:
                return False
        host.show(self.position)
        return not self.is_ended

    def end(self, reason: str, winner: int | None = None, error: str | None = None) -> None:
        """End the game here."""
        self.record.reason, self.record.winner, self.record.error = reason, winner, error
        self.is_ended = True

    def lose(self, reason: str, error: str | None = None) -> None:
        """End the game: the player to move has lost."""
        self.end(reason, 3 - self.position.to_move, error)

    def end_proven(self, outcome: int) -> None:
        """End the game, whose outcome for the player to move is proven: 1 won, 0 drawn, -1 lost."""
        mover = self.position.to_move
        self.end("proven", mover if outcome > 0 else 3 - mover if outcome < 0 else None)

    def play(self, choice: Choice, following: Position) -> None:
        """Write down a move, which leads to this position."""
        self.record.moves.append(Move.of(choice))
        self.reached.append(following)

    def take_back(self, players: Collection[int]) -> bool:
        """Return to the last position in which one of these players was to move; False if there is none."""
        for ply in reversed(range(len(self.reached) - 1)):
            if self.reached[ply].to_move in players:
                del self.reached[ply + 1 :], self.record.moves[ply:]
                return True
        return False


class Host:
    """How a game is conducted. This one asks the players in turn; others referee, or talk to a person."""

    def __init__(
        self, most_plies: int | None = None, on_move: Callable[[Position, Choice], None] | None = None
    ) -> None:
        self.most_plies, self.on_move = most_plies, on_move

    def check(self, course: Course) -> None:
        """End the game, if it ends here although it is not over on the board."""
        if self.most_plies is not None and len(course.record.moves) >= self.most_plies:
            course.end("unfinished")

    def show(self, position: Position) -> None:
        """Told every position before a move is chosen in it, and the position in which the game is over."""

    def choose(self, player: Player, position: Position) -> tuple[Choice, Position]:
        """The player's choice, and the position after it; Lost if that loses the game. Other errors end the match."""
        try:
            return choose_move(player, position)
        except Resigned:
            raise Lost("resigned") from None
        except Fault as fault:
            raise Lost.by(fault) from None

    def moved(self, position: Position, choice: Choice) -> None:
        """Told each position that is reached, and the choice that led to it."""
        if self.on_move is not None:
            self.on_move(position, choice)

    def nothing_to_take_back(self) -> None:
        """Told that a person wants to take a move back, and that there is none."""


def play_out(players: tuple[Player, Player], names: tuple[str, str], start: Position, host: Host) -> Record:
    """Play from a position until the game ends: the one loop that plays games. Player 1 comes first.

    A person who takes a move back returns to the last position in which a player of the same kind was to move. Against
    a program, that is the person's own last move; between two people at one terminal, it is the last move of all.
    """
    course = Course(start, names)
    while course.goes_on(host):
        player = players[course.position.to_move - 1]
        try:
            choice, following = host.choose(player, course.position)
        except Lost as lost:
            course.lose(str(lost), lost.error)
        except TakeBack:
            if not course.take_back({number for number, one in enumerate(players, 1) if one.kind == player.kind}):
                host.nothing_to_take_back()
        else:
            course.play(choice, following)
            host.moved(following, choice)
    return course.record


def play_match(
    first: PlayerLike,
    second: PlayerLike,
    start: PositionLike,
    on_move: Callable[[Position, Choice], None] | None = None,
    most_plies: int | None = None,
) -> Record:
    """Play from a position to the end of the game, or until somebody gives up. Player 1 of the game is `first`.

    Players may be given as texts or heuristics, and the start as a game or as a text: `connect4`, `connect4 44`.
    A program (`process`, `gtp`, `nboard`) or a class in a file that dies, is late or gives no legal move has lost,
    and the record says why.
    on_move is told each position reached and the choice that led to it. After most_plies the game is left unfinished.
    """
    start = find_position(start)
    players = (find_player(first, start.game), find_player(second, start.game))
    names = (str(players[0]), str(players[1]))
    for number, player in enumerate(players, 1):
        try:
            player.prepare(start.game)
        except Fault as fault:
            return Record(str(start.game), names, str(start), winner=3 - number, reason=fault.reason, error=fault.said)
    return play_out(players, names, start, Host(most_plies, on_move))


def choose_move(player: Player, position: Position) -> tuple[Choice, Position]:
    """A player's choice, and the position after it; Fault if another program gives no move that can be played."""
    if not isinstance(player, (OutsidePlayer, WasmPlayer)):
        choice = player.think(position)
        return choice, position.play(choice.move)
    with speaking("en"):  # what the program did wrong goes into the record, which is the same in every language
        choice = player.think(position)
        try:
            return choice, position.play(choice.move)
        except MoveError as error:
            raise IllegalMove(str(error), player.who) from None


def reason_text(reason: str) -> str:
    """The reason of a record in the user's language. What a player did wrong stays as it was written down."""
    too_long = re.fullmatch(r"a draw after (\d+) plies", reason)
    if too_long:
        return _(TOO_LONG).format(plies=too_long[1])
    kind, colon, rest = reason.partition(":")
    return f"{_(kind)}{colon}{rest}"


def save_records(records: Sequence[Record], path: Path) -> None:
    """Append games to a JSONL file, one game in each line."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.writelines(record.to_json() + "\n" for record in records)
    except OSError as error:
        raise cannot_write(path, error) from None


def load_records(path: Path) -> list[Record]:
    """The games of a JSONL file. An error names the line."""
    records: list[Record] = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if line.strip():
            try:
                records.append(Record.from_json(line))
            except ZermeloError as error:
                raise FileError("{path}, line {number}: {error}", path=path, number=number, error=error) from None
    return records
