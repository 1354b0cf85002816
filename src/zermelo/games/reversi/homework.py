"""Homework of the Reversi course as it was handed in: `class Solution1(StudentHeuristic)` with `evaluation_function`.

The objects have the names of the course's framework, as far as the listings of the Reversi report and other hand-ins
use them. A square is (column, row), both from 1; an empty square is missing from the board. Player 1 is black, `B`.
"""

import ast
import copy
import inspect
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from zermelo.core import count
from zermelo.errors import Message, ZermeloError, marked
from zermelo.games.reversi import rules
from zermelo.games.reversi.rules import FIRST_COLUMN, FIRST_ROW, MOST, ROW, targets
from zermelo.homework import LONGEST_NAME, HeuristicStyle, methods_of, stand_in

BLACK, WHITE = "B", "W"
Square = tuple[int, int]

SQUARES: list[tuple[int, Square]] = [
    (1 << ROW * row + column, (column + 1, row + 1)) for column in range(MOST) for row in range(MOST)
]
"""The bit of each square of the 8x8 board and the square, column after column, as the course lists moves."""
BITS = {square: bit for bit, square in SQUARES}
DIRECTIONS = [(right, down) for right in (-1, 0, 1) for down in (-1, 0, 1) if right or down]


# ------------------------------------------------------------------------------------------ the course's objects


class Player:
    """A player, as the course sees one."""

    def __init__(self, name: str = "", strategy: Any = None, delay: int = 0):
        self.name, self.strategy, self.delay = name, strategy, delay
        self.label: Any = None


class TwoPlayerGame:
    """A game, as the course sees one."""

    n_players = 2

    def __init__(self, name: str, player1: Player, player2: Player):
        self.name, self.player1, self.player2 = name, player1, player2

    def opponent(self, player: Player) -> Player:
        """The other player."""
        return self.player2 if player.label == self.player1.label else self.player1


class Reversi(TwoPlayerGame):
    """The rules, for any board that is a dictionary."""

    def __init__(self, player1: Player, player2: Player, height: int = MOST, width: int = MOST):
        super().__init__("Reversi", player1, player2)
        player1.label, player2.label = BLACK, WHITE
        self.height, self.width = height, width
        self.max_score = height * width
        self.min_score = -self.max_score

    def initialize_board(self) -> dict[Square, str]:
        """The board at the start of a game."""
        black, white = rules.start_discs(self.width, self.height)
        return _dictionary(black, white)

    def _get_valid_moves(self, board: dict[Square, str], player_label: str) -> list[Square]:
        """The squares where a player can place a disc."""
        mine = theirs = 0
        for square, label in board.items():
            if label == player_label:
                mine |= BITS.get(square, 0)
            else:
                theirs |= BITS.get(square, 0)
        found = int(targets(np.uint64(mine), np.uint64(theirs)))
        return [
            square for bit, square in SQUARES if found & bit and square[0] <= self.width and square[1] <= self.height
        ]

    def _capture_enemy_in_dir(
        self, board: dict[Square, str], move: Square, player_label: str, delta_x_y: Square
    ) -> list[Square]:
        """The discs that a move flips along a line, in both directions."""
        right, down = delta_x_y
        return [*_flipped(board, move, player_label, right, down), *_flipped(board, move, player_label, -right, -down)]

    def _enemy_captured_by_move(self, board: dict[Square, str], move: Square, player_label: str) -> list[Square]:
        """All discs that a move flips."""
        return [square for step in DIRECTIONS for square in _flipped(board, move, player_label, *step)]

    def _player_coins(self, board: dict[Square, str], player_label: str) -> int:
        return list(board.values()).count(player_label)

    def _coin_diff(self, board: dict[Square, str]) -> float:
        """White's discs minus black's, in percent of all discs."""
        return 100 * (self._player_coins(board, WHITE) - self._player_coins(board, BLACK)) / len(board)

    def _choice_diff(self, board: dict[Square, str]) -> float:
        """Black's possible moves minus white's, in percent of both."""
        return _percentage(len(self._get_valid_moves(board, BLACK)), len(self._get_valid_moves(board, WHITE)))

    def _corner_diff(self, board: dict[Square, str]) -> float:
        """Black's corners minus white's, in percent of those that are taken."""
        corners = [board.get((column, row)) for column in (1, self.width) for row in (1, self.height)]
        return _percentage(corners.count(BLACK), corners.count(WHITE))

    def generate_successors(self, state: "TwoPlayerGameState") -> list["TwoPlayerGameState"]:
        """The states after each move of the player to move; if there is none, the state after a pass."""
        label, successors = state.next_player.label, []
        for move in self._get_valid_moves(state.board, label):
            flipped = dict.fromkeys(self._enemy_captured_by_move(state.board, move, label), label)
            code = f"({move[1]}, {chr(ord('a') - 1 + move[0])})"
            successors.append(state.generate_successor(state.board | {move: label} | flipped, code))
        return successors or [state.generate_successor(dict(state.board), None)]

    def score(self, state: "TwoPlayerGameState") -> tuple[bool, Any]:
        """Is the game over, and how many discs does each player have?"""
        moves = [self._get_valid_moves(state.board, label) for label in (BLACK, WHITE)]
        return not any(moves), np.array([self._player_coins(state.board, label) for label in (BLACK, WHITE)], float)


def _flipped(board: dict[Square, str], move: Square, label: str, right: int, down: int) -> list[Square]:
    """The discs that a move flips in one direction."""
    found: list[Square] = []
    column, row = move[0] + right, move[1] + down
    while board.get((column, row), label) != label:
        found.append((column, row))
        column, row = column + right, row + down
    return found if (column, row) in board else []


def _percentage(first: int, second: int) -> float:
    return 100 * (first - second) / (first + second) if first + second else 0


HISTORY = ("parent", "previous_player", "move_code")


class TwoPlayerGameState:
    """A position, as the course sees one."""

    def __init__(
        self,
        game: Any = None,
        initial_player: Any = None,
        player_max: Any = None,
        board: Any = None,
        move_code: Any = None,
        parent: Any = None,
    ):
        self.game, self.next_player, self.player_max, self.board = game, initial_player, player_max, board
        if parent is not None:
            self.parent, self.previous_player, self.move_code = parent, parent.next_player, move_code

    def __getattr__(self, name: str) -> Any:
        if name in ("end_of_game", "scores"):
            self.end_of_game, self.scores = self.game.score(self)
            return self.__dict__[name]
        if name in HISTORY:
            why = Message(
                "the lab does not know the moves before a position, so state.{name} has no value here", name=name
            )
            raise AttributeError(why, name=name, obj=None)
        raise AttributeError(name, name=name, obj=self)

    @property
    def player1(self) -> Player:
        player: Player = self.game.player1
        return player

    @property
    def player2(self) -> Player:
        player: Player = self.game.player2
        return player

    def is_player_max(self, player: Player) -> bool:
        """Is this the player who is searching?"""
        return bool(player.label == self.player_max.label)

    def clone(self) -> "TwoPlayerGameState":
        """A copy that shares nothing with this state."""
        return copy.deepcopy(self)

    def generate_successor(self, board_successor: Any = None, move_code: Any = None) -> "TwoPlayerGameState":
        """The state with this board and the other player to move."""
        return TwoPlayerGameState(
            self.game, self.game.opponent(self.next_player), self.player_max, board_successor, move_code, self
        )


def _dictionary(black: int, white: int) -> dict[Square, str]:
    """The board as the course keeps it."""
    discs = {square: BLACK for bit, square in SQUARES if black & bit}
    return discs | {square: WHITE for bit, square in SQUARES if white & bit}


def course_state(state: Any, top: int) -> TwoPlayerGameState:
    """A state as the course sees it; top: the player who is searching, 0 or 1."""
    squares, mine, theirs = rules.board(state), int(state.mine), int(state.theirs)
    black, white = (theirs, mine) if state.player else (mine, theirs)
    players = Player("player 1"), Player("player 2")
    game = Reversi(*players, height=int(count(squares & FIRST_COLUMN)), width=int(count(squares & FIRST_ROW)))
    return TwoPlayerGameState(game, players[int(state.player)], players[top], _dictionary(black, white))


# ------------------------------------------------------------------------------------------ the course's functions


def from_array_to_dictionary_board(board_array: Sequence[Sequence[str]] | None) -> dict[Square, str] | None:
    """The board whose rows are these texts; a full stop is an empty square."""
    if board_array is None:
        return None
    return {
        (column, row): label
        for row, labels in enumerate(board_array, 1)
        for column, label in enumerate(labels, 1)
        if label != "."
    }


def from_dictionary_to_array_board(board_dictionary: dict[Square, str], height: int, width: int) -> list[str]:
    """The rows of a board as texts; a full stop is an empty square."""
    return [
        "".join(board_dictionary.get((column, row), ".") for column in range(1, width + 1))
        for row in range(1, height + 1)
    ]


def simple_evaluation_function(state: TwoPlayerGameState) -> float:
    """A random number; at the end of the game, the difference of the discs for MAX."""
    return _for_max(state, float(state.scores[0] - state.scores[1])) if state.end_of_game else np.random.uniform(-1, 1)


def complex_evaluation_function(state: TwoPlayerGameState) -> float:
    """How few moves there are; at the end of the game, the difference of the discs for MAX."""
    if state.end_of_game:
        return _for_max(state, float(state.scores[0] - state.scores[1]))
    return _for_max(state, -len(state.game.generate_successors(state)))


def _for_max(state: TwoPlayerGameState, value: float) -> float:
    return value if state.is_player_max(state.player1) else -value


class StudentHeuristic:
    """What the course's heuristics are derived from."""

    def __init__(self) -> None:
        pass

    def get_name(self) -> str | None:
        return None


class Heuristic:
    """A named evaluation function."""

    def __init__(self, name: str, evaluation_function: Callable[[TwoPlayerGameState], float]):
        self.name, self.evaluation_function = name, evaluation_function

    def evaluate(self, state: TwoPlayerGameState) -> float:
        return self.evaluation_function(state.clone())

    def get_name(self) -> str:
        return self.name


STRATEGIES = ("Strategy", "RandomStrategy", "ManualStrategy", "MinimaxStrategy", "MinimaxAlphaBetaStrategy")


# ------------------------------------------------------------------------------------------ the style


class CourseStyle(HeuristicStyle):
    """The style of the Reversi course."""

    course = marked("the Reversi course")
    bases = ("StudentHeuristic",)
    method = "evaluation_function"
    form = "def evaluation_function(self, state):"
    classes: ClassVar = (rules.Reversi, rules.ReversiBoard)

    def fits(self, part: ast.ClassDef) -> bool:
        return self.method in methods_of(part)

    def modules(self) -> dict[str, ModuleType]:
        game = {"Player": Player, "TwoPlayerGame": TwoPlayerGame, "TwoPlayerGameState": TwoPlayerGameState}
        functions = (simple_evaluation_function, complex_evaluation_function)
        boards = (from_array_to_dictionary_board, from_dictionary_to_array_board)
        made = [
            stand_in("game", game, ["TwoPlayerMatch"]),
            stand_in("heuristic", {"Heuristic": Heuristic} | {one.__name__: one for one in functions}),
            stand_in("reversi", {"Reversi": Reversi} | {one.__name__: one for one in boards}),
            stand_in("strategy", {}, STRATEGIES),
            stand_in("tournament", {"StudentHeuristic": StudentHeuristic}, ["Tournament"]),
        ]
        return {module.__name__: module for module in made}

    def evaluation(self, cls: Any) -> Callable[[Any, int], Any]:
        evaluate = cls().evaluation_function
        try:
            inspect.signature(evaluate).bind(None)
        except TypeError:
            raise ZermeloError("{name} must take one state; write {form}", name=self.method, form=self.form) from None
        return lambda state, top: evaluate(course_state(state, top))

    def title(self, cls: Any) -> str:
        try:
            name = cls().get_name()
        except Exception:  # the evaluation tells what is wrong with the class
            return ""
        return " ".join(name.split())[:LONGEST_NAME] if isinstance(name, str) else ""


STYLE = CourseStyle()
