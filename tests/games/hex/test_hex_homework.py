"""A Hex player with `play(board)`, in the style of the Hex report, plays as it was handed in."""

import random
from pathlib import Path

import pytest

from conftest import dose
from zermelo.calls import call_of
from zermelo.check.positions import sample
from zermelo.errors import PlayerError
from zermelo.game_files import holds_game
from zermelo.games import find_game, find_heuristic, load_module
from zermelo.games.handed_in import holds_homework
from zermelo.games.hex.homework import HexBoard, course_board
from zermelo.players.player import Fault, IllegalMove, WrongAnswer
from zermelo.players.programs import HostedPlayer, programs_in
from zermelo.rules import to_move

HANDED_IN = Path(__file__).parent / "handed_in" / "Player.py"


def hosted(file: Path, text: str) -> HostedPlayer:
    """The player in this process, so that tests need no other."""
    return HostedPlayer(file, call_of(f"{file.name}:{text}"))


@pytest.mark.parametrize("size", [4, 7, 11])
def test_the_same_values_as_ours(size):
    game = find_game("hex", size=size)
    made = {player: load_module(HANDED_IN).MiniMaxPlayer(player) for player in (1, 2)}
    distance, bridges = find_heuristic("distance", game), find_heuristic("bridges(edge=0)", game)
    report = find_heuristic("report(edge=0)", game)
    positions = sample(game, dose(100, 6), seed=size)
    assert {to_move(position.state) for position in positions} == {0, 1}
    for position in positions:
        board, me = course_board(position.state), position.to_move
        mine = made[me]
        assert 100 * (mine.dijkstra(board, 3 - me) - mine.dijkstra(board, me)) == distance(position), position
        assert 10 * (mine.find_bridges(board, me) - mine.find_bridges(board, 3 - me)) == bridges(position), position
        assert mine.heuristic(board) == report(position)
        assert sorted(board.get_possible_moves()) == sorted(
            (ord(text[0]) - ord("a"), int(text[1:]) - 1) for text in position.moves
        )
        assert not board.check_connection(1) and not board.check_connection(2)


def test_the_board_knows_who_has_won():
    game = find_game("hex", size=4)
    for position in sample(game, 40, seed=1):
        while not position.is_over:
            position = position.play(position.moves[0])
        board = course_board(position.state)
        assert [board.check_connection(player) for player in (1, 2)] == [position.winner == 1, position.winner == 2]
        assert board.player_positions[1] == {(r, c) for r in range(4) for c in range(4) if board.board[r][c] == 1}


def test_it_plays_either_side():
    game = find_game("hex", size=4)
    assert list(programs_in(HANDED_IN)) == ["RandomPlayer", "MiniMaxPlayer"]
    strong = hosted(HANDED_IN, "MiniMaxPlayer(TOP_MOVES=4, depth=1)")
    weak = hosted(HANDED_IN, "RandomPlayer")
    random.seed(1)
    for players, winner in (((strong, weak), 1), ((weak, strong), 2)):
        position = game.start()
        while not position.is_over:
            position = position.play(players[position.to_move - 1].choose(position))
        assert position.winner == winner


HEAD = "from player import Player\nfrom board import HexBoard\nclass Mala(Player):\n"
WRONG = {
    "    def jugar(self, board):\n        return (0, 0)\n": (
        PlayerError,
        "mala.py:3: class Mala(Player):\n    Mala has no method play; write def play(self, board):",
    ),
    "    def play(self):\n        return (0, 0)\n": (
        PlayerError,
        "mala.py:3: class Mala(Player):\n    play must take one board; write def play(self, board):",
    ),
    "    def play(self, board, otra):\n        return (0, 0)\n": (PlayerError, "play must take one board"),
    "    def play(self, board):\n        return board.tablero\n": (Fault, "mala.py:5: AttributeError"),
    "    def play(self, board):\n        pass\n": (
        WrongAnswer,
        "mala.py:4: Mala.play returned None; it must return a row and a column, such as (0, 2)",
    ),
    "    def play(self, board):\n        return (9, 9)\n": (IllegalMove, "mala.py:4: '(9, 9)'"),
    "    def __init__(self, uno, dos):\n        pass\n    def play(self, board):\n        pass\n": (
        PlayerError,
        "mala.py:3: class Mala(Player):\n    TypeError: ",
    ),
}


@pytest.mark.parametrize("body", WRONG)
def test_what_is_wrong_is_told_with_its_line(tmp_path, body):
    kind, told = WRONG[body]
    file = tmp_path / "mala.py"
    file.write_text(HEAD + body, encoding="utf-8")
    with pytest.raises(kind) as error:
        hosted(file, "Mala").choose(find_game("hex", size=3).start())
    assert told in str(error.value)
    assert len(str(error.value).splitlines()) <= 3 or error.value.said


def test_what_students_write(tmp_path):
    """The board's own class in the file, a time limit, the moves as an argument, a board that is changed."""
    file = tmp_path / "varios.py"
    file.write_text(
        "import numpy as np\n"
        "class HexBoard:\n    pass\n"
        "class Player:\n    def __init__(self, player_id):\n        self.player_id = player_id\n"
        "class Comun(Player):\n    def mejor(self, moves):\n        return moves[-1]\n"
        "class Uno(Comun):\n    def play(self, board, max_time):\n        assert max_time > 0\n"
        "        board.place_piece(0, 0, self.player_id)\n"
        "        return np.array(self.mejor(board.get_possible_moves()))\n"
        "class Dos(Comun):\n    def play(self, board, possible_moves):\n        return list(possible_moves[1])\n"
        "class Juego:\n    def play(self, move):\n        return move\n"
    )
    assert list(programs_in(file)) == ["Uno", "Dos"]
    assert holds_homework(file) and not holds_game(file)
    start = find_game("hex", size=3).start()
    for name, move, wants_seconds in (("Uno", "c3", True), ("Dos", "a2", False)):
        player = hosted(file, name)
        assert (player.choose(start), player.wants_seconds) == (move, wants_seconds)
    assert HexBoard(3).get_possible_moves()[1] == (0, 1)
