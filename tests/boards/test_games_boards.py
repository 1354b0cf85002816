"""What the boards of Hex, Onitama, Parcheckers and trees add, compared with the rules and with the printed position."""

import functools

import pytest

import zermelo as z
from conftest import dose
from zermelo.core import njit
from zermelo.games import find_game
from zermelo.games.onitama import notation as onitama_text
from zermelo.games.onitama.cards import NUMBER as CARD_NUMBERS
from zermelo.games.parcheckers import rules as parcheckers
from zermelo.position import random_playout
from zermelo.rules import margin

NUMBER = dose(40, 8)


@functools.cache
def compiled(function):
    return njit(function)


def both(function, *arguments):
    plain = function(*arguments)
    assert compiled(function)(*arguments) == plain
    return plain


def positions(game, most):
    start = find_game(game).start()
    return [random_playout(start, seed, seed * most // NUMBER) for seed in range(NUMBER)]


# ------------------------------------------------------------------------------------------ cells as printed


@pytest.mark.parametrize("game", ["hex(size=5)", "hex(size=8)", "hex(size=11)"])
def test_hex_is_what_is_printed(game):
    for position in positions(game, 40):
        rows, side = str(position).split()
        signs = {".": 0, side.upper(): 1, "W" if side == "b" else "B": -1}
        board = position.as_board()
        assert board.grid().tolist() == [[signs[stone] for stone in row] for row in rows.split("/")]
        assert board.size == board.rows == board.columns and board.is_black == (side == "b")


def test_onitama_is_what_is_printed():
    for position in positions("onitama", 60):
        rows, red, blue, side, mover = str(position).split()
        kinds = {".": 0, mover: 1, mover.upper(): 2}
        other = "b" if mover == "r" else "r"
        kinds |= {other: -1, other.upper(): -2}
        board = position.as_board()
        assert board.grid().tolist() == [[kinds[piece] for piece in row] for row in rows.split("/")]
        hands = [",".join(map(onitama_text.card_name, board.cards(whose))) for whose in (z.MINE, z.THEIRS)]
        assert sorted(hands[0].split(",")) == sorted((red if mover == "r" else blue).split(","))
        assert sorted(hands[1].split(",")) == sorted((blue if mover == "r" else red).split(","))
        assert onitama_text.card_name(board.side_card) == side
        assert board.forward == (-1 if mover == "r" else 1)


# ------------------------------------------------------------------------------------------ Hex


def hex_numbers(board):
    edges = board.start(z.MINE) | board.goal(z.MINE)
    return (
        board.distance(z.MINE),
        board.distance(z.THEIRS),
        len(board.start(z.THEIRS) & board.goal(z.MINE)),
        len(edges & board.mine.neighbours()),
        len(board.mine & z.cells("a1-a3 c2")),
        len(z.cells("b2") & board.empty),
        board.size,
        board.is_black,
    )


@pytest.mark.parametrize("game", ["hex(size=3)", "hex(size=7)", "hex(size=9)", "hex(size=19)"])
def test_hex_edges_distances_and_names(game):
    for position in positions(game, 40):
        board = position.as_board()
        numbers = both(hex_numbers, board)
        last = board.size - 1
        top, bottom = ({(row, column) for column in range(board.size)} for row in (0, last))
        assert set(board.start(z.MINE)) == (top if board.is_black else {(c, r) for r, c in top})
        assert set(board.goal(z.MINE)) == (bottom if board.is_black else {(c, r) for r, c in bottom})
        named = {(0, 0), (1, 0), (2, 0), (1, 2)} & set(board.cells())
        assert numbers[4] == len(named & set(board.mine))
        if position.is_over:
            assert board.distance(z.THEIRS) == 0


def test_the_neighbours_of_a_hex_cell_are_six():
    board = find_game("hex(size=11)").position("f6").as_board()
    assert set(board.theirs) == {(5, 5)}
    assert set(board.theirs.neighbours()) == {(4, 5), (4, 6), (5, 4), (5, 6), (6, 4), (6, 5)}


# ------------------------------------------------------------------------------------------ Onitama


def onitama_numbers(board):
    first, second = board.cards(z.MINE)
    return (
        board.targets(z.MINE),
        board.targets(z.THEIRS),
        board.reach(z.MINE, board.side_card),
        first + 100 * second + 10_000 * board.side_card,
        board.forward,
        len(board.arch(z.MINE) & board.masters),
        len(board.masters),
    )


def onitama_cards(board):
    first, second = board.cards(z.MINE)
    return 100 * first + second + (10_000 if board.side_card == TIGER else 0)


TIGER = CARD_NUMBERS["tiger"]


def test_onitama_cards_are_numbers_that_print_as_names():
    board = find_game('onitama(cards="boar ox elephant horse tiger")').start().as_board()
    assert sorted(map(str, board.cards(z.MINE))) in (["boar", "ox"], ["elephant", "horse"])
    assert f"{board.side_card}" == "tiger" and repr(board.side_card) == "tiger"
    first, second = (CARD_NUMBERS[str(card)] for card in board.cards(z.MINE))
    assert both(onitama_cards, board) == 100 * first + second + 10_000


def test_onitama_targets_are_where_moves_lead():
    for position in positions("onitama", 60):
        board = position.as_board()
        targets = both(onitama_numbers, board)[0]
        ends = [str(move).partition("-")[2] for move in board.moves() if not str(move).startswith("swap")]
        if not position.is_over:
            assert set(targets) == {(5 - int(end[1]), "abcde".index(end[0])) for end in ends}


# ------------------------------------------------------------------------------------------ Parcheckers


def parcheckers_numbers(board):
    total = 0
    for whose in (z.MINE, z.THEIRS):
        for piece in board.pieces(whose):
            total = total * 7 + piece.distance + 80 * piece.square + piece.colour + piece.number & 0xFFFFFFFF
            flags = piece.is_home + 2 * piece.is_safe + 4 * piece.is_in_corridor + 8 * piece.is_finished
            total = total * 5 + flags + 16 * piece.is_in_wall + 32 * piece.is_exposed & 0xFFFFFFFF
            total = total * 3 + board.can_be_captured(piece) & 0xFFFFFFFF
        dice = board.dice(whose)
        total += dice.one + 2 * dice.two + 4 * dice.four + 8 * dice.five + 16 * dice.six + 32 * dice.special
        total = total * 3 + dice.left + 100 * dice.bonus + board.captures(whose) + board.bounces(whose) & 0xFFFFFFFF
    return total, board.has_second_turn, len(board.moves())


def captured_by_moves(position):
    """The places of the enemy pieces that a legal move sends home."""
    enemies = range(4, 8) if position.to_move == 1 else range(4)
    found = set()
    for move in position.moves:
        after = position.play(move).state
        for place in enemies:
            before = parcheckers.distance_of(position.state.pieces, place)
            if before != parcheckers.HOME == parcheckers.distance_of(after.pieces, place):
                found.add(place)
    return found


def test_parcheckers_pieces_dice_and_captures():
    captures = 0
    for position in positions("parcheckers", 80):
        board = position.as_board()
        both(parcheckers_numbers, board)
        for whose, player in ((z.MINE, position.to_move), (z.THEIRS, 3 - position.to_move)):
            pieces = board.pieces(whose)
            assert [piece.number for piece in pieces] == list(range(4 * player - 4, 4 * player))
            for piece in pieces:
                assert piece.distance == parcheckers.distance_of(position.state.pieces, piece.number)
                assert (piece.square > 0) == (8 <= piece.distance < 76)
                assert piece.is_safe == (piece.square in parcheckers.SAFE_SQUARES)
                assert piece.is_home == (piece.distance == 76) and piece.is_finished == (piece.distance == 0)
            assert board.dice(whose).left == sum(board.dice(whose)[:6])
        if not position.is_over:
            expected = captured_by_moves(position)
            theirs = board.pieces(z.THEIRS)
            assert {piece.number for piece in theirs if board.can_be_captured(piece)} == expected
            assert board.captures(z.MINE) == len(expected)
            captures += len(expected)
    assert captures > 0 or dose(1, 0) == 0


def test_a_board_without_cells_says_so():
    board = find_game("parcheckers").start().as_board()
    with pytest.raises(AttributeError, match="a Parcheckers board has no 'rows'"):
        board.rows  # noqa: B018
    for way in (len, iter, lambda board: board[0, 0]):
        with pytest.raises(TypeError, match="no rows, columns and cells"):
            way(board)
    assert "Parcheckers board" in repr(board)


# ------------------------------------------------------------------------------------------ trees


def tree_numbers(board):
    below = board.child(0).score if not board.is_over else 0
    last = board.child(-1).children if not board.is_over else 0
    return board.children, board.score, board.is_max, board.node, below, last


@pytest.mark.parametrize("game", ["tree/course", "tree/theory"])
def test_trees_have_children_and_scores(game):
    start = find_game(game).start()
    board = start.as_board()
    assert [str(move) for move in board.moves()] == list(start.moves)
    below = start.play(start.moves[0])
    assert [str(move) for move in board.play(board.moves()[0]).moves()] == list(below.moves)
    for seed in range(NUMBER):
        for position in random_playout(find_game(game).start(), seed).path:
            children, score, is_max, node, below, last = both(tree_numbers, position.as_board())
            assert children == len(position.moves) and is_max == (position.to_move == 1)
            assert node == position.state.node
            if position.is_over:
                assert score == margin(position.state)
            else:
                first = position.play(position.moves[0])
                assert below == (margin(first.state) if first.is_over else 0)
                assert last == len(position.play(position.moves[-1]).moves) and score == 0
