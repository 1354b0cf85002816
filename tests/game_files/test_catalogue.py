"""Games in files that are added to the catalogue, as `zermelo serve breakthrough.py` does."""

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent.parent / "examples"

CODE = """
import sys
from zermelo.cli.serve import _add_games
_add_games((sys.argv[1],))
import zermelo as z
assert "breakthrough" in z.catalogue(), z.catalogue()
game = z.game("breakthrough")
assert str(game) == "breakthrough" and len(game.start().moves) == 22
from zermelo.web.positions import game_of, first_board
board = first_board(game_of("breakthrough").start()).svg
assert 'data-from="a7"' in board and 'data-to="a6"' in board and 'data-move="a7-a6"' in board
try:
    game_of("..:breakthrough.py")
except z.ZermeloError:
    pass
else:
    raise AssertionError("an address must not name a file")
"""


def test_a_game_in_a_file_is_part_of_the_lab(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    subprocess.run([sys.executable, "-c", CODE, str(EXAMPLES / "breakthrough.py")], check=True)
