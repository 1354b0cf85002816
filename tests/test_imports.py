"""The folder list is the architecture: a part imports only what stands below it, or its own folder."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import zermelo

PACKAGE = Path(zermelo.__file__).parent

LEVELS = [
    {"language", "parts", "guardian"},
    {"errors"},
    {"files", "folders"},
    {"array_files"},
    {"core", "calls", "svg", "clock", "table_files", "weight_files"},
    {"rules", "svg_tree", "charts", "stats", "solution", "processes", "tables"},
    {"features", "nets"},
    {"models"},
    {"position", "scores"},
    {"games", "search", "solvers"},
    {"playing", "external", "players", "match", "analysis", "tracing", "solving"},
    {"tournament"},
    {"studies", "learn"},
    {"web"},
    {"cli"},
    {"__main__"},
]
LEVEL = {name: number for number, names in enumerate(LEVELS) for name in names}
# within their level, from below to above
CHAIN = ["playing", "external", "players", "tracing", "analysis", "match", "solving"]


def imports():
    """(importing file, its part, imported module) for every import of ours."""
    for file in sorted(PACKAGE.rglob("*.py")):
        relative = file.relative_to(PACKAGE)
        part = relative.parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("zermelo"):
                names = [f"{node.module}.{a.name}" if node.module == "zermelo" else node.module for a in node.names]
            elif isinstance(node, ast.Import):
                names = [a.name for a in node.names if a.name.startswith("zermelo")]
            for name in names:
                yield relative, part, name


EDGES = sorted({(str(file), part, name) for file, part, name in imports() if part != "__init__"})


@pytest.mark.parametrize(("file", "part", "name"), EDGES)
def test_imports_point_down(file, part, name):
    imported = name.split(".")[1]
    if imported in ("__version__",) or imported == part:
        if part == "games" and imported == "games" and file.count("/") > 1:
            mine, theirs = file.split("/")[1], name.split(".")[2:3]
            assert theirs in ([], [mine]), "one game never imports another"
        return
    if part in CHAIN and imported in CHAIN:
        assert CHAIN.index(imported) < CHAIN.index(part)
        return
    assert LEVEL[imported] < LEVEL[part], f"{file} may not import {name}"


def test_every_part_has_its_level():
    parts = {file.name.removesuffix(".py") for file in PACKAGE.iterdir() if file.name != "__pycache__"}
    assert parts - {"__init__", "py.typed", "locales"} <= set(LEVEL)


def test_help_does_not_import_numba():
    code = "import sys; from zermelo.cli.main import cli; assert not {'numba', 'numpy', 'rich'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_public_names_exist():
    for name in zermelo.__all__:
        assert getattr(zermelo, name) is not None
    assert "alphabeta" in dir(zermelo)
    with pytest.raises(AttributeError, match="zermelo has no 'chess'"):
        _ = zermelo.chess
    assert zermelo.games() == list(zermelo.games())
