"""Nodes: what a user's search sees of a position. In plain Python they are objects, in compiled code plain structures.

A node is a state, the address of the record that the lab keeps (record.py), its distance from the root, and the move
that led to it. compiled_nodes.py says the same for compiled code.
"""

from collections.abc import Callable, Iterator
from typing import Any

from zermelo.boards import Board, Move, Moves, board_class_of
from zermelo.core.state import class_of
from zermelo.rules import end_score, is_over, key, moves_of, play, to_move
from zermelo.searches.own.watching import (
    NO_BOARD,
    NOT_A_MOVE,
    TOO_DEEP,
    TooDeep,
    count_child,
    enter_node,
    leave_node,
    points,
)
from zermelo.searches.workspace import PLIES

MAX, MIN = 1, -1
"""The player to move at the root of a search, and the other one."""


class Node:
    """A position in a user's search.

    node.is_over                 has the game ended?
    node.value                   the heuristic's value for the player to move, or the true result of an ended game
    node.value_for(z.MAX)        the same for the player to move at the root; z.MIN is the other one
    node.children()              the nodes after each legal move
    node.moves(), node.play(m)   the legal moves; the node after one of them
    node.is_max, node.player     does MAX move here? z.MAX or z.MIN
    node.move                    the move that led here; None at the root
    node.board                   the position as a board
    node.key                     a number that tells positions apart, for a table
    """

    __slots__ = ("_evaluate", "_ply", "_serial", "_work", "move", "state")

    def __init__(self, state: Any, work: Any, evaluate: Callable[[Any, int], int], *place: Any):
        """place: for all nodes but the root, the number of plies to it, and the move."""
        self.state, self._work, self._evaluate = state, work, evaluate
        self._ply, self.move = place or (0, None)
        self._serial = int(work.generated) if place else -1

    @property
    def is_over(self) -> bool:
        """Has the game ended?"""
        return bool(is_over(self.state))

    @property
    def value(self) -> float:
        """The value for the player to move, in points."""
        if is_over(self.state):
            return float(points(end_score(self.state, self._ply)))
        self._work.evaluated += 1
        return float(points(self._evaluate(self.state, int(self._work.weights))))

    def value_for(self, player: int) -> float:
        """The value for z.MAX or z.MIN, in points."""
        return self.value if player == self.player else -self.value

    @property
    def is_max(self) -> bool:
        """Does the player to move at the root move here too?"""
        return bool(to_move(self.state) == self._work.root)

    @property
    def player(self) -> int:
        """z.MAX or z.MIN, whoever moves here."""
        return MAX if self.is_max else MIN

    @property
    def board(self) -> Board:
        """The position as a board."""
        board_class = board_class_of(class_of(self.state))
        if board_class is None:
            raise AttributeError(NO_BOARD)
        made: Board = board_class(self.state)
        return made

    @property
    def key(self) -> int:
        """A number of 64 bits that tells positions apart."""
        return int(key(self.state)) & (1 << 63) - 1

    def moves(self) -> Moves:
        """The legal moves."""
        cls = class_of(self.state)
        return Moves([Move(code, str(code), None, cls) for code in moves_of(self.state)])

    def play(self, move: Move) -> "Node":
        """The node after one of its moves."""
        if not isinstance(move, Move) or move.state_class is not class_of(self.state):
            raise TypeError(NOT_A_MOVE)
        return self._after(move)

    def children(self) -> Iterator["Node"]:
        """The nodes after each legal move, in the game's order."""
        moves = list(self.moves())
        self._work.begun += bool(moves)
        for number, move in enumerate(moves, 1):
            self._work.begun -= number == len(moves)
            yield self._after(move)

    def _after(self, move: Move) -> "Node":
        if self._ply >= PLIES:
            raise TooDeep(TOO_DEEP)
        count_child(self._work)
        return Node(play(self.state, move.code), self._work, self._evaluate, self._ply + 1, move)

    def __repr__(self) -> str:
        return f"<node {self.board}>"


def enter(node: Any, depth: Any, alpha: Any, beta: Any) -> None:
    """The search arrives at a node. (Called by code that instrument.py adds; the first argument may be anything.)"""
    if isinstance(node, Node):
        move = 0 if node.move is None else node.move.code
        enter_node(node._work, node.state, node._ply, node._serial, move, int(depth), float(alpha), float(beta))


def leave(node: Any, result: Any) -> Any:
    """The search leaves a node; the same result."""
    value = result[0] if isinstance(result, tuple) and result else result
    if isinstance(node, Node) and isinstance(value, (int, float)):
        move = 0 if node.move is None else node.move.code
        leave_node(node._work, node.state, node._ply, move, float(value))
    return result
