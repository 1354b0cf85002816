"""What Monte Carlo tree search knows about Hex: how random games are played, and what is expected of a move."""

import json
from pathlib import Path

import numpy as np
import pytest

from zermelo.core import mix
from zermelo.games import find_game
from zermelo.games.hex.move_patterns import (
    CELL_PLACE,
    EACH,
    FURTHEST,
    LINE_PLACE,
    RINGS,
    SECTOR_PLACE,
    SIZE,
    WAYS_PLACE,
    write_entries,
)
from zermelo.games.hex.rules import SWAP
from zermelo.position import Position, random_playout
from zermelo.rules import is_over, move_guesses, moves_of, play, random_game, to_move

STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def random_moves(position: Position, seed: int) -> tuple[list[int], list[int], int]:
    """The moves of a random game to the end, who made them, and who won."""
    moves, movers = np.zeros(400, np.int32), np.zeros(400, np.int8)
    last = -1 if position.last_move is None else position.last_move
    end, winner, _ = random_game(position.state, last, np.uint64(mix(np.uint64(seed + 1))), moves, movers, 0)
    return moves[:end].tolist(), movers[:end].tolist(), int(winner)


def replies(position: Position) -> set[str]:
    """The answers to the last move in random games."""
    return {position.game.move_text(position.state, random_moves(position, seed)[0][0]) for seed in range(12)}


def saving_cells(position: Position) -> set[str]:
    """The same from the rules' text: cells between two of mine, or a stone and an edge, around the opponent's stone."""
    rows, side = str(position).split()
    board, mine = [list(row) for row in rows.split("/")], side.upper()
    size = len(board)

    def at(x: int, y: int) -> str:
        return "B" if not 0 <= y < size else "W" if not 0 <= x < size else board[y][x]

    x, y = position.last_move % size, position.last_move // size
    around = [(x + dx, y + dy) for dx, dy in STEPS]
    ring = [at(*cell) for cell in around]
    cells = [around[i] for i in range(6) if ring[i] == "." and ring[i - 1] == mine == ring[(i + 1) % 6]]
    return {f"{chr(ord('a') + u)}{v + 1}" for u, v in cells}


def test_random_games_save_bridges() -> None:
    game = find_game("hex", size=5)
    assert replies(game.position("c3 a1 b5 b4")) == {"c4"}, "b5 and c3 are a bridge, and White has moved into it"
    assert replies(game.position("c4 a1 e1 c5")) == {"b5"}, "the edge is as good as a stone"
    found = 0
    for seed in range(60):
        position = random_playout(find_game("hex", size=4 + 5 * (seed % 2)).start(), seed, plies=4 + seed % 8)
        if not position.is_over:
            expected = saving_cells(position)
            assert replies(position) == expected if expected else len(replies(position)) > 1
            found += bool(expected)
    assert found > 5


def test_random_games_fill_the_board_and_the_player_who_joins_the_edges_wins() -> None:
    winners = set()
    for seed in range(60):
        position = random_playout(find_game("hex", size=(2, 5, 9, 11)[seed % 4]).start(), seed, plies=seed % 4)
        if position.is_over:
            continue
        moves, movers, winner = random_moves(position, seed)
        assert sorted(moves) == moves_of(position.state), "every empty cell is filled once"
        state = position.state
        for move, mover in zip(moves, movers, strict=True):
            assert mover == to_move(state)
            state = play(state, move)
            if is_over(state):
                assert winner == 1 - to_move(state), "by the rules, whoever has just moved has won"
                break
        assert is_over(state)
        winners.add(winner)
        assert random_moves(position, seed)[0] == moves
    assert winners == {0, 1}


def guessed(position: Position) -> dict[str, float]:
    moves = np.array(moves_of(position.state), np.int32)
    out = np.full(len(moves), np.nan)
    move_guesses(position.state, moves, len(moves), out)
    return {
        position.game.move_text(position.state, int(move)): float(value) for move, value in zip(moves, out, strict=True)
    }


def exchanged(position: Position) -> Position:
    """The same with colours, rows and columns exchanged."""
    rows, side = str(position).split()
    columns = ["".join(row).translate(str.maketrans("BW", "WB")) for row in zip(*rows.split("/"), strict=True)]
    return position.game.position(f"{'/'.join(columns)} {'w' if side == 'b' else 'b'}")


def number_of(contents: list[int]) -> int:
    return sum(content * 3**i for i, content in enumerate(contents))


def entries_by_text(position: Position, move: str) -> tuple[int, list[int], list[int]]:
    """The entries of the cells around a move, from the rules' text: of ring and corners, of sectors and lines."""
    position = position if str(position).endswith("b") else exchanged(position)
    rows = str(position).split()[0].split("/")
    size, moved = len(rows), (ord(move[0]) - 97, int(move[1:]) - 1)

    def at(x: int, y: int) -> int:
        return 1 if not 0 <= y < size else 2 if not 0 <= x < size else ".BW".index(rows[y][x])

    x, y = moved
    ring = [at(x + dx, y + dy) for dx, dy in STEPS]
    corners, sectors, lines = [], [], []
    for way, (dx, dy) in enumerate(STEPS):
        (ex, ey), (fx, fy) = STEPS[(way + 1) % 6], STEPS[(way + 2) % 6]
        middle = ring[(way + 1) % 6]
        near, far = at(x + dx + ex, y + dy + ey), at(x + ex + fx, y + ey + fy)
        corners.append(RINGS + way % 3 * 27 + number_of([ring[way], near, middle]))
        sectors.append(SECTOR_PLACE + way % 3 * 243 + number_of([ring[way], near, middle, far, ring[(way + 2) % 6]]))
        behind = at(x + 2 * ex, y + 2 * ey)
        lines.append(LINE_PLACE + way % 3 * 81 + number_of([middle, behind, near, far]))
    return min(number_of(ring), number_of(ring[3:] + ring[:3])), corners, sectors + lines


def test_a_moves_entries_tell_what_is_around_it_and_how_far_both_ways_are() -> None:
    for seed in range(30):
        size = (5, 9, 12)[seed % 3]
        position = random_playout(find_game("hex", size=size).start(), seed, plies=2 * (size - 1) * (seed % 4) // 4)
        moves = np.array(moves_of(position.state), np.int32)
        entries = np.zeros(len(moves) * EACH, np.int32)
        write_entries(position.state, moves, len(moves), entries)
        ways = []
        for move, each in zip(moves.tolist(), entries.reshape(-1, EACH).tolist(), strict=True):
            text = position.game.move_text(position.state, move)
            if to_move(position.state) == 1:  # the other way round, as the mover joins top and bottom
                text = f"{chr(97 + int(text[1:]) - 1)}{ord(text[0]) - 96}"
            assert (each[0], each[1:7], each[9:]) == entries_by_text(position, text)
            ways.append((each[7] - WAYS_PLACE) % (FURTHEST + 1) ** 2)
            assert WAYS_PLACE <= each[7] < CELL_PLACE <= each[8] < SECTOR_PLACE < LINE_PLACE < SIZE
        assert min(way // (FURTHEST + 1) for way in ways) == min(way % (FURTHEST + 1) for way in ways) == 0


def test_guesses_are_the_same_for_both_players() -> None:
    position = random_playout(find_game("hex", size=9).start(), 3, plies=9)
    here, there = guessed(position), guessed(exchanged(position))
    assert {f"{chr(96 + int(move[1:]))}{ord(move[0]) - 96}": value for move, value in here.items()} == there


def test_the_swap_is_worth_nothing_and_leaves_the_cells_as_they_are() -> None:
    state = find_game("hex", size=5, swap=True).start().play("c3").state
    with_swap = np.array(moves_of(state)[::-1], np.int32)
    out = np.full(len(with_swap), np.nan)
    move_guesses(state, with_swap, len(with_swap), out)
    without = guessed(find_game("hex", size=5).position("c3"))
    assert SWAP in with_swap
    for move, value in zip(with_swap.tolist(), out.tolist(), strict=True):
        assert value == (0 if move == SWAP else without[f"{chr(97 + move % 5)}{move // 5 + 1}"])


def test_a_move_that_saves_a_bridge_is_guessed_before_others_next_to_it() -> None:
    """White has moved into the bridge between e4 and d6."""
    guesses = guessed(find_game("hex", size=9).position("e4 b2 d6 e5"))
    assert max(guesses, key=lambda move: guesses[move]) == "d5"


@pytest.mark.parametrize("size", [3, 4, 5])
def test_the_best_guess_of_a_first_move_wins(size: int) -> None:
    golden = json.loads((Path(__file__).parents[2] / "golden" / "hex-openings.json").read_text())
    start = guessed(find_game("hex", size=size).start())
    assert max(start, key=lambda move: start[move]) in golden["maps"][f"{size}x{size}"]["winning_openings"]


def test_guesses_prefer_the_middle_and_turn_with_the_board() -> None:
    game = find_game("hex", size=7)
    start = guessed(game.start())
    assert start["d4"] > 0
    assert start["a1"] == min(start.values()) < start["d4"]
    opened = guessed(game.position("b3 f5"))
    turned = guessed(game.position("f5 b3"))
    assert opened != turned
    cells = {(column, row) for column in range(7) for row in range(7)} - {(1, 2), (5, 4)}
    for column, row in cells:
        here, there = f"{chr(97 + column)}{row + 1}", f"{chr(97 + 6 - column)}{7 - row}"
        assert opened[here] == turned[there]
        assert -1 <= opened[here] <= 1
