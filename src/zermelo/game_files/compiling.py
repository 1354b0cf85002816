"""Compiling the rules of a game in one file. What cannot be compiled runs as plain Python, and a note says why."""

import time
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numba

from zermelo import rules as questions
from zermelo.core import JIT, Generic, njit
from zermelo.core.explanations import explain
from zermelo.language import gettext

MEASURED = 0.02
"""Seconds in which a rule that runs as plain Python is measured."""


def question(name: str) -> Generic:
    """The generic function of this name, in rules.py."""
    found = getattr(questions, name)
    assert isinstance(found, Generic)
    return found


def reason_against(dispatcher: Any, *arguments: Any) -> str:
    """Why an author's function cannot be compiled for arguments of these types; empty if it can."""
    try:
        dispatcher.compile(arguments)
    except Exception as error:  # Numba raises not only its own errors
        finding = explain(dispatcher.py_func, error)
        return f"{finding.place}\n    {finding.reason}"
    return ""


def answer(cls: Any, functions: Mapping[str, Any]) -> None:
    """Answer these questions for a class of states; an earlier answer is replaced."""
    for name, function in functions.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            question(name).of(cls)(function)


def answer_by_interpreter(cls: Any, name: str, function: Any) -> None:
    """Answer a question with a plain function, which the interpreter runs."""
    if not JIT:
        answer(cls, {name: function})
        return
    rule = _called_back(name, function, cls.numba)
    rule.__name__ = rule.__qualname__ = f"{name}_{cls.__name__}"
    generic = question(name)
    generic._entries.pop(cls, None)
    generic.implementations[cls] = njit(rule, nogil=False)  # Numba warns that the interpreter needs the GIL


def _called_back(name: str, function: Any, kind: Any) -> Any:
    """A function for compiled code that calls a plain function back; kind: the Numba type of the states."""

    def legal_moves(state, out, start):
        with numba.objmode(end="int64"):
            end = function(state, out, start)
        return end  # noqa: RET504 - it may not return from inside

    def play(state, move):
        with numba.objmode(following=kind):
            following = function(state, move)
        return following  # noqa: RET504

    def yes_or_no(state):
        with numba.objmode(found="boolean"):
            found = bool(function(state))
        return found  # noqa: RET504

    def number(state):
        with numba.objmode(found="int64"):
            found = int(function(state))
        return found  # noqa: RET504

    known = {"legal_moves": legal_moves, "play": play, "is_over": yes_or_no, "can_repeat": yes_or_no}
    return known.get(name, number)


def note(name: str, reason: str, run: Callable[[], object]) -> str:
    """What is told about a rule that is not compiled: the line, the reason, and how long it takes.

    run: runs the rule once as plain Python.
    """
    began, number = time.process_time(), 0
    while time.process_time() - began < MEASURED:
        run()
        number += 1
    spent = 1e6 * (time.process_time() - began) / number
    told = gettext("{name} runs as plain Python: {spent:,.0f} µs a call, where compiled rules take about 1 µs")
    return f"{reason}\n    " + told.format(name=name, spent=spent)
