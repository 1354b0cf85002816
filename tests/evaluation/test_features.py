"""Features, compared with a second program that counts cell by cell."""

import contextlib
import itertools
import math

import numpy as np
import pytest

from conftest import dose
from zermelo.core import JIT, class_of
from zermelo.errors import PlainPythonWarning
from zermelo.evaluation.features import (
    FeatureError,
    feature_sets,
    heuristic_values,
    image,
    image_count,
    is_quiet,
    joined,
)
from zermelo.games import find_game, load_module
from zermelo.games.connect4 import features as connect4
from zermelo.games.connect4.notation import stone_at
from zermelo.learn.columns import answers, columns_of, feature_matrix
from zermelo.learn.describe import find_features, known_features
from zermelo.learn.export import speed
from zermelo.position import random_playout
from zermelo.rules import is_over, key, moves_of, outcome, play

GAME = find_game("connect4")
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def positions(number, game=GAME, most=34):
    found = (random_playout(game.start(), seed, 1 + seed % most) for seed in range(2 * number))
    return [position for position in found if not position.is_over][:number]


def grid(position):
    """Column, row -> 1 mine, -1 theirs, 0 empty."""
    me = position.to_move
    cells = {(c, r): stone_at(position.state, c, r) for c in range(7) for r in range(6)}
    return {cell: 0 if not player else 1 if player == me else -1 for cell, player in cells.items()}


def windows():
    for (column, row), (dc, dr) in itertools.product(itertools.product(range(7), range(6)), DIRECTIONS):
        line = [(column + i * dc, row + i * dr) for i in range(4)]
        if all(0 <= c < 7 and 0 <= r < 6 for c, r in line):
            yield (dc, dr), line


def test_there_are_69_windows():
    assert len(list(windows())) == 69


def test_the_reports_features_of_a_drawn_position():
    """Counted by hand. X is to move.

    . . . O . . .      mine: 3-4 across, free to the left; 4 upright, blocked at both ends; 3-4 rising, free above
    . . . X . . .      theirs: 5-6 across, free to the right
    . . X X O O .
    """
    position = GAME.position("354644")
    assert position.board().splitlines()[3:6] == [". . . O . . .", ". . . X . . .", ". . X X O O ."]
    got = connect4.report(position)
    assert got["stones"] == 6
    assert (got["blocked_2_mine"], got["free_2_mine"]) == (4, 2)
    assert (got["blocked_2_theirs"], got["free_2_theirs"]) == (1, 1)
    assert got["distance_mine"] == pytest.approx((1 + 1 + math.sqrt(2)) / 3)
    assert got["free_3_mine"] == got["blocked_3_theirs"] == 0


def _mean_distance(cells, player):
    stones = [cell for cell, content in cells.items() if content == player]
    pairs = list(itertools.combinations(stones, 2))
    return sum(math.dist(a, b) for a, b in pairs) / len(pairs) if pairs else 0.0


def _runs(cells, player, length):
    """Ends of runs of exactly this many stones, blocked and free, found by walking from cell to cell."""
    blocked = free = 0
    for (column, row), content in cells.items():
        for dc, dr in [*DIRECTIONS, *((-a, -b) for a, b in DIRECTIONS)]:
            line = [cells.get((column + i * dc, row + i * dr)) for i in range(-1, length + 1)]
            if content == player and line[0] != player and line[1:-1] == [player] * length and line[-1] != player:
                free += line[-1] == 0
                blocked += line[-1] != 0
    return blocked, free


@pytest.mark.parametrize("position", positions(dose(60, 10)), ids=str)
def test_the_reports_features(position):
    cells, got = grid(position), connect4.report(position)
    for player, whose in ((1, "mine"), (-1, "theirs")):
        assert got[f"distance_{whose}"] == pytest.approx(_mean_distance(cells, player), abs=1e-5)
        for length in (2, 3):
            counted = _runs(cells, player, length)
            assert (got[f"blocked_{length}_{whose}"], got[f"free_{length}_{whose}"]) == counted


@pytest.mark.parametrize("position", positions(dose(60, 10)), ids=str)
def test_windows_heat_and_cells(position):
    cells = grid(position)
    got, heat = connect4.windows(position), connect4.heat(position)
    counted = dict.fromkeys(got, 0)
    warmth = {1: 0, -1: 0}
    names = dict(zip(DIRECTIONS, ("upright", "across", "rising", "falling"), strict=True))
    for step, line in windows():
        contents = [cells[cell] for cell in line]
        for player, whose in ((1, "mine"), (-1, "theirs")):
            stones = contents.count(player)
            if stones and -player not in contents:
                warmth[player] += stones
                if stones < 4:
                    counted[f"{names[step]}_{stones}_{whose}"] += 1
    assert got == counted
    assert (heat["heat_mine"], heat["heat_theirs"]) == (warmth[1], warmth[-1])
    assert heat["middle_mine"] == sum(cells[3, row] == 1 for row in range(6))
    seen = connect4.cells(position)
    assert all(seen[f"cell_{'abcdefg'[c]}{r + 1}"] == content for (c, r), content in cells.items())


@pytest.mark.parametrize("position", positions(dose(60, 10)), ids=str)
def test_threats(position):
    cells, got = grid(position), connect4.threats(position)
    completing = {
        player: {
            cell
            for _, line in windows()
            for cell in line
            if cells[cell] == 0 and [cells[c] for c in line].count(player) == 3
        }
        for player in (1, -1)
    }
    height = {c: sum(cells[c, r] != 0 for r in range(6)) for c in range(7)}
    first = position.to_move == 1
    assert got["first_moves"] == first
    for player, whose in ((1, "mine"), (-1, "theirs")):
        mine = completing[player]
        now = {(c, r) for c, r in mine if height[c] == r}
        useless = {(c, r) for c, r in mine - now if (c, r - 1) in completing[1] | completing[-1]}
        odd = first if player == 1 else not first  # the first player's good rows are 1, 3 and 5: r is even
        good = {(c, r) for c, r in mine - now - useless if (r % 2 == 0) == odd}
        assert got[f"now_{whose}"] == len(now)
        assert got[f"useless_{whose}"] == len(useless)
        assert got[f"good_{whose}"] == len(good)
        assert got[f"bad_{whose}"] == len(mine - now - useless - good)
        assert got[f"low_{whose}"] == max((8 - r for _, r in good), default=0)
        assert got[f"stacked_{whose}"] == sum((c, r - 1) in mine for c, r in mine)


def test_quiet_is_that_nobody_can_win_with_a_stone():
    for position in positions(dose(200, 20)):
        state = position.state
        turned = state._replace(mine=state.mine ^ state.stones)  # the other to move
        wins = any(
            is_over(after) and outcome(after)
            for seen in (state, turned)
            for after in (play(seen, move) for move in moves_of(state))
        )
        assert bool(is_quiet(state)) != bool(wins)


def test_images_are_the_symmetries():
    for position in positions(20):
        state = position.state
        made = {int(key(image(state, number))) for number in range(image_count(state))}
        assert made == {int(key(other)) for other in GAME.symmetries(state)}


@pytest.mark.parametrize("text", ["reversi", "reversi(columns=6, rows=6)", "hex(size=5)", "onitama", "parcheckers"])
def test_every_game_has_features(text):
    """Every game has at least the values of its heuristics."""
    game = find_game(text)
    state = random_playout(game.start(), 3, 6).state
    known = known_features(game)
    said = known["heuristics"](state)
    for name, value in said.items():
        assert value == pytest.approx(game.heuristics[name](state), abs=0.51)  # heuristics are rounded


def test_reversis_terms():
    position = find_game("reversi").position("f5 d6 c3")
    terms = known_features(position.game)["terms"](position)
    assert (terms["pieces_mine"], terms["pieces_theirs"]) == (2, 5)
    assert terms["moves_mine"] == len(position.moves)
    assert terms["empty"] == 57 and terms["odd"] == 1
    zones = known_features(position.game)["zones"](position)
    assert sum(zones.values()) == 7


def test_sets_are_joined_and_computed_in_columns():
    both = find_features(GAME, ["report", "threats"])
    states = [position.state for position in positions(30)]
    columns = columns_of(states, class_of(states[0]))
    matrix = feature_matrix(columns, class_of(states[0]), both)
    for row, state in zip(matrix, states, strict=True):
        assert dict(zip(both.names, row, strict=True)) == pytest.approx(both(state))
    assert answers(columns, class_of(states[0]), is_quiet).tolist() == [int(is_quiet(state)) for state in states]


def test_wrong_names_are_refused():
    with pytest.raises(FeatureError, match="no feature set 'reprt'; it has: report, threats"):
        find_features(GAME, ["reprt"])
    with pytest.raises(FeatureError, match="name at least one set of features"):
        joined([])
    assert feature_sets("zermelo.games.tictactoe", np.uint64) == {}


OWN = """
import re

import zermelo as z
from zermelo.evaluation.features import features

TABLE = [[0, 1, 2, 3, 2, 1, 0]] * 6


def worth(board, whose):
    return sum(TABLE[row][column] for row, column in board.cells() if board[row, column] == whose)


@z.heuristic(weights={"centre": 0.5})
def centre(board: z.Connect4, w):
    return w.centre * (worth(board, z.MINE) - worth(board, z.THEIRS))


@z.heuristic
def words(board: z.Connect4):
    return len(re.findall("[12]", f"{len(board.mine)}")) + 1.25


@features("mine", "theirs")
def worths(board: z.Connect4, out):
    "Stones near the middle."
    out[0] = worth(board, z.MINE)
    out[1] = worth(board, z.THEIRS)
"""


def test_heuristics_and_features_as_users_write_them(tmp_path):
    """With boards, plain helpers and lists of lists; one that cannot be compiled is called back."""
    (tmp_path / "own_features.py").write_text(OWN)
    own = load_module(tmp_path / "own_features.py")
    position = GAME.position("4452")
    with pytest.warns(PlainPythonWarning) if JIT else contextlib.nullcontext():
        found = heuristic_values((own.centre, own.words), type(position.state))
    both = joined([found, own.worths])
    assert both(position) == {"centre": 0.5, "words": 2.25, "mine": 5, "theirs": 4}
    columns = columns_of([position.state], type(position.state))
    assert all(speed(one, columns, type(position.state), seconds=0.001) > 0 for one in (own.centre, own.words))
