"""Failures inside a heuristic while a search runs, told in the user's words."""

from typing import Any

from zermelo.core import Heuristic
from zermelo.errors import HeuristicError, ZermeloError
from zermelo.language import _


class reporting:  # noqa: N801 - used like a function
    """What goes wrong inside a heuristic while a search runs is reported under its name."""

    def __init__(self, *heuristics: Heuristic | None):
        self.names = _(" or ").join(str(h) for h in dict.fromkeys(heuristics) if h is not None)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, Exception) and not isinstance(error, ZermeloError):
            hint = _("NUMBA_DISABLE_JIT=1 runs it as plain Python and shows the line")
            raise HeuristicError(
                _("{names} failed: {kind}: {error} ({hint})").format(
                    names=self.names, kind=type(error).__name__, error=error, hint=hint
                )
            ) from error
