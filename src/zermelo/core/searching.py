"""Who is searching: evaluations whose values are for MAX, the player to move at the root, ask it here.

Compiled code hands an evaluation nothing but a state. What runs as plain Python can know more.
"""

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

_root: ContextVar[Any] = ContextVar("root", default=None)


@contextlib.contextmanager
def searching(root: Any) -> Iterator[None]:
    """While this lasts, a search from this state is running in this thread, or in one that copies its context."""
    token = _root.set(root)
    try:
        yield
    finally:
        _root.reset(token)


def root_or(state: Any) -> Any:
    """The root of the running search; the state itself if it is evaluated outside a search."""
    root = _root.get()
    return state if root is None or type(root) is not type(state) else root
