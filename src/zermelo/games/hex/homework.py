"""Homework in the style of the Hex report as it was handed in: a class of players with `play(board)`.

The course's player 1 moves first and joins column 0 to the last, and its player 2 joins row 0 to the last. Our first
player joins the rows, so a board of the course is ours with rows and columns exchanged, which changes no neighbours.
"""

import ast
import inspect
from types import ModuleType
from typing import Any, ClassVar

from zermelo.errors import ZermeloError, marked
from zermelo.games.hex.boards import BLACK, WHITE
from zermelo.games.hex.notation import cell_text, cells_of
from zermelo.homework import PlayerStyle, mentions, methods_of, stand_in

NEIGHBOURS = ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1))  # rows and columns from a cell to those that touch it
USUAL_SECONDS = 5.0
"""What a player is told that it has for a move, if it asks for it and there is no limit."""


class HexBoard:
    """A board as the course sees it: 0 is an empty cell, 1 and 2 are the players' stones."""

    def __init__(self, size: int):
        self.size = size
        self.board = [[0] * size for _ in range(size)]
        self.player_positions: dict[int, set[tuple[int, int]]] = {1: set(), 2: set()}

    def clone(self) -> "HexBoard":
        """A copy of the board."""
        other = HexBoard(self.size)
        other.board = [list(row) for row in self.board]
        other.player_positions = {player: set(cells) for player, cells in self.player_positions.items()}
        return other

    def place_piece(self, row: int, col: int, player_id: int) -> bool:
        """Place a stone on an empty cell; False if the cell is taken."""
        if self.board[row][col] != 0:
            return False
        self.board[row][col] = player_id
        self.player_positions[player_id].add((row, col))
        return True

    def get_possible_moves(self) -> list[tuple[int, int]]:
        """The empty cells, row by row."""
        return [(row, col) for row in range(self.size) for col in range(self.size) if self.board[row][col] == 0]

    def get_neighbors(self, row: int, col: int) -> list[tuple[int, int]]:
        """The cells that touch a cell."""
        near = [(row + down, col + right) for down, right in NEIGHBOURS]
        return [(r, c) for r, c in near if 0 <= r < self.size and 0 <= c < self.size]

    def check_connection(self, player_id: int) -> bool:
        """Has this player joined its two edges?"""
        along = 1 if player_id == 1 else 0  # which coordinate goes from edge to edge
        stones = {(r, c) for r, row in enumerate(self.board) for c, stone in enumerate(row) if stone == player_id}
        waiting = [cell for cell in stones if cell[along] == 0]
        reached = set(waiting)
        while waiting:
            cell = waiting.pop()
            if cell[along] == self.size - 1:
                return True
            new = {near for near in self.get_neighbors(*cell) if near in stones} - reached
            reached |= new
            waiting += new
        return False


class Player:
    """What the course's players are derived from."""

    def __init__(self, player_id: int):
        self.player_id = player_id


def course_board(state: Any) -> HexBoard:
    """The board of a state as the course sees it."""
    made = HexBoard(int(state.size))
    for player in (BLACK, WHITE):
        for cell in cells_of(state, player):
            made.place_piece(cell % made.size, cell // made.size, player + 1)
    return made


class CourseStyle(PlayerStyle):
    """The style of the Hex course."""

    course = marked("the Hex course")
    bases = ("Player",)
    method = "play"
    form = "def play(self, board):"
    game = "hex"
    FILES: ClassVar = (
        "Player",
        "player",
        "Board",
        "board",
        "HexBoard",
        "hex_board",
        "hexboard",
        "base",
        "basic_classes",
    )

    def fits(self, part: ast.ClassDef) -> bool:
        return self.method in methods_of(part) and mentions(part, "player_id")

    def modules(self) -> dict[str, ModuleType]:
        return {name: stand_in(name, {"HexBoard": HexBoard, "Player": Player}) for name in self.FILES}

    def player(self, cls: Any, player: int, arguments: list[Any], options: dict[str, Any]) -> Any:
        own = {name: value for name, value in options.items() if name not in _parameters(cls.play)}
        made = cls(player + 1, *arguments, **own)
        self._given(made, HexBoard(2), options, None)
        return made

    def wants_seconds(self, cls: Any) -> bool:
        return "max_time" in _parameters(getattr(cls, self.method, None) or _parameters)

    def answer(self, made: Any, state: Any, options: dict[str, Any], seconds: float | None) -> Any:
        board = course_board(state)
        return made.play(board, **self._given(made, board, options, seconds))

    def _given(self, made: Any, board: HexBoard, options: dict[str, Any], seconds: float | None) -> dict[str, Any]:
        """What play gets besides the board: options of these names, and what other hand-ins of the course ask for."""
        taken = [*_parameters(made.play).items()]
        others = dict(taken[1:])
        known = {
            "max_time": USUAL_SECONDS if seconds is None else seconds,
            "possible_moves": board.get_possible_moves(),
        }
        given = {name: value for name, value in (known | options).items() if name in others}
        needed = {
            name for name, one in others.items() if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD
        }
        if not taken or needed - set(given):
            raise ZermeloError("{name} must take one board; write {form}", name=self.method, form=self.form)
        return given

    def move(self, state: Any, answer: Any) -> str | None:
        try:
            row, column = (int(one) for one in answer)
        except (TypeError, ValueError):
            return None
        size = int(state.size)
        return cell_text(column * size + row, size) if 0 <= row < size and 0 <= column < size else f"({row}, {column})"


def _parameters(method: Any) -> dict[str, Any]:
    return {name: one for name, one in inspect.signature(method).parameters.items() if name != "self"}


STYLE = CourseStyle()
