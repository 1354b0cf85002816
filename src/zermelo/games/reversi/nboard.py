"""Reversi as programs that speak the NBoard protocol know it: games in GGF, moves such as `F5` and `PA`.

    (;GM[Othello]PC[zermelo]PB[black]PW[white]RE[?]TI[5:00]TY[8]BO[8 ---...--- *]B[F5]W[D6];)

GGF is the Generic Game Format of the Othello server GGS. BO is the board with which the game begins, row by row from
the top, with `*` for black and `O` for white, and the side to move. A move may have its evaluation and its time in
seconds, after slashes: `B[F5/1.20/3.5]`.
"""

import math
import re

from zermelo.errors import PositionError
from zermelo.language import _
from zermelo.position import Game, Position
from zermelo.scores import Score

PASS = "pass"
_TAG = re.compile(r"([A-Z]+)\[([^\]]*)\]")
_CLOCK = re.compile(r"(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d+)?)")
LONGEST = 1 << 16
"""The number of characters of a game that is read."""
MOST_SECONDS = 1_000_000.0


def can_tell(game: Game) -> bool:
    """Does the protocol know this board? It knows no other than 8x8."""
    return not game.options


def move_text(move: str) -> str:
    """A move as the protocol writes it."""
    return "PA" if move == PASS else move.upper()


def read_move(text: str) -> str:
    """A move that the protocol writes, with its evaluation and its time or without them, as we write it."""
    move = re.split(r"[/\s]", text.strip(), maxsplit=1)[0].lower()
    return PASS if move in ("pa", "pas", PASS) else move


def forced(position: Position) -> str | None:
    """The move that a program need not be asked for, because it must pass."""
    return PASS if position.moves == (PASS,) else None


def moves_left(position: Position) -> int:
    """How many more moves the player to move will make, about, for dividing the time."""
    return max(1, (str(position).count("-") + 1) // 2)


def discs(score: Score) -> float:
    """A score in discs. A win by an unknown number of discs counts as one disc."""
    return float(score.outcome or 0) if score.is_proven else score.points


# ------------------------------------------------------------------------------------------------------------ GGF


def game_text(position: Position, seconds: float | None = None) -> str:
    """A position and the moves that led to it, in GGF. seconds: what is left on the clock of the player to move."""
    first = position.path[0]
    board = str(first).replace("X", "*")
    sides = ["BW"[before.to_move - 1] for before in position.path[:-1]]
    moves = "".join(f"{side}[{move_text(move)}]" for side, move in zip(sides, position.line, strict=True))
    clock = "60:00" if seconds is None else _clock_text(seconds)
    return f"(;GM[Othello]PC[zermelo]PB[black]PW[white]RE[?]TI[{clock}]TY[8]BO[8 {board}]{moves};)"


def _clock_text(seconds: float) -> str:
    whole = max(1, math.ceil(seconds))
    return f"{whole // 60}:{whole % 60:02}"


def read_game(game: Game, text: str) -> tuple[Position, tuple[float, float] | None]:
    """The position at the end of a game in GGF, and the seconds that each player has left, if they are told."""
    if len(text) > LONGEST:
        raise PositionError("the game in GGF is longer than {number} characters", number=LONGEST)
    tags = _TAG.findall(text)
    named = dict(reversed(tags))  # the first of each name counts
    kind = named.get("GM", "Othello")
    if not tags or kind.lower() not in ("othello", "reversi"):
        raise PositionError("{text!r} is not a game of Othello in GGF", text=text[:80])
    position = _first_position(game, named.get("BO", ""))
    spent = [0.0, 0.0]
    for number, (side, move) in enumerate((tag for tag in tags if tag[0] in ("B", "W")), 1):
        player = "BW".index(side) + 1
        if position.to_move != player and position.moves == (PASS,):
            position = position.play(PASS)  # not every program writes passes
        if position.to_move != player:
            reason = _("it is not the turn of this player")
            raise PositionError("move {number} in GGF, {move}: {reason}", number=number, move=move, reason=reason)
        position = position.play(read_move(move))
        spent[player - 1] += time_of(move)
    clock = _seconds(named.get("TI", ""))
    return position, None if clock is None else (clock - spent[0], clock - spent[1])


def _first_position(game: Game, board: str) -> Position:
    if not board:
        return game.start()
    kind, _blank, drawn = board.strip().partition(" ")
    if kind != "8":
        raise PositionError("GGF: boards of type {kind!r} are not supported, only 8", kind=kind[:20])
    return game.position(drawn.replace("*", "X"))


def time_of(move: str) -> float:
    """The seconds that a move took, as it is written: `F5/1.20/3.5`; 0 if that is not told."""
    parts = move.split("/")
    return _number(parts[2]) if len(parts) > 2 else 0.0


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        return 0.0
    return number if 0 <= number <= MOST_SECONDS else 0.0


def _seconds(text: str) -> float | None:
    """The time of a clock such as `5:00`, `1:00:00` or `05:00/01:00/02:00`, of which the first part counts."""
    found = _CLOCK.match(text.strip())
    if not found:
        return None
    hours, minutes, seconds = (float(part or 0) for part in found.groups())
    return min(3600 * hours + 60 * minutes + seconds, MOST_SECONDS)
