"""Games and their positions: two classes that ask each other about everything, and so share one long module.

This is what Python code outside the search sees. The module knows no particular game.
"""

import base64
import inspect
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any, ClassVar, TypeVar

import numpy as np

from zermelo.boards import board_classes
from zermelo.calls import Call, move_text_of, moves_text, text_of
from zermelo.core import Heuristic, class_of, mix
from zermelo.core.failures import failure_reason
from zermelo.core.parts import Named
from zermelo.drawing.picture import Picture, read_picture
from zermelo.errors import GameError, IllegalMoveError, MoveError, PositionError, ZermeloError
from zermelo.evaluation.models import shipped_heuristics
from zermelo.evaluation.planes import AsArrays, Layout, layout_of
from zermelo.evaluation.weight_files import written_heuristics
from zermelo.language import Message, _
from zermelo.rules import can_repeat, is_over, key, margin, moves_of, outcome, play, to_move

Answer = TypeVar("Answer")


class Game(ABC):
    """One game of the catalogue, with its options chosen: its start, its notation and its drawings.

    A new game overrides the abstract methods, and every other one that it needs to change.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    players: ClassVar[tuple[str, str]] = ("first", "second")
    perft_counts_ended: ClassVar[bool] = False
    """Do this game's published move counts take a game that ended earlier as one line of any length?"""
    default_heuristic: ClassVar[str]
    """The heuristic of players that name none."""
    engine_options: ClassVar[Mapping[str, Any]] = {}
    """The values of `search`, `reduce` and `probcut` with which the engine plays this game best, as matches have shown;
    for the search `mcts`, also `rave`, `prior`, `exploration` and `mix`."""
    first_glance: ClassVar[str] = ""
    """The heuristic by which people without experience judge a move at first glance; by default, the usual one."""
    levels_ask_solver: ClassVar[bool] = True
    """Do levels ask the game's solver? Not if it makes tables first, for which a person would have to wait."""
    score_unit: ClassVar[str] = "chance"
    """The unit of scores in pages: `chance` of winning, `points` of the game, or `plies` to a win that is known."""

    result_unit: ClassVar[str] = ""
    """What the margin of a finished game counts, such as `discs`; empty if games are only won, drawn or lost."""

    result_heuristics: ClassVar[tuple[str, ...]] = ()
    """The heuristics whose values are estimates of that margin, in the same unit."""
    marked_moves: ClassVar[int | None] = None
    """How many of the best moves have their scores on an analysed board; None: all of them."""
    edit_symbols: ClassVar[str] = ""
    """What may stand on a cell in the text of a position, an empty cell first: the lab's editor goes through them."""
    edit_movers: ClassVar[str] = ""
    """The last letter of the text of a position, which says who is to move: one for each player."""
    edit_from_top: ClassVar[bool] = False
    """Does the text of a position begin with the row of the highest number?"""
    option_limits: ClassVar[Mapping[str, tuple[int, int]]] = {}
    """The least and the greatest value of each option that is a number."""
    option_examples: ClassVar[Mapping[str, str]] = {}
    """What a form shows in the empty field of an option, marked for translation."""
    notation_words: ClassVar[tuple[str, ...]] = ()
    """Words in the texts of moves that are shown in the reader's language, marked for translation."""
    moves_stand_alone: ClassVar[bool] = False
    """Is the text of a move the same in every position? Then records of many games are written sooner."""
    shown_plies: ClassVar[int] = 0
    """How many random moves are played before the picture that stands for the game is drawn."""
    has_perfect_play: ClassVar[bool] = False
    """Does its solver find a best move of every position in moments, so that learners can be measured against it?"""
    can_be_drawn: ClassVar[bool] = True
    """Can a game of it end without a winner? Otherwise nobody is asked whether they agree to a draw."""
    is_explicit_tree: ClassVar[bool] = False
    """Is the whole game written down as a tree? Then searches go down to its leaves, and nobody plays matches of it."""
    file_endings: ClassVar[tuple[str, ...]] = ()
    """How the names of files end that hold a game of this kind; the option `file` then takes such a file."""
    text_option: ClassVar[str] = ""
    """The option that takes a whole game of this kind as a text, if there is one."""
    replaced_by_seed: ClassVar[tuple[str, ...]] = ()
    """The options that a form empties when it chooses another value for the option `seed`."""

    def __init__(self, **options: Any):
        """Take the options by name. GameError if a number is outside its limits, or a yes or no is something else."""
        usual = {name: parameter.default for name, parameter in inspect.signature(type(self)).parameters.items()}
        for name, value in options.items():
            self._check_option(name, value, is_flag=isinstance(usual.get(name), bool))
        self.options: dict[str | int, Any] = {k: value for k, value in options.items() if value != usual.get(k)}
        """Only those that differ from the default, so that equal games print alike."""

    def _check_option(self, name: str, value: Any, is_flag: bool) -> None:
        told = {"kind": self.name, "name": name, "value": text_of(value)}
        if is_flag and not isinstance(value, bool):
            raise GameError(_("{kind}: {name}={value} is not yes or no").format(**told))
        if name in self.option_limits:
            least, most = self.option_limits[name]
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                raise GameError(
                    _("{kind}: {name}={value} is not a number from {least} to {most}").format(
                        **told, least=least, most=most
                    )
                )

    # -------------------------------------------------------------------------------- what a game must say

    @abstractmethod
    def start_state(self) -> Any:
        """The state in which the game begins."""

    @abstractmethod
    def move_text(self, state: Any, move: int) -> str:
        """A legal move as players write it."""

    @abstractmethod
    def board(self, position: "Position") -> str:
        """The board in plain text."""

    @abstractmethod
    def picture(self, position: "Position", marks: Mapping[str, str]) -> Picture:
        """A picture. Every legal move is at a place where it can be clicked; marks: a short text to show per move."""

    # -------------------------------------------------------------------------------- what it may say differently

    def position_text(self, position: "Position") -> str:
        """The canonical text of a position; by default, the moves from the start (`-` if none)."""
        return " ".join(position.line) or "-"

    def parse_board(self, text: str) -> Any:
        """The state of a text that draws the board, or None if the text is not of that form (but moves, then)."""
        return None

    def split_moves(self, text: str) -> list[str]:
        """The moves in a text, one after another."""
        return text.replace(",", " ").split()

    def parse_move(self, state: Any, text: str) -> int:
        """The legal move of this text; MoveError if it is not a move of the game, IllegalMoveError if it is illegal."""
        wanted = self.normal_move_text(text)
        known = {self.move_text(state, move): move for move in moves_of(state)}
        for spelling in (wanted, text.strip()):
            if spelling in known:
                return known[spelling]
        alike = [move for name, move in known.items() if name.casefold() == wanted.casefold()]
        if len(alike) == 1:  # a game may write its moves with capitals; several moves may differ by them alone
            return alike[0]
        reason = self.why_not(state, wanted)
        if reason is None:
            raise MoveError("{text!r} is not a move of {title}", text=text, title=Message(self.title))
        raise IllegalMoveError("{text} is illegal: {reason}", text=text, reason=reason)

    def normal_move_text(self, text: str) -> str:
        """A move as typed, in the spelling of move_text."""
        return text.strip().lower()

    def why_not(self, state: Any, text: str) -> str | None:
        """Why a text is not a legal move here; None if it is not a move of the game at all."""
        return _("not one of the legal moves") if text else None

    def first_choices(self, position: "Position") -> dict[str, dict[str, tuple[str, str]]]:
        """For games whose moves are chosen in two steps: first choice -> second choice -> (move, what it does).

        Empty where a move is one choice; a person at the terminal is then asked once.
        """
        return {}

    def node_name(self, position: "Position") -> str:
        """What a drawing of a search tree calls this position: the move that led to it."""
        return position.last_move_text or "root"

    def is_drawn_by_history(self, position: "Position") -> bool:
        """Is the game drawn because of the moves that led here, as by a repetition? is_over sees only the state."""
        return False

    def rules_failure(self, position: "Position", error: Exception) -> GameError | None:
        """What to tell the author of the rules, if they fail in this position with this error; None for our own rules.

        error: what the rules raised. Compiled code says little about it, so a game may try the position once more.
        """
        if type(self).__module__.startswith(__name__.partition(".")[0] + "."):
            return None
        return GameError(
            "the rules of {game} failed in the position {position}: {reason}",
            game=self,
            position=position,
            reason=failure_reason(error),
        )

    def symmetries(self, state: Any) -> list[Any]:
        """This state, and those that a turned or mirrored board makes of it. By default, only this state."""
        return [state]

    # -------------------------------------------------------------------------------- what follows from that

    def svg(self, position: "Position", marks: Mapping[str, str] | None = None, **choices: Any) -> str:
        """The picture as SVG; choices: what else this game's pictures can show."""
        return self.picture(position, marks or {}, **choices).svg()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "svg" in vars(cls) and "picture" not in vars(cls):
            warnings.warn(
                f"{cls.__module__}.{cls.__name__} overrides svg(); "
                "override picture(), which returns a Picture, instead: svg() is no longer asked in version 0.3",
                DeprecationWarning,
                stacklevel=2,
            )
            cls.picture = _picture_of_svg  # type: ignore[method-assign, assignment]

    def canonical_key(self, state: Any) -> int:
        """One key for a state and all its symmetries."""
        return min(int(key(symmetric)) for symmetric in self.symmetries(state))

    def new_game_options(self) -> dict[str, Any]:
        """The options of a new game in the lab, if nobody chooses others."""
        return {}

    def opening_name(self, position: "Position") -> str:
        """The name that players have for the opening of the game that led here; empty if it has none."""
        return ""

    def edit_places(self) -> Mapping[str, tuple[float, float, float, float]]:
        """Where the lab's editor is clicked if positions are not a list of cells: the middle, width and height of each
        place in the picture."""
        return {}

    def edited(self, state: Any, place: str, held: str) -> tuple[str, str]:
        """What a click on such a place makes of a position: its text, and the place whose piece the next click moves.

        held: the place that the last click answered; empty if none.
        """
        raise NotImplementedError

    def how_it_ended(self, position: "Position") -> str:
        """What decided a game that was played to the end, as a short phrase; empty if there is nothing to say."""
        return ""

    def varied_start(self, seed: int) -> "Position":
        """A start for the games of a study. In a game with cards, other seeds deal other cards."""
        return self.start()

    def endgame(self, seed: int) -> "Position | None":
        """A random position that the game's solver knows, for puzzles; None if puzzles are found in whole games."""
        return None

    def start(self) -> "Position":
        """The position in which the game begins."""
        return Position(self, self.start_state())

    def position(self, text: "str | int | Position | Iterable[object]") -> "Position":
        """Read a position: the game's own text for it, or the moves from the start (`-` or nothing for the start).

        The moves may also be given one by one, as in `position(["4", "4"])`, and a number stands for its digits.
        """
        if isinstance(text, Position):
            if text.game != self:
                raise PositionError(
                    "{position} is a position of {game}, not of {own}", position=text, game=text.game, own=self
                )
            return text
        text = moves_text(text).strip()
        if text in ("", "-"):
            return self.start()
        state = self.parse_board(text)
        if state is not None:
            return Position(self, state)
        position = self.start()
        for number, move in enumerate(self.split_moves(text), 1):
            try:
                position = position.play(move)
            except MoveError as error:
                raise PositionError(
                    "{title} position {text!r}: move {number}, {error}",
                    title=Message(self.title),
                    text=text,
                    number=number,
                    error=error,
                ) from None
        return position

    @property
    def heuristics(self) -> dict[str, Heuristic]:
        """The built-in heuristics by name, in the order of the source, then the tuned and the learned ones."""
        package = type(self).__module__
        shipped = shipped_heuristics(package, class_of(self.start_state()), str(self))
        return Named(written_heuristics(package) | shipped, package)

    @property
    def layout(self) -> Layout:
        """How positions and moves become arrays for learning frameworks: shape, channels and number of actions."""
        return layout_of(self)

    def __str__(self) -> str:
        return str(Call(self.name, self.options))

    def __repr__(self) -> str:
        return f"<game {self}>"

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Game) and str(self) == str(other))

    def __hash__(self) -> int:
        # Thousands of trees are games of one name: if all had one hash, a cache would compare each with all others.
        return hash(str(self)) if self.options else hash(self.name)


def _picture_of_svg(game: Game, position: "Position", marks: Mapping[str, str]) -> Picture:
    """The picture of a game written for version 0.1, which draws SVG."""
    return read_picture(game.svg(position, marks))


@dataclass(frozen=True, eq=False)
class Position(AsArrays):
    """A position of a game. It is immutable: playing a move gives another position, which knows the one before it."""

    game: Game
    state: Any = field(repr=False)
    parent: "Position | None" = field(default=None, repr=False)
    last_move: int | None = field(default=None, repr=False)

    @property
    def moves(self) -> tuple[str, ...]:
        """The legal moves, as texts, in a fixed order; none once the game is over."""
        if self.is_over:
            return ()
        return tuple(self.game.move_text(self.state, move) for move in self.codes)

    @property
    def codes(self) -> list[int]:
        """The codes of the legal moves, in the same order."""
        return self._asked(moves_of)

    def _asked(self, question: Callable[..., Answer], *arguments: int) -> Answer:
        """What the rules answer to a question about this position. If they fail, GameError tells their author where."""
        try:
            return question(self.state, *arguments)
        except ZermeloError:
            raise
        except Exception as error:
            told = self.game.rules_failure(self, error)
            if told is None:
                raise
            raise told from error

    @property
    def to_move(self) -> int:
        """The player to move: 1 or 2."""
        return int(self._asked(to_move)) + 1

    @property
    def is_over(self) -> bool:
        """Has the game ended?"""
        return bool(self._asked(is_over)) or self.game.is_drawn_by_history(self)

    @property
    def winner(self) -> int | None:
        """1 or 2; None if the game is drawn or not over."""
        if not self._asked(is_over):
            return None
        result = int(self._asked(outcome))
        return None if result == 0 else self.to_move if result > 0 else 3 - self.to_move

    @property
    def margin(self) -> int | None:
        """The result in the game's own points, for player 1; None if the game is not over."""
        if not self.is_over:
            return None
        if not self._asked(is_over):
            return 0
        return int(self._asked(margin)) * (1 if self.to_move == 1 else -1)

    @property
    def key(self) -> int:
        """64 bits that tell positions apart."""
        return int(self._asked(key))

    def play(self, move: object) -> "Position":
        """The position after a move, which is given by its text. IllegalMoveError names the move and the position.

        A number stands for its text, so that 4 is the move `4`. A move of a board, a player's choice and a line of an
        analysis are moves, too.
        """
        text = move_text_of(move)
        if self.is_over:
            raise IllegalMoveError("{move} is illegal: the game is over in {position}", move=text, position=self)
        try:
            return self.play_code(self.game.parse_move(self.state, text))
        except IllegalMoveError as error:
            raise IllegalMoveError("{error} (in the position {position})", error=error, position=self) from None

    def play_code(self, move: int) -> "Position":
        """The position after a legal move given by its code."""
        return Position(self.game, self._asked(play, move), self, int(move))

    @property
    def last_move_text(self) -> str | None:
        """The move that led here."""
        if self.parent is None or self.last_move is None:
            return None
        return self.game.move_text(self.parent.state, self.last_move)

    @property
    def path(self) -> list["Position"]:
        """All positions from the first one to this one."""
        found = list(self._back())
        return found[::-1]

    def _back(self) -> Iterator["Position"]:
        here: Position | None = self
        while here is not None:
            yield here
            here = here.parent

    @property
    def line(self) -> tuple[str, ...]:
        """The moves that led here from the first position."""
        return tuple(p.last_move_text for p in self.path[1:] if p.last_move_text is not None)

    @property
    def past_keys(self) -> tuple[int, ...]:
        """The keys of the positions before this one, in games where positions can come back; otherwise empty."""
        if not can_repeat(self.state):
            return ()
        return tuple(earlier.key for earlier in self.path[:-1])

    def line_texts(self, codes: Iterable[int]) -> tuple[str, ...]:
        """A line of play from here, given by the codes of its moves, as texts."""
        texts, here = [], self
        for move in codes:
            texts.append(here.game.move_text(here.state, move))
            here = here.play_code(move)
        return tuple(texts)

    def board(self) -> str:
        """The board in plain text."""
        return self.game.board(self)

    def as_board(self) -> Any:
        """The position as a board with cells, sets of cells and moves, such as heuristics are given."""
        for board in board_classes(type(self.game).__module__):
            if class_of(self.state) in board.layouts:
                return board(self.state, self.game.move_text)
        raise GameError("{title} has no boards with cells", title=Message(self.game.title))

    def picture(self, marks: Mapping[str, str] | None = None) -> Picture:
        """A picture. marks: a short text to show at the place of each move."""
        return self.game.picture(self, marks or {})

    def svg(self, marks: Mapping[str, str] | None = None) -> str:
        """The picture as SVG."""
        return self.game.svg(self, marks)

    @property
    def label(self) -> str:
        """The name of a picture of it, such as `Connect 4 position 44`."""
        return _("{title} position {position}").format(title=_(self.game.title), position=self)

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.svg().encode()).decode()
        return f'<img alt="{escape(self.label)}" style="max-width: 24em" src="data:image/svg+xml;base64,{data}">'

    def __str__(self) -> str:
        return self.game.position_text(self)

    def __repr__(self) -> str:
        """The position with its board, as a Python prompt shows it."""
        return f"<{self.game} {self}: {self._standing()}>\n{self.board()}"

    def _standing(self) -> str:
        """Who moves, or how the game ended."""
        names = [_(name) for name in self.game.players]
        if not self.is_over:
            return _("{player} to move").format(player=names[self.to_move - 1])
        return _("{player} wins").format(player=names[self.winner - 1]) if self.winner is not None else _("a draw")

    def _identity(self) -> tuple[Any, ...]:
        # Arrays in a state are the game's own data, and the games are compared too.
        return (self.game, *(int(part) for part in self.state if not isinstance(part, np.ndarray)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())


def random_playout(position: Position, seed: int, plies: int | None = None) -> Position:
    """The position after this number of random moves, or at the end of the game. The same seed gives the same moves."""
    number = np.uint64(seed & 0xFFFFFFFFFFFFFFFF)
    played = 0
    while not position.is_over and (plies is None or played < plies):
        number = mix(np.uint64((int(number) + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF))
        moves = position.codes
        position = position.play_code(moves[int(number) % len(moves)])
        played += 1
    return position
