"""A person at a real terminal."""

import sys

import pexpect
import pytest


@pytest.fixture
def terminal():
    child = None

    def start(*arguments):
        nonlocal child
        child = pexpect.spawn(sys.executable, ["-m", "zermelo", *arguments], encoding="utf-8", timeout=120)
        return child

    yield start
    if child is not None:
        child.close(force=True)


def test_a_whole_game_with_a_take_back(terminal):
    game = terminal("play", "tictactoe", "--second", "minimax(depth=2)")
    game.expect("X's move: ")
    game.sendline("?")
    game.expect("moves: a1 b1 c1")
    game.expect("X's move: ")
    game.sendline("u")
    game.expect("there is no move to take back")
    game.expect("X's move: ")
    game.sendline("a1")
    game.expect("O plays (\\w\\d)")
    game.expect("X's move: ")
    game.sendline("u")
    game.expect("X's move: ")
    game.sendline("c3")
    game.expect("O plays (\\w\\d)")
    game.expect("X's move: ")
    game.sendline("q")
    game.expect("X resigns")
    game.expect(pexpect.EOF)


def test_control_c_leaves_a_game_without_a_mess(terminal):
    game = terminal("play", "tictactoe", "--second", "random")
    game.expect("X's move: ")
    game.sendline("b2")
    game.expect("O plays \\w\\d")
    game.expect("X's move: ")
    game.sendintr()
    game.expect("interrupted")
    game.expect(pexpect.EOF)
    game.wait()
    assert game.exitstatus == 130
