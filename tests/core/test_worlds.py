"""Every file of a user is loaded in its own world."""

import sys
from pathlib import Path

import pytest

from zermelo.errors import HeuristicError
from zermelo.games import find_game, load_file

HEAD = "from zermelo import heuristic\nfrom zermelo.games.connect4 import Connect4\n"
USES = {
    "from": "from hlp import A\n@heuristic\ndef h(s: Connect4): return A\n",
    "attribute": "import hlp\n@heuristic\ndef h(s: Connect4): return hlp.A\n",
    "package": "import pk.hlp\n@heuristic\ndef h(s: Connect4): return pk.hlp.A\n",
    "from a package": "from pk import hlp\n@heuristic\ndef h(s: Connect4): return hlp.A\n",
    "as": "import pk.hlp as q\n@heuristic\ndef h(s: Connect4): return q.A\n",
    "star": "from pk.hlp import *\n@heuristic\ndef h(s: Connect4): return A\n",
    "relative": "from .hlp import A\n@heuristic\ndef h(s: Connect4): return A\n",
    "through another": "from via import A\n@heuristic\ndef h(s: Connect4): return A\n",
    "relative in a package": "from pk.via import A\n@heuristic\ndef h(s: Connect4): return A\n",
    "late": "def find():\n    from via import late\n    return late()\n"
    "@heuristic(python=True)\ndef h(s: Connect4): return find()\n",
}


def write(folder: Path, text: str, value: int) -> Path:
    (folder / "pk").mkdir(parents=True)
    (folder / "pk" / "__init__.py").write_text("")
    (folder / "pk" / "hlp.py").write_text(f"A = {value}\n")
    (folder / "pk" / "via.py").write_text("from . import hlp\nfrom .hlp import A\n")
    (folder / "hlp.py").write_text(f"A = {value}\n")
    (folder / "via.py").write_text("from hlp import A\ndef late():\n    import lazily\n    return lazily.A\n")
    (folder / "lazily.py").write_text(f"A = {value}\n")
    (folder / "mine.py").write_text(HEAD + text)
    return folder / "mine.py"


@pytest.mark.filterwarnings("ignore::zermelo.errors.PlainPythonWarning")
@pytest.mark.parametrize("use", USES)
def test_helpers_of_one_name_are_not_mixed_up(use, tmp_path):
    start = find_game("connect4").start()
    files = {folder: write(tmp_path / folder, USES[use], value) for folder, value in (("a", 1), ("b", 2))}
    before = set(sys.modules), list(sys.path)
    a, b = (load_file(file)["h"] for file in files.values())
    assert (b(start), a(start)) == (2, 1)
    assert not {"hlp", "via", "lazily", "pk", "mine"} & set(sys.modules), "nothing is left behind"
    assert sys.path == before[1]


def test_what_the_program_itself_imported_is_another_module(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "hlp.py").write_text("A = 3\n")
    monkeypatch.syspath_prepend(str(tmp_path / "elsewhere"))
    import hlp

    file = write(tmp_path / "a", USES["attribute"], 1)
    assert load_file(file)["h"](find_game("connect4").start()) == 1
    assert hlp.A == 3
    monkeypatch.delitem(sys.modules, "hlp")


def test_a_neighbour_cannot_stand_for_python_or_this_package(tmp_path):
    for name in ("random", "numpy", "zermelo", "numba"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('sabotage')\n")
    text = "import random, numba, numpy, zermelo\n@heuristic\ndef h(s: Connect4): return 4\n"
    (tmp_path / "mine.py").write_text(HEAD + text)
    assert load_file(tmp_path / "mine.py")["h"](find_game("connect4").start()) == 4


def test_a_file_with_a_name_that_is_no_identifier(tmp_path):
    for name in ("heurística final.py", "mine (v2).py", "a,b.py", "a.b.py", "class.py"):
        (tmp_path / name).write_text(HEAD + "import hlp\n@heuristic\ndef h(s: Connect4): return hlp.A\n")
        (tmp_path / "hlp.py").write_text("A = 5\n")
        assert load_file(tmp_path / name)["h"](find_game("connect4").start()) == 5


def test_an_edited_helper_is_loaded_again(tmp_path):
    start, file = find_game("connect4").start(), write(tmp_path / "a", USES["through another"], 1)
    first = load_file(file)["h"]
    assert first(start) == 1
    (tmp_path / "a" / "hlp.py").write_text("A = 2\n")
    assert load_file(file)["h"](start) == 2
    assert first(start) == 1


def test_errors_of_a_helper_name_the_file(tmp_path):
    file = write(tmp_path / "a", USES["from"], 1)
    (tmp_path / "a" / "hlp.py").write_text("A = 1\nB = = 2\n")
    with pytest.raises(HeuristicError, match=r"hlp.py:2: B = = 2\n    SyntaxError"):
        load_file(file)
    (tmp_path / "a" / "hlp.py").write_text("A = 1\nB = 1 // 0\n")
    with pytest.raises(HeuristicError, match=r"hlp.py:2: B = 1 // 0\n    ZeroDivisionError"):
        load_file(file)
    (tmp_path / "a" / "hlp.py").write_text("A = 7\n")
    assert load_file(file)["h"](find_game("connect4").start()) == 7
