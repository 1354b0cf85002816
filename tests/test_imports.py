"""The folder list is the architecture: a part imports only what stands below it, or its own folder."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import zermelo

PACKAGE = Path(zermelo.__file__).parent

LEVELS = [  # from below to above; what stands side by side does not import each other
    {"language", "old_names"},
    {"errors", "processes"},
    {"files", "calls"},
    {"core"},
    {"rules", "drawing", "pieces"},
    {"boards"},
    {"evaluation", "homework"},
    {"position", "scores"},
    {"searches", "game_files"},
    {"solving"},
    {"games"},
    {"players"},
    {"match", "analysis", "tracing", "warming"},
    {"tournaments", "check", "judging", "puzzles", "protocols"},
    {"studies", "learn", "research", "exercises", "marking"},
    {"arena", "publish"},
    {"web"},
    {"cli", "notebook"},
    {"__main__"},
]
LEVEL = {name: number for number, names in enumerate(LEVELS) for name in names}


def imports(file):
    """The modules of ours that a file imports."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("zermelo"):
            yield from (f"{node.module}.{a.name}" if node.module == "zermelo" else node.module for a in node.names)
        elif isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.startswith("zermelo"))


FILES = sorted(
    str(file.relative_to(PACKAGE))
    for file in PACKAGE.rglob("*.py")
    if file.parent != PACKAGE or file.stem != "__init__"
)


@pytest.mark.parametrize("file", FILES)
def test_imports_point_down(file):
    part = Path(file).parts[0].removesuffix(".py")
    for name in sorted(set(imports(PACKAGE / file))):
        imported = name.split(".")[1]
        if imported == part == "games" and file.count("/") > 1:
            mine, theirs = file.split("/")[1], name.split(".")[2:3]
            assert theirs in ([], [mine]), f"{file} imports {name}: one game never imports another"
        if imported not in ("__version__", part):
            assert LEVEL[imported] < LEVEL[part], f"{file} may not import {name}"
            assert (part, imported) != ("games", "searches"), "games and searches meet only in questions of rules.py"
            assert (part, imported) != ("core", "language"), "errors carry core's texts, and are translated when shown"


def test_every_part_has_its_level():
    parts = {file.name.removesuffix(".py") for file in PACKAGE.iterdir() if file.name != "__pycache__"}
    assert parts - {"__init__", "__init__.pyi", "py.typed", "locales"} <= set(LEVEL)


def test_help_imports_no_command():
    code = (
        "import sys; from zermelo.cli.main import cli; from zermelo.cli.helping import follow_language;"
        "follow_language(cli); cli.main(['--help'], standalone_mode=False);"
        "assert not {'numba', 'numpy', 'rich', 'socket'} & set(sys.modules);"
        "assert not [name for name in ('play', 'learn', 'common') if f'zermelo.cli.{name}' in sys.modules]"
    )
    for code_of_language in ("en", "es"):
        environment = os.environ | {"ZERMELO_LANG": code_of_language}
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment)
        assert "analyse" in done.stdout


def test_a_command_does_not_wait_for_the_others():
    """Neither the other commands are imported, nor what only some commands need."""
    code = (
        "import sys; from zermelo.cli.main import cli; cli.commands['trace'];"
        "assert not {'zermelo.cli.study', 'zermelo.cli.learn', 'zermelo.cli.tournament'} & set(sys.modules);"
        "assert not {'hashlib', 'platformdirs', 'importlib.resources', 'tempfile'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_list_of_the_games_does_not_wait_for_compiled_code():
    """To load the first compiled function takes as long as to import everything but Numba."""
    code = (
        "import zermelo as z, zermelo.rules as rules; [str(z.game(name)) for name in z.catalogue()];"
        "asked = [name for name, rule in vars(rules).items() if getattr(rule, '_entries', None)];"
        "assert not asked, asked"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_public_names_exist():
    for name in zermelo.__all__:
        assert getattr(zermelo, name) is not None
    assert "alphabeta" in dir(zermelo)
    with pytest.raises(AttributeError, match="zermelo has no 'chess'"):
        _ = zermelo.chess
    with pytest.raises(AttributeError, match="zermelo has no 'Chess'"):
        _ = zermelo.Chess
    with pytest.warns(DeprecationWarning, match="now z.catalogue"):
        assert zermelo.games() == zermelo.catalogue()


def test_old_module_names_still_work_and_say_what_replaced_them():
    code = (
        "import warnings; warnings.simplefilter('ignore');"
        "from zermelo.features import features; from zermelo.search.perft import perft;"
        "import zermelo.tournament.rating as rating; import zermelo.tournaments.rating as new;"
        "import zermelo; assert rating is new and callable(zermelo.tournament)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    warned = subprocess.run(
        [sys.executable, "-c", "from zermelo.features import features"], check=True, capture_output=True, text=True
    ).stderr
    assert "<string>:1: DeprecationWarning: zermelo.features is now zermelo.evaluation.features" in warned
