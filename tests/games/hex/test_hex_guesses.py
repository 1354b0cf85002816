"""What Monte Carlo tree search knows about Hex: how random games are played, and what is expected of a move."""

import numpy as np

from zermelo.core import mix
from zermelo.games import find_game
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


def test_guesses_prefer_cells_on_both_players_ways_and_turn_with_the_board() -> None:
    game = find_game("hex", size=7)
    start = guessed(game.start())
    assert start["d4"] == max(start.values())
    assert start["a1"] < start["d4"]
    opened = guessed(game.position("b3 f5"))
    turned = guessed(game.position("f5 b3"))
    assert opened != turned
    cells = {(column, row) for column in range(7) for row in range(7)} - {(1, 2), (5, 4)}
    for column, row in cells:
        here, there = f"{chr(97 + column)}{row + 1}", f"{chr(97 + 6 - column)}{7 - row}"
        assert opened[here] == turned[there]
        assert -1 <= opened[here] <= 1
