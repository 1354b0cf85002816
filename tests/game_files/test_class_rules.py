"""Games in one file: rules as a class of plain methods, or as generic functions."""

import random
from pathlib import Path

import pytest

import zermelo as z
from zermelo.core import JIT
from zermelo.errors import GameError, IllegalMoveError, MoveError, PositionError
from zermelo.game_files.drawing import INKS
from zermelo.position import random_playout
from zermelo.searches.perft import perft

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
GOLDEN = Path(__file__).parent.parent / "golden"

TICTACTOE = '''
import zermelo as z

LINES = [[(0, 0), (0, 1), (0, 2)], [(1, 0), (1, 1), (1, 2)], [(2, 0), (2, 1), (2, 2)],
         [(0, 0), (1, 0), (2, 0)], [(0, 1), (1, 1), (2, 1)], [(0, 2), (1, 2), (2, 2)],
         [(0, 0), (1, 1), (2, 2)], [(0, 2), (1, 1), (2, 0)]]


def is_line(board, line, whose):
    for row, column in line:
        if board[row][column] != whose:
            return False
    return True


class Noughts:
    """Three in a line win."""

    rows = 3
    columns = 3

    def moves(self, board):
        return [(row, column) for row, column in board.cells() if board[row, column] == z.EMPTY]

    def play(self, board, move):
        board[move] = z.MINE

    def winner(self, board):
        for line in LINES:
            if is_line(board, line, z.THEIRS):
                return z.THEIRS
'''


@pytest.fixture
def write(tmp_path):
    """Writes a file with a game, and gives its path."""

    def write(text, name="mine.py"):
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


def breakthrough():
    return z.game(str(EXAMPLES / "breakthrough.py"))


def test_breakthrough_begins():
    start = breakthrough().start()
    assert start.to_move == 1 and len(start.moves) == 22 and not start.is_over
    assert str(start).startswith("oooooooo/oooooooo/......../")
    after = start.play("b7-b6")
    assert after.to_move == 2 and str(after.play("b2b3")).endswith(" first")


def test_an_example_stays_short():
    assert len((EXAMPLES / "breakthrough.py").read_text().splitlines()) < 60


def test_perft_agrees_with_the_second_program():
    numbers = [
        int(line.split()[1]) for line in (GOLDEN / "breakthrough-perft.txt").read_text().splitlines() if line[0] != "#"
    ]
    state = breakthrough().start().state
    for depth, number in enumerate(numbers[: 5 if JIT else 3], 1):
        assert perft(state, depth) == number


def second_program(board, player):
    """The moves of Breakthrough once more, in dictionaries: (board, player, winner) after each of them."""
    ahead = -1 if player == 1 else 1
    for (row, column), man in board.items():
        if man != player:
            continue
        for to in (column - 1, column, column + 1):
            there = row + ahead, to
            if not (0 <= there[0] < 8 and 0 <= to < 8) or board.get(there) == player:
                continue
            if there in board and to == column:
                continue
            after = {cell: owner for cell, owner in board.items() if cell != (row, column)} | {there: player}
            name = "abcdefgh"
            yield f"{name[column]}{row + 1}-{name[to]}{there[0] + 1}", after


def test_random_games_agree_with_the_second_program():
    for seed in range(3):
        board = {(row, column): 2 if row < 2 else 1 for row in (0, 1, 6, 7) for column in range(8)}
        position, chance = breakthrough().start(), random.Random(seed)
        while not position.is_over:
            expected = dict(second_program(board, position.to_move))
            assert set(position.moves) == set(expected)
            move = chance.choice(position.moves)
            board, position = expected[move], position.play(move)
        far = any(row == (0 if man == 1 else 7) for (row, _column), man in board.items() if man == 3 - position.to_move)
        assert far or position.to_move not in board.values()
        assert position.winner == 3 - position.to_move


def test_moves_and_positions_are_refused_in_words():
    start = breakthrough().start()
    for text in ("?", "a0", "", "a1a2a3"):
        with pytest.raises(MoveError):
            start.play(text)
    with pytest.raises(IllegalMoveError, match="not one of the legal moves"):
        start.play("a1-a2")
    with pytest.raises(IllegalMoveError, match="the cells are a1 to h8"):
        start.play("a1-a9")
    with pytest.raises(PositionError, match="8 rows of 8 cells"):
        start.game.position("x/o first")
    with pytest.raises(PositionError, match="'q'"):
        start.game.position(str(start).replace("x", "q"))


def test_lists_and_plain_functions_at_the_top_of_the_file(write):
    game = z.game(write(TICTACTOE))
    assert perft(game.start().state, 5) == 15120
    position = game.position("xx./oo./... first")
    assert z.player("alphabeta(depth=3)", game).choose(position) == "c1"
    assert z.solve(game.start()).word == "draw"


def test_searches_and_tournaments_of_a_game_in_a_file():
    path = str(EXAMPLES / "breakthrough.py")
    record = z.play(z.player("alphabeta(depth=2)"), z.random(seed=1), z.game(path).start())
    assert record.winner == 1 and record.game == path
    assert record.final_position().is_over


def test_a_record_of_a_game_whose_file_is_gone(write):
    path = write(TICTACTOE, "gone.py")
    record = z.play(z.random(seed=1), z.random(seed=2), z.game(path).start())
    Path(path).unlink()
    with pytest.raises(GameError, match=r"there is no file .*gone\.py"):
        record.final_position()


def test_an_edited_file_is_read_again(write):
    assert len(z.game(write(TICTACTOE)).start().moves) == 9
    assert len(z.game(write(TICTACTOE.replace("columns = 3", "columns = 5"))).start().moves) == 15


def test_heuristics_in_the_same_file_and_in_another(write):
    path = write(
        TICTACTOE
        + '''

@z.heuristic
def centre(board: Noughts):
    """The middle."""
    return board[1, 1]
'''
    )
    other = write(
        '''
import zermelo as z
from mine import Noughts

@z.heuristic
def corners(board: Noughts):
    """Corners."""
    return board[0][0] + board[0][2] + board[2][0] + board[2][2]
''',
        "other.py",
    )
    game = z.game(path)
    assert game.default_heuristic == "centre"
    position = game.position(".../.x./..o first")
    assert game.heuristics["centre"](position) == 1
    player = z.player(f"alphabeta(depth=1, heuristic={other}:corners)", game)
    assert player.choose(position) in ("a1", "c1", "a3")
    report = z.tournament([f"{path}:centre", f"{other}:corners"], path, depth=2, pairs=2)
    assert sum(report.endings.values()) == 4


def test_a_player_may_move_again_and_fields_are_kept(write):
    game = z.game(
        write('''
class Race:
    """Go one or two squares; whoever has gone two, goes again. Nine squares win."""
    rows, columns = 1, 2
    gone: int = 0
    twice: bool = False
    def moves(self, board):
        yield 1
        yield 2
    def play(self, board, move):
        board.gone += move
        board.twice = not board.twice and move == 2
        if board.twice:
            return board.player
    def winner(self, board):
        if board.gone >= 9:
            return -1
''')
    )
    start = game.start()
    assert start.play("1").to_move == 2 and start.play("2").to_move == 1
    assert start.play("2").play("2").to_move == 2
    assert str(start.play("2")) == ".. first gone=2 twice=1"
    assert game.position(".. first gone=2 twice=1").play("2").to_move == 2
    assert random_playout(start, 1).is_over
    assert z.solve(start).word in ("win", "loss")


@pytest.mark.parametrize(("word", "winner"), [("loses", 2), ("wins", 1), ("draws", None)])
def test_a_player_who_cannot_move(write, word, winner):
    game = z.game(
        write(f'''
class Full:
    """Two cells."""
    rows, columns = 1, 2
    when_stuck = "{word}"
    def moves(self, board):
        for cell in board.cells():
            if board[cell] == 0:
                yield cell
    def play(self, board, move):
        board[move] = 1
''')
    )
    end = game.position("a1 b1")
    assert end.is_over and end.winner == winner and end.moves == ()


def test_passes_points_and_capitals(write):
    game = z.game(
        write('''
class Poor:
    """Only the first player can move; at the end, men count."""
    rows, columns = 1, 3
    when_stuck = "passes"
    def moves(self, board):
        for cell in board.cells():
            if board[cell] == 0 and board.player == 1:
                yield cell
    def play(self, board, move):
        board[move] = 1
    def points(self, board):
        return board.count(1) - board.count(-1)
    def move_text(self, board, move):
        return "Put " + "ABC"[move[1]]
''')
    )
    position = game.start().play("Put A")
    assert position.moves == ("pass",)
    assert position.play("pass").moves == ("Put B", "Put C")
    end = position.play("pass").play("put b").play("pass").play("PUT C")
    assert end.is_over and end.winner == 1 and end.margin == 3


def test_repetition_is_a_draw_where_the_rules_say_so(write):
    text = '''
class Shuffle:
    """A man goes to and fro."""
    rows, columns = 1, 3
    start = "xo."
    can_repeat = True
    def moves(self, board):
        for row, column in board.cells():
            if board[row, column] == 1:
                for to in range(3):
                    if board[0, to] == 0:
                        yield (0, column), (0, to)
    def play(self, board, move):
        board[move[0]] = 0
        board[move[1]] = 1
    def winner(self, board):
        return None
'''
    game = z.game(write(text))
    end = random_playout(game.start(), 1)
    assert end.is_over and end.winner is None and len(end.line) < 60
    assert z.player("engine(depth=4)", game).choose(game.start()) in game.start().moves


def test_generic_functions_in_one_file():
    game = z.game(str(EXAMPLES / "chomp.py"))
    assert game.start().moves[:2] == ("a1", "b1")
    assert z.solve(game.start()).word == "win", "the first player wins, by stealing the strategy"
    assert random_playout(game.start(), 1).is_over
    assert "#" in game.start().board() and "data-move" in game.start().svg()


def test_what_cannot_be_compiled_runs_as_plain_python(write):
    if not JIT:
        return
    text = TICTACTOE.replace("    def moves(self, board):\n", "    def moves(self, board):\n        assert globals()\n")
    with pytest.warns(
        UserWarning, match=r"mine\.py:\d+: assert globals\(\)\n.*\n.*moves\(\) runs as plain Python: [\d,]+ µs a call"
    ):
        game = z.game(write(text))
    assert perft(game.start().state, 3) == 504
    assert z.player("alphabeta(depth=3)", game).choose(game.position("xx./oo./... first")) == "c1"


def test_players_have_the_colours_that_they_are_called_by(write):
    plain = z.game(write(TICTACTOE)).position("a1 b2")
    assert plain.game.players == ("red", "blue") and INKS["red"] in plain.svg() and INKS["blue"] in plain.svg()
    named = TICTACTOE.replace("    rows = 3", "    players = ('White', 'black')\n    rows = 3")
    svg = z.game(write(named, "named.py")).position("a1 b2").svg()
    assert all(INKS[name] in svg for name in ("white", "black")) and INKS["red"] not in svg
