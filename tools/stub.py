"""Write src/zermelo/__init__.pyi, which gives the public names and their types to editors and type checkers.

`import zermelo` imports nothing until a name is used, so a type checker cannot see what the names are. The stub tells
it. Run `make stub` after adding a public name or a game. tests/test_public.py fails if the stub is out of date.
"""

import importlib
from pathlib import Path

import zermelo
from zermelo.core.state import BoardMeta
from zermelo.games import annotations, find_game, game_names

FILE = Path(zermelo.__file__).with_suffix(".pyi")
HOMES: dict[str, str] = vars(zermelo)["_HOME"]  # the stub itself does not show this name
HEAD = '''"""The public names of zermelo and their types. Made by tools/stub.py (`make stub`); do not edit."""

'''


def _line(module: str, attribute: str, name: str) -> str:
    return f"from {module} import {attribute} as {name}"


def of_public_names() -> list[str]:
    """An import for each public name of the package."""
    lines = []
    for name, home in HOMES.items():
        module, _, attribute = home.partition(":")
        lines.append(_line(f"zermelo.{module}", attribute, name) if attribute else _line("zermelo", module, name))
    return lines


def of_games() -> list[str]:
    """An import for the boards and the states of each game of this package."""
    lines = []
    for game in game_names():
        package = type(find_game(game)).__module__
        if package.startswith("zermelo."):
            for name, found in annotations(importlib.import_module(package)).items():
                home = f"{package}.board" if isinstance(found, BoardMeta) else package
                lines.append(_line(home, name, name))
    return lines


def _order(name: str) -> tuple[int, str]:
    """Names are listed as ruff wants them: constants, then classes, then the others."""
    return 0 if name.isupper() else 1 if name[0].isupper() else 2, name


def stub() -> str:
    """The text that the file should hold."""
    imports = {*of_public_names(), *of_games()}
    lines = sorted(imports, key=lambda line: (line.split()[1], _order(line.split()[3])))
    names = {"__version__", *HOMES, *(line.rpartition(" ")[2] for line in of_games())}
    listed = "".join(f'    "{name}",\n' for name in sorted(names, key=_order))
    return HEAD + "\n".join(lines) + f"\n\n__version__: str\n\n__all__ = [\n{listed}]\n"


if __name__ == "__main__":
    FILE.write_text(stub(), encoding="utf-8")
