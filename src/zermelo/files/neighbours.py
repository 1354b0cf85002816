"""The files that a user's Python file needs: itself, and those beside it that it imports."""

import ast
import os
from collections.abc import Mapping
from pathlib import Path

from zermelo.errors import FileError

MOST_MODULES = 200
"""Maximum number of modules of a package that travel with the contestant's file beside it."""


def _module_files(folder: Path, name: str) -> list[str]:
    """The files of a module in a contestant's folder, as relative paths: one file, or all files of a package."""
    package = folder / name
    if not os.path.isdir(package):
        return [f"{name}.py"]
    files = sorted(package.rglob("*.py"))[:MOST_MODULES]
    return [file.relative_to(folder).as_posix() for file in files]


def with_neighbours(path: Path, follow: bool = True) -> dict[str, str]:
    """The texts of a file and of the files beside it that it imports, directly or indirectly.

    follow: read links too. Somebody else's link may lead to a file that is none of their business.
    """
    found: dict[str, str] = {}
    waiting = [path.name]
    while waiting:
        name = waiting.pop()
        file = path.parent / name
        if name in found or not os.path.isfile(file):
            continue
        if not follow and not file.resolve() == path.parent.resolve() / name:
            raise FileError("{file}: this is a link, and links are not followed for the sandbox", file=file)
        try:
            found[name] = file.read_text(encoding="utf-8-sig")
            tree = ast.parse(found[name])
        except SyntaxError as error:
            told = f"{(error.text or '').strip()}\n    {type(error).__name__}: {error.msg}"
            raise FileError(f"{file}:{error.lineno or 1}: {told}") from None
        except (OSError, ValueError, RecursionError, MemoryError) as error:
            raise FileError("{file}: cannot be read: {error}", file=file, error=error) from None
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            for module in names:
                waiting += _module_files(path.parent, module.split(".")[0])
    if path.name not in found:
        raise FileError("there is no file {path}", path=path)
    return dict(sorted(found.items()))


def write_readable(folder: Path, texts: Mapping[str, str]) -> None:
    """Write files to a folder that exists, so that every user of this machine can read them."""
    folder.chmod(0o755)
    for name, text in texts.items():
        place = folder / name
        if not place.resolve().is_relative_to(folder.resolve()):
            raise FileError("{name!r} is not a valid name for a contestant's file", name=name)
        for above in reversed([one for one in place.parents if one != folder and one.is_relative_to(folder)]):
            above.mkdir(exist_ok=True)
            above.chmod(0o755)
        place.write_text(text, encoding="utf-8")
        place.chmod(0o644)
