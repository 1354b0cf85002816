"""The Hex solver against plain search, published results (tests/golden/hex-*.json name their sources) and itself."""

import functools
import itertools
import json
import os
import random
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba import int64, uint64

from conftest import GOLDEN, dose
from zermelo.analysis import analyse
from zermelo.core import JIT, compiled
from zermelo.errors import PositionError
from zermelo.games import find_game
from zermelo.games.hex.connections import connect_across
from zermelo.games.hex.dead import filled
from zermelo.games.hex.proof import ENTRY, INFINITE, OPTIONS, TABLE_SIZE, TABLE_TYPE, WORK_TYPE, prove
from zermelo.games.hex.small import rotated
from zermelo.games.hex.solver import solve, workspace
from zermelo.position import Position, random_playout
from zermelo.solving.solution import Solution

OPENINGS = json.loads((GOLDEN / "hex-openings.json").read_text())["maps"]
PUZZLES = json.loads((GOLDEN / "hex-puzzles.json").read_text())["puzzles"]


def winning_moves(position: Position, solution: Solution) -> set[str]:
    return {position.game.move_text(position.state, move) for move in solution.moves}


# ------------------------------------------------------------------------------------------ the slow second program


@functools.cache
def neighbours(size: int) -> tuple[int, ...]:
    """For each cell a mask of its neighbours, from the rules' text."""
    steps = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
    masks = []
    for y, x in itertools.product(range(size), repeat=2):
        around = [(x + dx, y + dy) for dx, dy in steps]
        masks.append(sum(1 << v * size + u for u, v in around if 0 <= u < size and 0 <= v < size))
    return tuple(masks)


def joined(stones: int, size: int, player: int) -> bool:
    first = [i if player == 0 else i * size for i in range(size)]
    seen, waiting = 0, [cell for cell in first if stones >> cell & 1]
    while waiting:
        cell = waiting.pop()
        if not seen >> cell & 1:
            seen |= 1 << cell
            waiting += [c for c in range(size * size) if neighbours(size)[cell] & stones & ~seen & 1 << c]
    last = [size * (size - 1) + i if player == 0 else i * size + size - 1 for i in range(size)]
    return any(seen >> cell & 1 for cell in last)


@functools.cache
def wins(stones: tuple[int, int], turn: int, size: int) -> bool:
    """Does the player to move win? This tries everything."""
    if joined(stones[1 - turn], size, 1 - turn):
        return False
    return any(True for _ in plain_winning_moves(stones, turn, size))


def plain_winning_moves(stones: tuple[int, int], turn: int, size: int) -> Any:
    for cell in range(size * size):
        if not (stones[0] | stones[1]) >> cell & 1:
            after = (stones[0] | 1 << cell, stones[1]) if turn == 0 else (stones[0], stones[1] | 1 << cell)
            if not wins(after, 1 - turn, size):
                yield cell


def agrees_with_plain_search(position: Position, without: tuple[str, ...] = ()) -> bool:
    state = position.state
    plain = tuple(plain_winning_moves((int(state.black0), int(state.white0)), int(state.player), int(state.size)))
    solution = solve(state, all_moves=True, without=without)
    quick = solve(state, without=without)
    assert solution.complete
    assert quick.score == solution.score == (1 if plain else -1)
    assert set(quick.moves) <= set(plain)
    assert bool(quick.moves) == bool(plain)
    return solution.moves == plain


def all_positions(size: int) -> list[str]:
    """Every position that has as many black stones as white, or one more, and is not over."""
    found = []
    for cells in itertools.product(".BW", repeat=size * size):
        surplus = cells.count("B") - cells.count("W")
        if surplus in (0, 1):
            masks = [sum(1 << i for i, cell in enumerate(cells) if cell == colour) for colour in "BW"]
            if not joined(masks[0], size, 0) and not joined(masks[1], size, 1):
                rows = ["".join(cells[i : i + size]) for i in range(0, size * size, size)]
                found.append("/".join(rows) + " " + "bw"[surplus])
    return found


@pytest.mark.parametrize("without", [(), *((option,) for option in OPTIONS), tuple(OPTIONS)])
def test_positions_of_the_3x3_board_are_as_plain_search_finds_them(without: tuple[str, ...]) -> None:
    game = find_game("hex", size=3)
    positions = all_positions(3)
    assert len(positions) > 3000
    for text in positions[:: dose(23 if not without else 97, 97, 9 if not without else 40)]:
        assert agrees_with_plain_search(game.position(text), without), text


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="too slow")
@pytest.mark.parametrize("without", [(), tuple(OPTIONS)])
def test_really_every_position_of_the_3x3_board(without: tuple[str, ...]) -> None:
    game = find_game("hex", size=3)
    for text in all_positions(3):
        assert agrees_with_plain_search(game.position(text), without), text


@pytest.mark.parametrize("without", [(), *((option,) for option in OPTIONS)])
def test_positions_of_the_4x4_board_are_as_plain_search_finds_them(without: tuple[str, ...]) -> None:
    game = find_game("hex", size=4)
    for seed in range(dose(60, 4)):
        plies = 6 + seed % 5
        position = random_playout(game.start(), seed, plies)
        if not position.is_over:
            assert agrees_with_plain_search(position, without), str(position)


@pytest.mark.parametrize("without", [(option,) for option in OPTIONS])
def test_each_pruning_leaves_the_results_on_5x5_as_they_are(without: tuple[str, ...]) -> None:
    game = find_game("hex", size=5)
    for seed in range(dose(40, 1)):
        position = random_playout(game.start(), seed, plies=dose(6, 12) + seed % 4)
        if not position.is_over:
            expected = solve(position.state, all_moves=True)
            found = solve(position.state, all_moves=True, without=without)
            assert (found.score, found.moves) == (expected.score, expected.moves), str(position)


# ------------------------------------------------------------------------------------------ published results


@pytest.mark.parametrize("size", [2, 3, 4, pytest.param(5, marks=pytest.mark.skipif(not JIT, reason="too slow"))])
def test_openings_that_win(size: int) -> None:
    start = find_game("hex", size=size).start()
    solution = solve(start.state, all_moves=True)
    assert winning_moves(start, solution) == set(OPENINGS[f"{size}x{size}"]["winning_openings"])
    assert solution.score == 1
    assert solution.complete


def puzzle_position(puzzle: dict[str, Any]) -> Position:
    size = puzzle["width"]
    cells = [["."] * size for _ in range(size)]
    for colour in ("black", "white"):
        for cell in puzzle[colour]:
            cells[int(cell[1:]) - 1][ord(cell[0]) - ord("a")] = colour[0].upper()
    rows = "/".join("".join(row) for row in cells)
    return find_game("hex", size=size).position(f"{rows} {puzzle['to_move']}")


@pytest.mark.skipif(not JIT, reason="too slow")
@pytest.mark.parametrize("puzzle", [p for p in PUZZLES if p["width"] < 7], ids=lambda puzzle: puzzle["source"][-20:])
def test_puzzles(puzzle: dict[str, Any]) -> None:
    position = puzzle_position(puzzle)
    assert winning_moves(position, solve(position.state, all_moves=True)) == set(puzzle["all_winning_moves"])


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="too slow")
@pytest.mark.parametrize("puzzle", [p for p in PUZZLES if p["width"] == 7], ids=lambda puzzle: puzzle["source"][-20:])
def test_puzzles_on_7x7(puzzle: dict[str, Any], record_property: Callable[[str, object], None]) -> None:
    """This takes about a minute in all."""
    position = puzzle_position(puzzle)
    found, wanted = winning_moves(position, solve(position.state, all_moves=True)), set(puzzle["all_winning_moves"])
    what = f"winning moves of the 7x7 puzzle {puzzle['source'][-20:]}"
    record_property("figure", [4, what, " ".join(sorted(wanted)), " ".join(sorted(found))])
    assert found == wanted


@pytest.mark.skipif(not JIT, reason="too slow")
def test_all_openings_of_6x6_are_solved_in_a_minute_and_turn_with_the_board() -> None:
    solution = solve(find_game("hex", size=6).start().state, all_moves=True)
    assert solution.complete
    assert solution.seconds < 60
    assert {35 - move for move in solution.moves} == set(solution.moves)


# ------------------------------------------------------------------------------------------ its parts


def test_filling_in_does_not_change_who_wins() -> None:
    positions = all_positions(3)
    changed = 0
    for text in positions[:: dose(1, 29)]:
        state = find_game("hex", size=3).position(text).state
        black, white, dead = (int(board) for board in filled(state.black0, state.white0, 3))
        assert black & int(state.black0) == int(state.black0)
        assert not black & white
        assert dead == dead & black & ~int(state.black0)
        changed += (black, white) != (state.black0, state.white0)
        for turn in (0, 1):
            before = wins((int(state.black0), int(state.white0)), turn, 3)
            over = joined(black, 3, 0) or joined(white, 3, 1)
            after = joined((black, white)[turn], 3, turn) if over else wins((black, white), turn, 3)
            assert after == before
    assert changed > len(positions[:: dose(1, 29)]) // 2, "it does fill something in"


def test_virtual_connections_hold_within_their_carriers() -> None:
    """The other has stones on all cells outside the carrier, and moves first (full) or second (semi)."""
    game, found = find_game("hex", size=4), 0
    for seed in range(dose(50, 5, 150)):
        position = random_playout(game.start(), seed, plies=4 + seed % 6)
        stones = int(position.state.black0), int(position.state.white0)
        if position.is_over:
            continue
        for player in (0, 1):
            work = workspace()
            mine, theirs = stones[player], stones[1 - player]
            found_full, full = connect_across(work, (np.uint64(mine),), (np.uint64(theirs),), player, 4)
            semis = [int(work.across[i, 0]) for i in range(int(work.across_number))]
            for carrier, turn in [(int(full[0]), 1 - player)] if found_full else [(semi, player) for semi in semis]:
                blocked = 0xFFFF & ~mine & ~carrier
                sides = (mine, blocked) if player == 0 else (blocked, mine)
                assert wins(sides, turn, 4) == (turn == player), (str(position), player)
                assert not carrier & (mine | theirs)
                found += 1
    assert found > dose(30, 3, 100)


@pytest.mark.parametrize("without", [(), ("connections",), ("dead_cells",)])
def test_proofs_hold_within_their_carriers(without: tuple[str, ...]) -> None:
    """The winner still wins if the loser has stones on all empty cells outside the carrier."""
    game, needed, smaller = find_game("hex", size=4), workspace(without), 0
    search = compiled(prove, WORK_TYPE, TABLE_TYPE, uint64, uint64, *[int64] * 5)
    for seed in range(dose(60, 6)):
        position = random_playout(game.start(), seed, plies=4 + seed % 5)
        if position.is_over:
            continue
        stones, turn = [int(position.state.black0), int(position.state.white0)], int(position.state.player)
        table = np.zeros(TABLE_SIZE if JIT else 1 << 10, ENTRY).view(np.recarray)
        success, _failure, carrier = search(needed, table, *map(np.uint64, stones), turn, 4, 1, INFINITE, INFINITE)
        winner = turn if success == 0 else 1 - turn
        free = 0xFFFF & ~(stones[0] | stones[1])
        assert not int(carrier) & ~free
        stones[1 - winner] |= free & ~int(carrier)
        assert wins((stones[0], stones[1]), turn, 4) == (winner == turn), str(position)
        smaller += int(carrier) != free
    assert smaller > 0


@pytest.mark.parametrize("size", [2, 3, 5, 8])
def test_boards_turn_by_180_degrees(size: int) -> None:
    cells = random.Random(size).sample(range(size * size), size)
    turned = int(rotated(np.uint64(sum(1 << cell for cell in cells)), size))
    assert turned == sum(1 << size * size - 1 - cell for cell in cells)


# ------------------------------------------------------------------------------------------ its Python face


def test_finished_and_lost_games() -> None:
    game = find_game("hex", size=3)
    over = game.position("a1 b1 a2 b2 a3")
    assert solve(over.state) == Solution(-1)
    lost = game.position(".../.B./... w")
    assert solve(lost.state, all_moves=True).score == -1
    assert solve(lost.state, all_moves=True).moves == ()


@pytest.mark.parametrize("opening", ["a1", "b2"])
def test_with_the_swap_rule_the_second_player_wins(opening: str) -> None:
    """On 3x3 a1 loses for Black and b2 wins: only then does White swap."""
    game = find_game("hex", size=3, swap=True)
    assert solve(game.start().state).score == -1
    opened = game.position(opening)
    solution = solve(opened.state, all_moves=True)
    assert (solution.score, solution.complete) == (1, True)
    for move in opened.moves:
        after = solve(opened.play(move).state)
        assert (move in winning_moves(opened, solution)) == (after.score == -1), move
    assert ("swap" in winning_moves(opened, solution)) == (opening == "b2")
    assert {move.move for move in analyse(opened, seconds=60).moves} == set(opened.moves), "swap, too, has its score"


def test_boards_beyond_8x8_are_refused() -> None:
    with pytest.raises(PositionError, match="up to 8x8; this one is 9x9"):
        solve(find_game("hex", size=9).start().state)


def test_the_budget_is_kept() -> None:
    state = find_game("hex", size=8).start().state
    solve(find_game("hex", size=2).start().state)  # compiles
    begun = time.perf_counter()
    solution = solve(state, seconds=0.3)
    assert 0.25 < time.perf_counter() - begun < 60
    assert (solution.score, solution.moves, solution.complete) == (0, (), False)
    assert solution.nodes > 0 or not JIT  # plain Python does not finish its first one in the time


@pytest.mark.skipif(threading.current_thread() is not threading.main_thread(), reason="signals come to the main thread")
def test_it_can_be_interrupted() -> None:
    state = find_game("hex", size=8).start().state
    solve(find_game("hex", size=2).start().state)
    alarm = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))

    def begin() -> None:
        alarm.start()  # here, for it may come before anything else
        solve(state)

    with pytest.raises(KeyboardInterrupt):
        begin()
    assert solve(find_game("hex", size=2).start().state).complete, "nothing runs on"
