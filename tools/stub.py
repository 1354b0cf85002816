"""The public names with their types, for editors and type checkers: writes src/zermelo/__init__.pyi.

`import zermelo` imports nothing until a name is used, so a type checker cannot see what the names are. The stub says
it. Run `make stub` after a public name or a game has been added; tests/test_public.py finds a stub that is out of date.
"""

import importlib
from pathlib import Path

import zermelo
from zermelo.games import find_game, game_names, state_classes

FILE = Path(zermelo.__file__).with_suffix(".pyi")
HOMES: dict[str, str] = vars(zermelo)["_HOME"]  # (which the stub itself does not show)
HEAD = '''"""The public names of zermelo and their types. Made by tools/stub.py (`make stub`); do not edit."""

'''


def _line(module: str, attribute: str, name: str) -> str:
    return f"from {module} import {attribute} as {name}"


def of_public_names() -> list[str]:
    """An import for each name of the package."""
    lines = []
    for name, home in HOMES.items():
        module, _, attribute = home.partition(":")
        lines.append(_line(f"zermelo.{module}", attribute, name) if attribute else _line("zermelo", module, name))
    return lines


def of_games() -> list[str]:
    """An import for the states of each game of this package; a Hex board has a class for each of its sizes."""
    lines = []
    for game in game_names():
        package = type(find_game(game)).__module__
        if package.startswith("zermelo."):
            found = state_classes(importlib.import_module(package))
            lines += [_line(package, name, name) for name in found]
    return lines


def stub() -> str:
    """What the file should hold."""
    lines = sorted({*of_public_names(), *of_games()})
    names = {"__version__", *HOMES, *(line.rpartition(" ")[2] for line in of_games())}
    listed = "".join(f'    "{name}",\n' for name in sorted(names, key=lambda name: (not name[0].isupper(), name)))
    return HEAD + "\n".join(lines) + f"\n\n__version__: str\n\n__all__ = [\n{listed}]\n"


if __name__ == "__main__":
    FILE.write_text(stub(), encoding="utf-8")
