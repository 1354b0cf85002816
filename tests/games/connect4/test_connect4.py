"""Connect 4: the report's heuristics against a second, slow program that reads the board cell by cell."""

import re
from xml.etree import ElementTree

import pytest

from conftest import dose
from zermelo.errors import GameError, PositionError
from zermelo.games import find_game
from zermelo.games.connect4.notation import column_count, row_count, stone_at
from zermelo.position import random_playout

SIZES = ["connect4", "connect4(columns=5, rows=4)", "connect4(columns=8, rows=7)", "connect4(columns=4, rows=5)"]


def positions(name, number):
    game = find_game(name)
    for seed in range(number):
        length = len(random_playout(game.start(), seed).path) - 1
        yield random_playout(game.start(), seed, seed * 7 % length)


def cells(position):
    """(columns, rows, {(column, row): 1 for a stone of the player to move, -1 for the opponent's}) of a position."""
    state = position.state
    board = {}
    for column in range(column_count(state)):
        for row in range(row_count(state)):
            stone = stone_at(state, column, row)
            if stone:
                board[column, row] = 1 if stone == position.to_move else -1
    return column_count(state), row_count(state), board


def windows(columns, rows, steps):
    for column in range(columns):
        for row in range(rows):
            for dc, dr in steps:
                window = [(column + i * dc, row + i * dr) for i in range(4)]
                if all(0 <= c < columns and 0 <= r < rows for c, r in window):
                    yield window


STRAIGHT = [(1, 0), (0, 1)]
ALL = [*STRAIGHT, (1, 1), (1, -1)]


def slow_lines(position, base, steps):
    columns, rows, board = cells(position)
    total = 0
    for window in windows(columns, rows, steps):
        owners = {board[cell] for cell in window if cell in board}
        if len(owners) == 1:
            total += owners.pop() * base ** sum(cell in board for cell in window)
    return total


def slow_parity(position, three_good):
    columns, rows, board = cells(position)
    total = 0
    for window in windows(columns, rows, ALL):
        owners = {board[cell] for cell in window if cell in board}
        if len(owners) != 1:
            continue
        owner = owners.pop()
        player = position.to_move if owner == 1 else 3 - position.to_move
        empty = [cell for cell in window if cell not in board]
        good = [(row % 2 == 0) == (player == 1) for _, row in empty]  # row 0 is the first, an odd one
        stones = 4 - len(empty)
        if stones == 1:
            total += owner * 2
        elif stones == 2:
            total += owner * sum(3 if is_good else 2 for is_good in good)
        else:
            total += owner * (three_good if good[0] else 8)
    return total


def slow_directions(position):
    columns, rows, board = cells(position)
    total = 0
    for column in range(columns):
        height = sum((column, row) in board for row in range(rows))
        if height == 0:
            continue
        owner = board[column, height - 1]
        for dc, dr in [(0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1), (-1, -1), (1, 1)]:
            run = 0
            while board.get((column + run * dc, height - 1 + run * dr)) == owner:
                run += 1
            total += owner * {1: 10, 2: 100, 3: 1000}[run]
    return total


SLOW = {
    "lines10": lambda p: slow_lines(p, 10, STRAIGHT),
    "lines2": lambda p: slow_lines(p, 2, STRAIGHT),
    "lines10_diagonals": lambda p: slow_lines(p, 10, ALL),
    "lines2_diagonals": lambda p: slow_lines(p, 2, ALL),
    "parity12": lambda p: slow_parity(p, 12),
    "parity10": lambda p: slow_parity(p, 10),
    "directions": slow_directions,
}


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("heuristic", SLOW)
def test_heuristics_count_what_they_say(name, heuristic):
    for position in positions(name, dose(40, 6)):
        assert position.game.heuristics[heuristic](position) == SLOW[heuristic](position), str(position)


def test_centre_counts_the_middle():
    wide = find_game("connect4(columns=8, rows=7)")
    assert find_game("connect4").heuristics["centre"](find_game("connect4").position("4142")) == 6
    assert wide.heuristics["centre"](wide.position("4555")) == -3 + 3 - 3 + 3 + 0
    assert wide.heuristics["centre"](wide.position("41")) == 3


@pytest.mark.parametrize("name", SIZES)
def test_the_end_is_seen_by_a_slow_look_too(name):
    for seed in range(dose(60, 6)):
        for position in random_playout(find_game(name).start(), seed).path:
            columns, rows, board = cells(position)
            four = any(all(board.get(cell) == -1 for cell in window) for window in windows(columns, rows, ALL))
            assert position.is_over == (four or len(board) == columns * rows)
            assert position.winner == (3 - position.to_move if four else None)


def test_a_full_board_is_a_draw():
    # Columns filled in an order that makes no four; a record of a drawn game made by hand.
    drawn = find_game("connect4").position("121212212121343434434343565656656565777777")
    assert drawn.is_over
    assert drawn.winner is None
    assert drawn.margin == 0


def test_bad_texts_name_the_place():
    game = find_game("connect4")
    for text, part in [
        ("1111111", "move 7, 1 is illegal: column 1 is full"),
        ("128", "move 3, 8 is illegal: the columns are 1 to 7"),
        ("12x", "move 3, 'x' is not a move"),
        ("12121213", "move 8, 3 is illegal: the game is over"),
    ]:
        with pytest.raises(PositionError, match=re.escape(part)):
            game.position(text)
    with pytest.raises(GameError, match="columns=3 is not a number from 4 to 8"):
        find_game("connect4", columns=3)
    with pytest.raises(GameError, match="rows=many"):
        find_game("connect4(rows=many)")


def test_spaces_and_spelling_do_not_matter():
    game = find_game("connect4")
    assert game.position(" 32 44 43 ") == game.position("324443")
    assert str(game.position("")) == "-"
    assert game.position("12") != game.position("21")
    assert game.position("1234") == game.position("3214"), "two ways to the same position"


def test_the_winning_four_is_ringed():
    won = find_game("connect4").position("1212121")
    rings = [e for e in ElementTree.fromstring(won.svg()).iter() if e.get("stroke") == "#fff"]
    assert [e.tag.rpartition("}")[2] for e in rings] == ["circle"] * 4 + ["line"], "and a line goes through it"
