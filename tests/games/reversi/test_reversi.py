"""Reversi: the rules compared with published counts and a slow second program; notation, heuristics, pictures."""

import numpy as np
import pytest
from numba import int32, int64

from conftest import dose, golden_lines
from zermelo.analysis import analyse
from zermelo.core import JIT, compiled, njit
from zermelo.errors import GameError, IllegalMoveError, PositionError
from zermelo.games import find_game
from zermelo.games.reversi.notation import size_of
from zermelo.games.reversi.rules import PASS, board
from zermelo.games.reversi.stability import stable_discs
from zermelo.position import Game, Position, random_playout
from zermelo.rules import is_over, legal_moves, margin, move_hint, moves_of, play
from zermelo.searches.perft import perft
from zermelo.searches.workspace import ROOM
from zermelo.web.analysis_view import analysis_view

SIZES = [(8, 8), (4, 4), (6, 6), (7, 5), (5, 8), (8, 4)]
DIRECTIONS = [(dc, dr) for dc in (-1, 0, 1) for dr in (-1, 0, 1) if (dc, dr) != (0, 0)]


def sized(columns: int, rows: int) -> Game:
    return find_game("reversi", columns=columns, rows=rows)


# ------------------------------------------------------------------------------------------ a slow program


class Slow:
    """The rules on a dictionary of squares, from their description alone."""

    def __init__(self, columns: int, rows: int, text: str):
        cells, side = text.split()
        self.size = columns, rows
        self.cells = {(i % columns, i // columns): cell for i, cell in enumerate(cells)}
        self.side = side

    def enclosed(self, column: int, row: int, side: str) -> set[tuple[int, int]]:
        """The discs that a disc of this side here would flip."""
        found: set[tuple[int, int]] = set()
        if self.cells[column, row] != "-":
            return found
        for dc, dr in DIRECTIONS:
            line = []
            at = column + dc, row + dr
            while self.cells.get(at, "-") not in ("-", side):
                line.append(at)
                at = at[0] + dc, at[1] + dr
            if self.cells.get(at) == side:
                found.update(line)
        return found

    def moves(self, side: str) -> set[str]:
        return {"abcdefgh"[c] + str(r + 1) for c, r in self.cells if self.enclosed(c, r, side)}

    @property
    def legal(self) -> set[str]:
        other = "XO".replace(self.side, "")
        return self.moves(self.side) or ({"pass"} if self.moves(other) else set())

    def play(self, move: str) -> None:
        if move != "pass":
            at = "abcdefgh".index(move[0]), int(move[1]) - 1
            for square in [*self.enclosed(*at, self.side), at]:
                self.cells[square] = self.side
        self.side = "XO".replace(self.side, "")

    def __str__(self) -> str:
        columns, rows = self.size
        return "".join(self.cells[c, r] for r in range(rows) for c in range(columns)) + " " + self.side

    def counted(self, mark: str) -> int:
        return list(self.cells.values()).count(mark)


@pytest.mark.parametrize("size", SIZES)
def test_moves_and_flips_agree_with_a_slow_program(size: tuple[int, int]) -> None:
    for seed in range(dose(60, 2)):
        end = random_playout(sized(*size).start(), seed)
        slow = Slow(*size, str(end.path[0]))
        for position in end.path[:-1]:
            assert str(position) == str(slow)
            assert set(position.moves) == slow.legal
            slow.play(end.path[len(position.path)].last_move_text or "")
        assert str(end) == str(slow) and not slow.legal
        black, white, empty = slow.counted("X"), slow.counted("O"), slow.counted("-")
        assert end.margin == black - white + (empty if black > white else -empty if white > black else 0)


def test_flips_agree_on_random_boards() -> None:
    """Also boards that no game reaches, with long lines in all directions."""
    chance = np.random.default_rng(1)
    for _ in range(dose(300, 10)):
        size = SIZES[chance.integers(len(SIZES))]
        empty = chance.uniform(0.05, 0.6)
        cells = chance.choice(list("XO-"), size[0] * size[1], p=[(1 - empty) / 2, (1 - empty) / 2, empty])
        text = "".join(cells) + " " + "XO"[chance.integers(2)]
        position = sized(*size).position(text)
        assert set(position.moves) == Slow(*size, text).legal
        for move in position.moves:
            slow = Slow(*size, text)
            slow.play(move)
            assert str(position.play(move)) == str(slow)


# ------------------------------------------------------------------------------------------ published counts


@njit
def games_ended(state, depth, moves, base):
    """Move sequences of fewer than depth plies that end the game."""
    if is_over(state):
        return int64(1)
    total = int64(0)
    if depth > 1:
        end = legal_moves(state, moves, base)
        for i in range(base, end):
            total += games_ended(play(state, moves[i]), depth - 1, moves, end)
    return total


def published_count(depth: int) -> int:
    """Perft as published for Reversi: an ended game counts as one sequence at every greater depth too."""
    state = find_game("reversi").start().state
    count_ended = compiled(games_ended, type(state).numba, int64, int32[::1], int64)
    ended = int(count_ended(state, depth, np.empty(ROOM, np.int32), 0)) if depth > 9 else 0
    return perft(state, depth) + ended


@pytest.mark.parametrize(
    ("depth", "expected"),
    [
        pytest.param(int(depth), int(number), marks=[pytest.mark.slow] if int(depth) > 9 else [])
        for depth, number in golden_lines("reversi.perft")
        if JIT or int(depth) < 6
    ],
)
def test_perft(depth: int, expected: int) -> None:
    assert published_count(depth) == expected


# ------------------------------------------------------------------------------------------ passing and ending


def test_a_pass_is_a_move_and_forced() -> None:
    position = sized(4, 4).position("XO-- ---- ---- ---- O")
    assert position.moves == ("pass",)
    after = position.play("PASS")
    assert after.to_move == 1 and after.moves == ("c1",)
    assert after.last_move == PASS
    end = after.play("c1")
    assert end.is_over and end.winner == 1 and end.margin == 16, "the winner is given the empty squares"
    with pytest.raises(IllegalMoveError, match=r"must pass|only legal move is to pass"):
        position.play("c1")
    with pytest.raises(IllegalMoveError, match="a player who can move must"):
        after.play("pass")


def test_a_finished_game_has_no_moves_and_a_draw_no_margin() -> None:
    state = sized(4, 4).position("XX-- ---- ---- --OO X").state
    assert is_over(state) and moves_of(state) == [] and margin(state) == 0
    full = sized(4, 4).position("XXXX XXXX XOOO OOOO O")
    assert full.is_over and full.margin == 2 and full.winner == 1


def test_the_other_sizes_begin_in_the_middle() -> None:
    assert str(sized(4, 4).start()) == "-----OX--XO----- X"
    assert sized(7, 5).start().board().splitlines()[3:5] == ["3 . . * O X . .", "4 . . . X O * ."]
    assert sorted(sized(8, 8).start().moves) == ["c4", "d3", "e6", "f5"]


def test_hints_put_corners_first_and_x_squares_last() -> None:
    for size in SIZES:
        columns, rows = size
        state = sized(*size).start().state
        hints = {
            square: int(move_hint(state, square)) for row in range(rows) for square in range(8 * row, 8 * row + columns)
        }
        corner_squares = {0, columns - 1, 8 * (rows - 1), 8 * (rows - 1) + columns - 1}
        assert {s for s, hint in hints.items() if hint == max(hints.values())} == corner_squares
        assert min(hints, key=lambda s: hints[s]) == 9


# ------------------------------------------------------------------------------------------ notation


def test_positions_parse_in_any_dress() -> None:
    game = find_game("reversi")
    text = "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27
    assert game.position(text + " X") == game.start() == game.position(text.lower().replace("-", ".") + "x")
    rows = "/".join(text[i : i + 8] for i in range(0, 64, 8))
    assert game.position(rows + " X") == game.start()
    assert game.position("f5d6c3") == game.position("F5, d6 C3") == game.start().play("f5").play("d6").play("c3")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("-" * 64, "63 squares"),
        ("-" * 63 + " X", "63 squares"),
        ("-" * 30 + "?" + "-" * 33 + " X", "character 31 is '\\?'"),
        ("-" * 64 + " W", "the side is 'W'"),
        ("f5 f6 a1", "move 3, a1 is illegal: no disc would be flipped"),
        ("f5 f5", "move 2, f5 is illegal: the square is taken"),
        ("f5 i9", "the squares are a1 to h8"),
        ("f5 pass", "a player who can move must"),
    ],
)
def test_errors_name_the_offending_part(text: str, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        find_game("reversi").position(text)


@pytest.mark.parametrize("options", [{"columns": 3}, {"rows": 9}, {"rows": "x"}])
def test_sizes_out_of_range_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(GameError, match="is not a number from 4 to 8"):
        find_game("reversi", **options)


# ------------------------------------------------------------------------------------------ heuristics


def slow_values(position: Position) -> dict[str, float]:
    """The heuristics from their descriptions, on the slow program's board; for the player to move."""
    columns, rows = size_of(position.state)
    slow = Slow(columns, rows, str(position))
    me, other = slow.side, "XO".replace(slow.side, "")
    corner = {(c, r) for c in (0, columns - 1) for r in (0, rows - 1)}
    board_weights = [[4, -3, 2, 2], [-3, -4, -1, -1], [2, -1, 1, 0], [2, -1, 0, 1]]  # Cherry's figure, a quarter

    def near(column: int, row: int) -> tuple[int, int]:
        return min(row, rows - 1 - row), min(column, columns - 1 - column)

    def touching(square: tuple[int, int], mark: str) -> int:
        return sum(slow.cells.get((square[0] + dc, square[1] + dr)) == mark for dc, dr in DIRECTIONS)

    def counts(side: str) -> dict[str, float]:
        own = [square for square, mark in slow.cells.items() if mark == side]
        beside = [
            s for s in own if any(slow.cells[k] == "-" and max(abs(k[0] - s[0]), abs(k[1] - s[1])) == 1 for k in corner)
        ]
        return {
            "pieces": len(own),
            "moves": len(slow.moves(side)),
            "corners": len(corner.intersection(own)),
            "board": sum(board_weights[near(*s)[0]][near(*s)[1]] for s in own),
            "middle": sum(near(*s) == (3, 3) for s in own),
            "exposures": sum(touching(s, "-") for s in own),
            "exposed": sum(touching(s, "-") > 0 for s in own),
            "x": sum(near(*s) == (1, 1) for s in beside),
            "c": sum(near(*s) in ((0, 1), (1, 0)) for s in beside),
        }

    mine, theirs = counts(me), counts(other)
    ahead = {name: mine[name] - theirs[name] for name in mine}
    share = {name: 100 * ahead[name] / (mine[name] + theirs[name]) if mine[name] + theirs[name] else 0 for name in mine}
    negative_centre = ahead["board"] - 2 * ahead["middle"]
    final = (
        5 * negative_centre
        + 80 * 25 * ahead["corners"]
        - 7.4 * share["exposures"]
        + 7.9 * share["moves"]
        + share["pieces"]
    )
    return {
        "pieces": ahead["pieces"],
        "mobility": ahead["moves"],
        "pieces_mobility": ahead["pieces"] + ahead["moves"],
        "corners": 70 * share["corners"] + 15 * share["moves"] + 15 * share["pieces"],
        "static_board": ahead["board"],
        "static_board_negative_centre": negative_centre,
        "frontier": -ahead["exposures"],
        "frontier_once": -ahead["exposed"],
        "x_squares": -40 * ahead["x"] - 30 * ahead["c"],
        "report": final,
    }


def is_written_by_hand(name: str) -> bool:
    return name != "learned" and not name.endswith("_tuned")


@pytest.mark.parametrize("size", SIZES)
def test_heuristics_count_what_they_say(size: tuple[int, int]) -> None:
    game = sized(*size)
    known = {name: heuristic for name, heuristic in game.heuristics.items() if is_written_by_hand(name)}
    for seed in range(dose(20, 1)):
        for position in random_playout(game.start(), seed).path[:-1]:
            expected = slow_values(position)
            assert set(expected) | {"stability"} == set(known)
            for name, value in expected.items():
                assert known[name](position) == pytest.approx(value, abs=0.51), f"{name} of {position}"


def test_heuristics_change_sign_with_the_side() -> None:
    for size in SIZES:
        game = sized(*size)
        for position in random_playout(game.start(), 3).path:
            cells, side = str(position).split()
            swapped = game.position(cells + " " + "XO".replace(side, ""))
            for name, heuristic in game.heuristics.items():
                if name != "learned":  # which knows who is to move
                    assert heuristic(swapped) == -heuristic(position)


def test_weights_can_be_changed_by_name() -> None:
    position = find_game("reversi").position("X" + "-" * 63 + " X")
    known = position.game.heuristics
    assert known["static_board"](position) == 4
    assert known["static_board"].with_weights(a1=25)(position) == 25
    assert known["report"].with_weights(corners=0, board=0, frontier=0, mobility=0)(position) == 100


# ------------------------------------------------------------------------------------------ stability


def ever_flipped(position: Position, side: str, seen: dict[str, set[int]]) -> set[int]:
    """The discs of this side now on the board that some continuation flips: all of them are tried."""
    text = str(position)
    if text not in seen:
        cells = text.split()[0]
        found: set[int] = set()
        seen[text] = found
        for move in position.moves:
            after = position.play(move)
            later = str(after).split()[0]
            found |= {i for i, cell in enumerate(cells) if cell == side != later[i]}
            found |= {i for i in ever_flipped(after, side, seen) if cells[i] == side}
    return seen[text]


@pytest.mark.parametrize("size", [(4, 4), (5, 4)])
def test_no_stable_disc_is_ever_flipped(size: tuple[int, int]) -> None:
    columns, rows = size
    found = 0
    for seed in range(dose(12, 2)):
        path = random_playout(sized(*size).start(), seed).path
        position = path[-dose(7, 5)]
        for side in "XO":
            mine, theirs = position.state.mine, position.state.theirs
            if side != "XO"[position.to_move - 1]:
                mine, theirs = theirs, mine
            bits = int(stable_discs(mine, theirs, board(position.state)))
            stable = {c + columns * r for c in range(columns) for r in range(rows) if bits >> 8 * r + c & 1}
            assert not stable & ever_flipped(position, side, {}), f"{stable} of {side} in {position}"
            found += len(stable)
    assert found > 10


def test_stable_discs_grow_from_the_corner_and_fill_full_lines() -> None:
    game = find_game("reversi")
    corner = game.position("XXX----- XX------ X------- " + "-" * 40 + " X")
    assert game.heuristics["stability"](corner) == 60
    assert game.heuristics["stability"](game.position("-XX" + "-" * 61 + " X")) == 0
    full = game.position("X" * 63 + "O X")
    assert game.heuristics["stability"](full) == 10 * (63 - 1)


# ------------------------------------------------------------------------------------------ pictures


def test_the_picture_shows_last_move_legal_moves_and_flips_to_come() -> None:
    position = find_game("reversi").start().play("f5")
    picture = position.svg()
    assert "f5: black, the last move" in picture and "e5: black, just flipped" in picture
    for move in position.moves:
        assert f'data-move="{move}"' in picture
    assert "d6: white flips d5" in picture or "d6: white flips e5" in picture
    assert position.board().splitlines()[-1] == "O to move; X 4, O 1"


def test_a_forced_pass_can_be_clicked_and_an_end_is_told() -> None:
    position = sized(4, 4).position("XO-- ---- ---- ---- O")
    assert 'data-move="pass"' in position.svg()
    assert "@3@" in position.svg({"pass": "@3@"})
    after = position.play("pass")
    assert "white passed, black to move" in after.svg()
    assert "black wins by 16" in after.play("c1").svg()


def test_scores_are_in_discs_where_they_estimate_the_result():
    position = random_playout(find_game("reversi").start(), 3, 56)

    def legend(**options):
        found = analyse(position, **options)
        return found.unit, analysis_view(position, found)["legend"]

    assert legend() == ("discs", "Result in discs with best play, exact.")
    assert legend(depth=1, heuristic="learned") == ("discs", "Result in discs, estimated by learned.")
    assert legend(depth=1, heuristic="mobility") == ("points", "Points of the heuristic mobility: an estimate.")
