"""Why a heuristic cannot be compiled, in words that help its author."""

import inspect
import linecache
import re
from typing import Any

from zermelo.core.numba_private import error_line
from zermelo.language import _, marked

_REASONS: list[tuple[str, str]] = [  # a pattern of what Numba says, and what to do about it
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
        marked(r"\1 is not defined: define or import it above"),
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
        marked(r"\2 has no '\1' in compiled code: use numbers and loops instead"),
    ),
    (
        r"No implementation of function Function\((?:<built-in function |<function |<class ')?([\w.]+)",
        marked(r"\1 does not work on these values in compiled code: use numbers, NumPy arrays and loops"),
    ),
    (
        r"Cannot unify (.+) and (.+) for '(\w+)(?:\.\d+)?'",
        marked(r"\3 is sometimes \1 and sometimes \2: use one type for it"),
    ),
    (
        r"unsupported opcode \(IMPORT_\w+\)",
        marked("compiled code cannot import: put the import at the top of the file"),
    ),
    (
        r"(?:Use of unsupported|unsupported) (?:opcode|NumPy function) ?\W*(\w+)",
        marked(r"compiled code does not support \1: use numbers and loops instead"),
    ),
    (
        r"it must return a number, not (.+) \(does it end somewhere without return\?\)",
        marked(r"it must return a number, not \1 (does it end somewhere without return?)"),
    ),
    (
        r"it must return a number, not (.+)",
        marked(r"it must return a number, not \1"),
    ),
]


def explain(function: Any, error: Exception) -> str:
    """A message of two lines: the user's own source line, and what to do about it."""
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
    if not line or line.startswith("@"):  # the first line of a function is that of its decorator
        line = _("in {name}").format(name=function.__name__)
    return f"{file}:{number}: {line}\n    {what_to_do}"


def failing_line(function: Any, error: Exception) -> int:
    """The line of a function that an error is about, or else the function's first line."""
    code = function.__code__
    known = error_line(error, code.co_filename)
    if known:
        return known
    told = re.finditer(r'File "([^"]+)", line (\d+)', str(error))
    lines = [int(found[2]) for found in told if _last_part(found[1]) == _last_part(code.co_filename)]
    if lines and lines[-1] != code.co_firstlineno:
        return lines[-1]
    if isinstance(error, AttributeError):  # raised by Python, which does not know the line that Numba was reading
        wanted = rf"\b{re.escape(error.name or '')}\b"
    elif "IMPORT_NAME" in str(error):  # Numba only names the function
        wanted = r"^\s+(import|from)\b"
    else:
        return lines[-1] if lines else int(code.co_firstlineno)
    try:
        source = inspect.getsource(function).splitlines()
    except (OSError, TypeError):  # the function was typed into a terminal
        source = []
    found_in = (code.co_firstlineno + number for number, line in enumerate(source) if re.search(wanted, line))
    return int(next(found_in, code.co_firstlineno))


def _last_part(path: str) -> str:
    """The name of a file without its folder, since Numba gives an absolute path, a relative one or none."""
    return path.replace("\\", "/").rsplit("/", 1)[-1]
