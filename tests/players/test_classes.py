"""Classes in files as players: what they may return, what they keep, and what happens when they go wrong."""

import os
from pathlib import Path

import pytest

import zermelo as z
from zermelo.calls import call_of
from zermelo.core.contents import names_in
from zermelo.errors import FileError, HeuristicError, PlayerError
from zermelo.games import find_heuristic
from zermelo.match import play_match
from zermelo.players import ClassPlayer, find_player
from zermelo.players.player import Crashed, IllegalMove, WrongAnswer
from zermelo.players.programs import HostedPlayer, plays

FILE = """
import os, sys
import zermelo as z

print("a print while loading harms nobody")

class Mine:
    def __init__(self, option=0):
        self.option = option
        self.seen = []
    def prepare(self, game):
        self.game = game
    def choose(self, position):
        print("nor one while thinking")
        assert position.game == self.game
        self.seen.append(position)
        assert len({one.to_move for one in self.seen}) == 1, "an object plays one side"
        assert all(len(one.line) < len(two.line) for one, two in zip(self.seen, self.seen[1:])), "of one game"
        return position.as_board().moves()[self.option]

class Heir(Mine):
    games = ["connect4"]

class Number:
    def choose(self, position, seconds_left):
        self.left = seconds_left
        return int(position.moves[-1])

class Proper(z.Player):
    def think(self, position):
        return z.Choice(position.moves[0], 0.0, depth=3)

class Timed:
    def choose(self, position, seconds_left=None):
        return "1" if seconds_left is None else "2"

class Fails:
    def choose(self, position):
        return helper(position)

def helper(position):
    return 1 // 0

class Nothing:
    def choose(self, position):
        pass

class Listed:
    def choose(self, position):
        return ["4"]

class Cheats:
    def choose(self, position):
        return 9

class Exits:
    def choose(self, position):
        sys.exit("enough")

class Wrong:
    def choose(self):
        return "4"

class Leaves:
    def choose(self, position):
        os._exit(3)

class Loops:
    def choose(self, position):
        while True:
            pass

class _Base:
    def choose(self, position):
        return "4"

class Four(_Base):
    pass

class Helper:
    def value(self):
        return 3
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def hosted(name, seconds=None):
    call = call_of(f"mine.py:{name}")
    return HostedPlayer(Path("mine.py"), call, seconds)


def test_the_names_are_known_without_running_the_file():
    names = names_in(FILE, "player")
    assert {"Mine", "Heir", "Number", "Proper", "Four"} <= set(names)
    assert not {"Helper", "_Base", "helper"} & set(names)
    assert names_in("class A(B): pass\nthis is not Python", "player") == []


def test_texts(folder):
    player = find_player("mine.py:Mine(option=3, seconds=2)")
    assert player == ClassPlayer("mine.py:Mine(option=3)", 2)
    assert str(player) == "mine.py:Mine(option=3, seconds=2)"
    assert player.full_text == "player(code=mine.py:Mine(option=3), seconds=2)"
    assert find_player(player.full_text) == find_player(str(player)) == player
    assert str(find_player("mine.py:Mine")) == "mine.py:Mine"
    with pytest.raises(PlayerError, match="say which one"):
        find_player("player")
    with pytest.raises(PlayerError, match=r"write FILE\.py:NAME"):
        find_player("player(code=mine)")
    with pytest.raises(FileError, match=r"no file none\.py"):
        find_player("player(code=none.py:Mine)").prepare(z.game("connect4"))


def test_a_name_that_a_file_does_not_have_is_told_with_what_it_has(folder):
    (folder / "all.py").write_text(
        "import zermelo as z\n\n@z.heuristic\ndef h(board: z.Connect4):\n    return 1\n\n"
        "@z.search\ndef s(node, depth):\n    return node.value\n\n"
        "class P:\n    def choose(self, position):\n        pass\n"
    )
    game = z.game("connect4")
    with pytest.raises(HeuristicError) as caught:
        find_player("all.py:Q").prepare(game)
    assert str(caught.value) == "all.py has nothing called 'Q'; it has h (heuristic), s (search), P (player)"
    with pytest.raises(HeuristicError, match=r"all\.py:P is a player, not a heuristic"):
        find_player("alphabeta(heuristic=all.py:P)").prepare(game)
    with pytest.raises(HeuristicError, match=r"all\.py:s is a search, not a heuristic"):
        find_heuristic("all.py:s")
    with pytest.raises(PlayerError, match=r"has no player 'h'; it has P"):
        HostedPlayer(Path("all.py"), call_of("all.py:h")).prepare(game)


def test_moves_may_be_texts_numbers_and_moves_of_a_board(folder):
    position = z.game("connect4").start()
    assert hosted("Mine(option=2)").think(position).move == "3"
    assert hosted("Mine(2)").think(position).move == "3"
    assert hosted("Number").think(position).move == "7"
    assert hosted("Four").think(position).move == "4"
    assert hosted("Proper").think(position).depth == 3
    assert hosted("Timed").think(position).move == "1"
    assert hosted("Timed", 5).think(position).move == "2"


@pytest.mark.parametrize(
    ("name", "fault", "text"),
    [
        ("Fails", Crashed, "mine.py:{helper}: ZeroDivisionError: "),
        ("Exits", Crashed, "mine.py:{exits}: SystemExit: enough"),
        ("Wrong", Crashed, "mine.py:{wrong}: TypeError: Wrong.choose() takes 1 positional"),
        ("Nothing", WrongAnswer, "mine.py:{nothing}: Nothing returned None, which is not a move"),
        ("Listed", WrongAnswer, "Listed returned ['4'], which is not a move; return its text, such as '1'"),
        ("Cheats", IllegalMove, "9 is illegal: the columns are 1 to 7"),
    ],
)
def test_faults_have_the_line_of_the_file(folder, name, fault, text):
    lines = FILE.splitlines()
    text = text.format(
        helper=lines.index("    return 1 // 0") + 1,
        exits=lines.index('        sys.exit("enough")') + 1,
        wrong=lines.index("class Wrong:") + 2,
        nothing=lines.index("class Nothing:") + 2,
    )
    with pytest.raises(fault) as caught:
        hosted(name).think(z.game("connect4").start())
    assert text in str(caught.value)


def test_options_that_a_class_does_not_take_are_told(folder):
    with pytest.raises(PlayerError, match=r"does not take these options: .*depth"):
        hosted("Mine(depth=3)").prepare(z.game("connect4"))


def test_each_game_and_side_has_an_object_of_its_own(folder):
    """The class itself asserts it. Two games are under way at a time, and the player is both sides of one of them."""
    player, other = hosted("Mine"), hosted("Mine")
    one = two = z.game("connect4").start()
    for ply in range(6):
        one, two = one.play(player.think(one).move), two.play("7" if ply == 2 else player.think(two).move)
    assert one != two
    assert len(player._under) == 4, "and not more objects than sides"
    here = z.game("connect4").start()
    other.prepare(here.game)
    spare = other._spare[1]
    other.think(here)
    assert other._under[-1].thing is spare, "what was prepared plays the first game"
    other.think(here)
    assert other._under[-1].thing is not spare, "the same position again is another game"


def test_a_file_that_changed_is_read_again_for_the_next_game(folder):
    player = hosted("Four")
    assert player.think(z.game("connect4").start()).move == "4"
    (folder / "mine.py").write_text(FILE.replace('return "4"', 'return "5"'))
    assert player.think(z.game("connect4").start()).move == "5"


def test_a_class_may_say_which_games_it_plays(folder):
    path = folder / "mine.py"
    assert plays(path, "Heir", z.game("connect4"))
    assert not plays(path, "Heir", z.game("reversi"))
    assert plays(path, "Mine", z.game("reversi"))


def test_a_match_goes_on_whatever_a_class_does(folder):
    record = play_match("mine.py:Mine(option=1)", "mine.py:Leaves", "connect4")
    assert (record.winner, record.reason) == (1, f"crash: mine.py:{line('os._exit')}: its process ended with status 3")
    assert record.players == ("mine.py:Mine(option=1)", "mine.py:Leaves")
    assert [move.move for move in record.moves] == ["2"]
    record = play_match("mine.py:Mine(option=1)", "mine.py:Loops(seconds=0.2)", "connect4")
    assert record.winner == 1
    assert record.reason.startswith("timeout: mine.py:")
    assert "no answer within 1.2 s" in record.reason
    record = play_match("mine.py:Mine(option=1)", "random(seed=1)", "connect4", most_plies=4)
    assert record.reason == "unfinished"


def line(text):
    return next(number for number, one in enumerate(FILE.splitlines(), 1) if text in one and os.path.isfile("mine.py"))
