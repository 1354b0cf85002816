"""Other systems than Linux: nothing that only POSIX has is imported on the way to a game."""

import subprocess
import sys

WITHOUT = """
import sys
for name in ("fcntl", "grp", "pty", "pwd", "readline", "resource", "termios", "tty"):
    sys.modules[name] = None  # importing it fails from now on
sys.argv = ["zermelo", *sys.argv[1:]]
from zermelo.cli.main import main
main()
"""


def test_a_game_is_played_without_the_modules_of_posix():
    command = ["play", "tictactoe", "--first", "random", "--second", "alphabeta(depth=2)"]
    done = subprocess.run([sys.executable, "-c", WITHOUT, *command], capture_output=True, text=True, input="")
    assert done.returncode == 0, done.stderr
    assert "wins" in done.stdout or "draw" in done.stdout
