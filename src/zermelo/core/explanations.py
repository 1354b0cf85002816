"""Why a heuristic cannot be compiled, in words that help its author."""

import linecache
import re
from typing import Any

from zermelo.core.failing import failing_line
from zermelo.language import _, marked

_REASONS: list[tuple[str, str]] = [  # what Numba says, and what to do about it
    (
        r"Untyped global name '(\w+)'.*<class 'function'>",
        marked(r"\1 is a plain function: put @njit (from zermelo) above it"),
    ),
    (
        r"Untyped global name '(\w+)'.*<class '([\w.]+)'>",
        marked(r"\1 is a \2, which compiled code cannot use: only numbers, tuples of numbers and NumPy arrays"),
    ),
    (
        r"NameError: (?:global )?name '(\w+)' is not defined",
        marked(r"there is no \1: define or import it above"),
    ),
    (
        r"Variable '(\w+)' referenced before assignment",
        marked(r"\1 may be used before it is given a value"),
    ),
    (
        r"Unknown attribute '(\w+)' of type (\w+)\(",
        marked(r"\2 has no field '\1'"),
    ),
    (
        r"Unknown attribute '(\w+)' of type (\S+)",
        marked(r"\2 has no '\1' in compiled code: write it with numbers and loops"),
    ),
    (
        r"No implementation of function Function\((?:<built-in function |<function |<class ')?([\w.]+)",
        marked(r"\1 does not work on these values in compiled code: use numbers, NumPy arrays and loops"),
    ),
    (
        r"Cannot unify (.+) and (.+) for '(\w+)(?:\.\d+)?'",
        marked(r"\3 is sometimes \1, sometimes \2: keep it one kind"),
    ),
    (
        r"unsupported opcode \(IMPORT_\w+\)",
        marked("compiled code cannot import: put the import at the top of the file"),
    ),
    (
        r"(?:Use of unsupported|unsupported) (?:opcode|NumPy function) ?\W*(\w+)",
        marked(r"compiled code has no \1: write it with numbers and loops"),
    ),
    (
        r"it must return a number, not (.+) \(a way out without return\?\)",
        marked(r"it must return a number, not \1 (a way out without return?)"),
    ),
    (
        r"it must return a number, not (.+)",
        marked(r"it must return a number, not \1"),
    ),
]


def explain(function: Any, error: Exception) -> str:
    """Two lines: the user's own source line, and what to do about it."""
    file, number, text = function.__code__.co_filename, failing_line(function, error), str(error)
    linecache.checkcache(file)
    for pattern, advice in _REASONS:
        reason = re.search(pattern, text)
        if reason:
            what_to_do = reason.expand(_(advice))
            break
    else:
        said = [line.strip() for line in text.splitlines() if line.strip()]
        said = [line for line in said if not line.startswith("Failed in nopython")]
        what_to_do = said[0] if said else type(error).__name__
    line = linecache.getline(file, number).strip()
    if not line or line.startswith("@"):  # the function's first line is its decorator's
        line = _("in {name}").format(name=function.__name__)
    return f"{file}:{number}: {line}\n    {what_to_do}"
