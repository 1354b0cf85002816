"""Moves of nodes and of boards can be compared, compiled and as plain Python."""

import zermelo as z
from zermelo.searches.own.running import run_own


@z.search
def second_move(node, depth):
    """The second legal move, found by comparing it with the first; 1 for each move that differs from the first."""
    first, chosen, others = node.moves()[0], node.moves()[0], 0.0
    for move in node.moves():
        if move != first:
            others += 1
            if chosen == first:
                chosen = move
    return others, chosen


@z.heuristic
def others(board: z.TicTacToe):
    """The number of moves that are not the first one."""
    return sum(1 for move in board.moves() if move != board.moves()[0]) + sum(
        10 for move in board.moves() if move == board.moves()[0]
    )


def test_moves_are_equal_if_they_are_the_same_move():
    start = z.game("tictactoe").start()
    found = run_own(second_move, start.state, start.game.heuristics[start.game.default_heuristic], 1)
    assert start.game.move_text(start.state, found.move) == start.moves[1]
    assert found.score.number == 8
    assert others(start) == 18
