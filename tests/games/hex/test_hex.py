"""Hex: rules and notation against a slow second program written here, from the rules' text alone."""

import itertools
import random
from xml.etree import ElementTree

import pytest

from conftest import dose
from zermelo.errors import GameError, IllegalMoveError, PositionError
from zermelo.games import find_game
from zermelo.games.hex.notation import cell_text, stones
from zermelo.games.hex.paths import shortest_path
from zermelo.position import Position, random_playout
from zermelo.rules import move_hint

STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
ONE_SIZE_PER_STATE_CLASS = [8, 11, *(pytest.param(size, marks=pytest.mark.slow) for size in (13, 16, 17)), 19]


def around(x: int, y: int, size: int) -> list[tuple[int, int]]:
    return [(x + dx, y + dy) for dx, dy in STEPS if 0 <= x + dx < size and 0 <= y + dy < size]


def joins(stones: set[tuple[int, int]], size: int, axis: int) -> bool:
    """Do the stones reach from coordinate 0 to the last along this axis (0: left to right, 1: top to bottom)?"""
    seen = {cell for cell in stones if cell[axis] == 0}
    waiting = list(seen)
    while waiting:
        for other in around(*waiting.pop(), size):
            if other in stones and other not in seen:
                seen.add(other)
                waiting.append(other)
    return any(cell[axis] == size - 1 for cell in seen)


def stone_sets(position: Position) -> list[set[tuple[int, int]]]:
    size, cells = int(position.state.size), stones(position.state)
    return [{(i % size, i // size) for i, c in enumerate(cells) if c == colour} for colour in "BW"]


@pytest.mark.parametrize("size", [2, 3, 5, *ONE_SIZE_PER_STATE_CLASS])
def test_random_games_end_when_and_how_the_slow_rules_say(size: int) -> None:
    game = find_game("hex", size=size)
    for seed in range(dose(20 if size < 12 else 4, 1)):
        end = random_playout(game.start(), seed)
        for position in [*end.path[:: 1 if size < 12 else 7], end]:
            black, white = stone_sets(position)
            won = [joins(black, size, 1), joins(white, size, 0)]
            assert position.is_over == any(won)
            assert position.winner == (won.index(True) + 1 if any(won) else None)
            if not any(won):
                free = [cell_text(c, size) for c in range(size * size) if (c % size, c // size) not in black | white]
                assert list(position.moves) == free


@pytest.mark.parametrize("size", [2, 3])
def test_a_full_board_has_exactly_one_winner(size: int) -> None:
    game = find_game("hex", size=size)
    cells = [(x, y) for y in range(size) for x in range(size)]
    for colours in itertools.islice(itertools.product("BW", repeat=len(cells)), dose(512, 60)):
        black = {cell for cell, colour in zip(cells, colours, strict=True) if colour == "B"}
        winner = 1 if joins(black, size, 1) else 2
        rows = "/".join("".join(colours[i : i + size]) for i in range(0, size * size, size))
        assert game.position(f"{rows} {'wb'[winner - 1]}").winner == winner
        with pytest.raises(PositionError, match="has won already"):
            game.position(f"{rows} {'bw'[winner - 1]}")


@pytest.mark.parametrize("swap", [False, True])
def test_perft_of_small_boards(swap: bool) -> None:
    """Sequences of exactly so many plies, counted by the slow rules."""
    from zermelo.searches.perft import perft

    def count(stones: list[set[tuple[int, int]]], turn: int, depth: int, may_swap: bool) -> int:
        if any(joins(stones[player], size, 1 - player) for player in (0, 1)):
            return 0
        if depth == 0:
            return 1
        total = 0
        for cell in itertools.product(range(size), repeat=2):
            if cell not in stones[0] | stones[1]:
                after = [stones[0] | {cell}, stones[1]] if turn == 0 else [stones[0], stones[1] | {cell}]
                total += count(after, 1 - turn, depth - 1, may_swap and turn == 0) if depth > 1 else 1
        if may_swap and turn == 1:
            ((x, y),) = stones[0]
            total += count([set(), {(y, x)}], 0, depth - 1, False) if depth > 1 else 1
        return total

    for size, deepest in ((2, 4), (3, dose(5, 3))):
        start = find_game("hex", size=size, swap=swap).start()
        for depth in range(1, deepest + 1):
            assert perft(start.state, depth) == count([set(), set()], 0, depth, swap)


def test_white_may_take_over_the_first_stone_mirrored() -> None:
    game = find_game("hex", size=5, swap=True)
    assert "swap" not in game.start().moves
    opened = game.position("d2")
    assert opened.moves[-1] == "swap"
    swapped = opened.play("swap")
    assert str(swapped) == "...../...../...../.W.../..... b"
    assert swapped.to_move == 1
    assert "swap" not in swapped.moves
    assert game.position("d2swap c3") == game.position(str(swapped)).play("c3")
    assert "swap" not in opened.play("a1").moves
    assert game.position("...../...B./...../...../..... w").moves[-1] == "swap", "so it follows from the text"
    with pytest.raises(IllegalMoveError, match="only in answer to the first stone"):
        opened.play("a1").play("swap")
    with pytest.raises(IllegalMoveError, match="swap=yes"):
        find_game("hex", size=5).position("d2").play("swap")


def test_a_stone_taken_over_at_the_edge_counts_as_joined_to_it() -> None:
    position = find_game("hex", size=2, swap=True).position("b1 swap a1")
    assert str(position) == "B./W. w"
    assert not position.is_over
    assert position.play("b2").winner == 2


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("./.", "2 rows, but the board has 3"),
        (".../../...", "row 2, '..', has 2 cells instead of 3"),
        (".../.x./... b", "cell b2 is 'X'"),
        (".../.B./... x", "as b or w, not 'x'"),
        (".../.B./... b w", "not 'b w'"),
        ("B../.B./...", "2 B and 0 W, add b or w at the end"),
        (".B./.B./.B. b", "Black has won already"),
        ("a1 b9", "the cells are a1 to c3"),
        ("a1 a1", "the cell is taken"),
        ("b2 xy", "is not a move of Hex"),
    ],
)
def test_bad_positions_are_named(text: str, named: str) -> None:
    with pytest.raises(PositionError) as caught:
        find_game("hex", size=3).position(text)
    assert named in str(caught.value)


def test_positions_need_not_have_come_about_by_play() -> None:
    game = find_game("hex", size=3)
    assert game.position("BBB/.../... b").to_move == 1
    assert game.position("b../.../...").to_move == 2, "small letters will do, and the side if the count tells it"


@pytest.mark.parametrize("options", [{"size": 1}, {"size": 20}, {"size": "big"}, {"size": True}, {"swap": 3}])
def test_bad_options_are_named(options: dict[str, object]) -> None:
    with pytest.raises(GameError, match=next(iter(options))):
        find_game("hex", **options)


def test_options_may_go_without_their_names() -> None:
    assert find_game("hex(5)") == find_game("hex", size=5)
    assert str(find_game("hex(5, yes)")) == "hex(size=5, swap=yes)"
    with pytest.raises(GameError, match=r"hex\(5, size=6\): size is given twice"):
        find_game("hex(5, size=6)")
    with pytest.raises(GameError, match=r"hex has no option 'sizes' \(its options: size, swap\)"):
        find_game("hex", sizes=5)
    with pytest.raises(GameError, match="hex: swap=7 is not yes or no"):
        find_game("hex(5, 7)")
    with pytest.raises(GameError, match="hex: size=yes is not a number from 2 to 19"):
        find_game("hex(yes)")


def test_the_text_board_leans_like_the_real_one() -> None:
    board = find_game("hex", size=3).position("b2 c1").board()
    assert board == "   a b c\n 1 . . W\n  2 . B .\n   3 . . ."


def test_saving_a_bridge_is_the_first_hint() -> None:
    """White has stepped between the stones c2 and b4... at b3; c3 saves the bridge."""
    position = find_game("hex", size=5).position("...../..B../.W.../.B.../..... b")
    hints = {move: move_hint(position.state, position.game.parse_move(position.state, move)) for move in position.moves}
    assert max(hints, key=lambda move: hints[move]) == "c3"


def test_the_shortest_way_is_drawn_on_demand() -> None:
    game = find_game("hex", size=5)
    position = game.position("...../..B../.W.../.B.../..... b")
    assert "needs" not in position.svg()
    titles = [
        title.text for title in ElementTree.fromstring(game.svg(position, paths=True)).iter() if "title" in title.tag
    ]
    assert "Black needs 3 more" in titles
    assert "White needs 4 more" in titles
    assert [cell_text(cell, 5) for cell in shortest_path(position.state, 0)][1:4] == ["c2", "c3", "b4"]


def test_swap_can_be_clicked_and_marked() -> None:
    picture = find_game("hex", size=4, swap=True).position("a1").svg({"swap": "+1"})
    assert 'data-move="swap"' in picture
    assert ">+1<" in picture


def test_the_same_stones_by_another_way_are_the_same_position() -> None:
    game, shuffle = find_game("hex", size=9), random.Random(1)
    for seed in range(dose(20, 3)):
        line = random_playout(game.start(), seed, plies=30).line
        black, white = list(line[::2]), list(line[1::2])
        shuffle.shuffle(black)
        shuffle.shuffle(white)
        again = game.position(" ".join(move for pair in zip(black, white, strict=True) for move in pair))
        assert again == game.position(" ".join(line))
        assert again.key == game.position(" ".join(line)).key
