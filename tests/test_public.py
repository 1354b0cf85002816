"""The public names, and what editors and type checkers know about them."""

import subprocess
import sys
import tomllib
from pathlib import Path

import zermelo

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

import stub

USE = """
import zermelo as z

@z.heuristic
def mine(state: z.Connect4) -> float:
    return 0.5

@z.heuristic(weights={"one": 2})
def other(state: z.Reversi, w: list[float]) -> float:
    return w[0]

position: z.Position = z.game("connect4").position("44")
move: str = z.alphabeta(mine, depth=4).choose(position)
score: z.Score = z.analyse(position, depth=2).best.score
names: list[str] = z.catalogue()
value: float = other(position)
"""


def test_the_stub_is_up_to_date():
    assert stub.FILE.read_text(encoding="utf-8") == stub.stub(), "run make stub"


def test_a_type_checker_knows_what_comes_back(tmp_path):
    file = tmp_path / "use.py"
    file.write_text(USE, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(file)]
    found = subprocess.run([*command, "--follow-imports=silent"], capture_output=True, text=True)
    assert found.returncode == 0, found.stdout
    file.write_text(USE + "wrong: int = move\n", encoding="utf-8")
    found = subprocess.run([*command, "--follow-imports=silent"], capture_output=True, text=True)
    assert "Incompatible types" in found.stdout


def test_the_version_is_the_same_everywhere():
    root = Path(__file__).parents[1]
    version = tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"]
    assert zermelo.__version__ == version
    assert f"\nversion: {version}\n" in (root / "CITATION.cff").read_text()
    assert f"\n## {version}" in (root / "CHANGELOG.md").read_text()
