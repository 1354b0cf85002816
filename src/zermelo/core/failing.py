"""Which line of a user's function cannot be compiled, as far as an error tells."""

import inspect
import re
from typing import Any

from zermelo.core.numba_private import error_line


def failing_line(function: Any, error: Exception) -> int:
    """The line that an error is about; the function's first if it does not say."""
    code = function.__code__
    known = error_line(error, code.co_filename)
    if known:
        return known
    told = re.finditer(r'File "([^"]+)", line (\d+)', str(error))
    lines = [int(found[2]) for found in told if _last_part(found[1]) == _last_part(code.co_filename)]
    if lines and lines[-1] != code.co_firstlineno:
        return lines[-1]
    if isinstance(error, AttributeError):  # raised by Python, which knows no line of what Numba was reading
        wanted = rf"\b{re.escape(error.name or '')}\b"
    elif "IMPORT_NAME" in str(error):  # Numba names the function only
        wanted = r"^\s+(import|from)\b"
    else:
        return lines[-1] if lines else int(code.co_firstlineno)
    try:
        source = inspect.getsource(function).splitlines()
    except (OSError, TypeError):  # typed into a terminal
        source = []
    found_in = (code.co_firstlineno + number for number, line in enumerate(source) if re.search(wanted, line))
    return int(next(found_in, code.co_firstlineno))


def _last_part(path: str) -> str:
    """Numba tells a file by its whole name, by its way from the folder we are in, or by its last part."""
    return path.replace("\\", "/").rsplit("/", 1)[-1]
