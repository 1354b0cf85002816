"""Checks in the sandbox: they find the same, and the file reaches nothing."""

import pytest

from zermelo.check.asking import check_file
from zermelo.check.reports import Settings
from zermelo.processes.sandbox import missing

WORK = """
import math
import pathlib
import zermelo as z
from zermelo.games.tictactoe import TicTacToe

@z.heuristic
def corners(state: TicTacToe):
    return 1.0

@z.search
def plain(node, depth):
    if node.is_over or depth == 0:
        return node.value
    best = -math.inf
    for child in node.children():
        best = max(best, -plain(child, depth - 1))
    return best

class Mine:
    def choose(self, position):
        try:
            pathlib.Path("TOUCHED").write_text("seen")
            raise SystemExit
        except OSError:
            return position.moves[0]
"""


@pytest.mark.skipif(missing() is not None, reason=f"there is no sandbox here: {missing()}")
def test_files_are_checked_in_the_sandbox(tmp_path):
    """A heuristic, a search and a player, of which the last tries to write a file."""
    (tmp_path / "mine.py").write_text(WORK.replace("TOUCHED", str(tmp_path / "touched")))
    settings = Settings(positions=5, game="tictactoe", is_quick=True)
    reports = list(check_file(tmp_path / "mine.py", settings, sandbox=True))
    assert [(report.kind, report.name) for report in reports] == [
        ("heuristic", "corners"),
        ("search", "plain"),
        ("player", "Mine"),
    ]
    assert all(report.is_right for report in reports), reports
    assert not (tmp_path / "touched").exists()
    (tmp_path / "mine.py").write_text("def broken(:")
    [report] = check_file(tmp_path / "mine.py", settings, sandbox=True)
    assert not report.is_right
    assert f"{tmp_path}/mine.py:1" in report.findings[0].text
