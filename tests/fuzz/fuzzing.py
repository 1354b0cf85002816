"""Inputs that are nearly right, and a loop that tries them for a fixed time.

All input from outside is either read or refused with an explanation. It must cause no other exception, no hanging, and
no unlimited use of memory. A few
inputs of each kind in every run of the tests; `make check-all` tries each parser for 10 s, or as long as
ZERMELO_FUZZ_SECONDS says. The addresses and bodies of the web lab's API are tried by tests/web/test_schema.py.
"""

import contextlib
import copy
import io
import json
import os
import re
import resource
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from zermelo.errors import ZermeloError

SECONDS = float(os.environ.get("ZERMELO_FUZZ_SECONDS", "10"))
"""For each parser, in the slow tests."""

A_FEW = 30
"""Inputs of each parser, in the usual tests."""

PATIENCE = 20
"""Seconds of processor time for one input. A parser that takes longer counts as hanging."""

MOST_MEMORY = 1 << 30
"""Bytes by which a parser may let the process grow: more for a few kilobytes of input is without bounds."""

ODD = (
    "",
    " ",
    "-",
    "0",
    "-1",
    "nan",
    "inf",
    "1e999",
    "9" * 30,
    "9" * 5000,
    "yes",
    "null",
    "é",
    "\0",
    "\udc80",
    "٣",
    "²",
)
ODD += tuple("()[]{}=,;:/\"'#\n")
ODD_VALUES = (None, True, -1, 0, 1 << 70, 0.5, 1e308, "", "x", [], [[]], {}, {"x": 1})


@dataclass(frozen=True)
class Parser:
    """Something that reads what comes from outside."""

    name: str
    read: Callable[[Any], Any]
    inputs: SearchStrategy[Any]
    write: Callable[[Any], Any] | None = None  # what it read, as it is written
    again: Callable[[Any], Any] | None = None  # reads that; the same parser if not said
    same: Callable[[Any, Any], bool] = lambda one, other: one == other
    refusals: tuple[type[BaseException], ...] = (ZermeloError,)

    def check(self, given: Any) -> None:
        """It is read, and stays the same if it is written and read again; or it is refused with an explanation."""
        try:
            found = self.read(given)
        except self.refusals as error:
            if isinstance(error, ZermeloError) and not str(error):
                raise AssertionError("an error without words") from error
            return
        if self.write is not None:
            written = self.write(found)
            assert self.same((self.again or self.read)(written), found), f"{written!r} is read as something else"


# ------------------------------------------------------------------------------------------ inputs


@st.composite
def edited(draw: Callable[..., Any], examples: Sequence[Any], odd: Sequence[Any]) -> Any:
    """A valid text (or bytes) with some of it removed, repeated, moved or replaced by something odd or from another."""
    text = draw(st.sampled_from(examples))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(start + draw(st.sampled_from([0, 0, 1, 1, 2, 5, 20, 10**6])), len(text))
        other = draw(st.sampled_from(examples))
        at = draw(st.integers(0, len(other)))
        new = draw(st.sampled_from([text[:0], text[start:end] * 2, other[at : at + 12], *odd]))
        text = text[:start] + new + text[end:]
    return text


def texts(*examples: str) -> SearchStrategy[str]:
    """Valid texts, changed a little or mixed; their words in any order; anything; things without end."""
    words = sorted({word for text in examples for word in re.findall(r"\w+|\W", text)})
    mixed = st.lists(st.sampled_from([*words, *ODD]), max_size=12).map("".join)
    endless = st.tuples(st.sampled_from([*words, "a(", "[", "{", "1"]), st.integers(100, 20_000)).map(
        lambda p: p[0] * p[1]
    )
    return st.one_of(st.sampled_from(examples), edited(examples, ODD), edited(examples, ODD), mixed, st.text(), endless)


@st.composite
def flipped(draw: Callable[..., Any], examples: Sequence[bytes]) -> bytes:
    """A file with a few of its bits wrong."""
    data = bytearray(draw(st.sampled_from(examples)))
    for _ in range(draw(st.integers(1, 3))):
        data[draw(st.integers(0, len(data) - 1))] ^= 1 << draw(st.integers(0, 7))
    return bytes(data)


def files(*examples: bytes) -> SearchStrategy[bytes]:
    """Valid files, damaged; or anything."""
    odd = (b"\0", b"\0\0\0\0", b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\x80", b"PK", b"\n")
    return st.one_of(st.sampled_from(examples), edited(examples, odd), flipped(examples), st.binary(max_size=200))


@st.composite
def altered(draw: Callable[..., Any], data: Any) -> Any:
    """Data as JSON or TOML holds it, with something in it missing, odd, or too much."""
    data = copy.deepcopy(data)
    for _ in range(draw(st.integers(1, 2))):
        inner, way = data, draw(st.integers(1, 4))
        while way > 0 and isinstance(inner, (dict, list)) and inner:
            keys = sorted(inner) if isinstance(inner, dict) else range(len(inner))
            key, way = draw(st.sampled_from(keys)), way - 1
            if way == 0 or not isinstance(inner[key], (dict, list)) or not inner[key]:
                odd = copy.deepcopy(draw(st.sampled_from([*ODD_VALUES, "delete", "add"])))
                if odd == "delete":
                    del inner[key]
                elif odd == "add" and isinstance(inner, dict):
                    inner["unknown"] = 1
                else:
                    inner[key] = odd
                break
            inner = inner[key]
    return data


def json_texts(*examples: str) -> SearchStrategy[str]:
    """JSON, wrong in its form or in what it says."""
    return st.one_of(texts(*examples), *(altered(json.loads(text)).map(json.dumps) for text in examples))


def encoded(found: SearchStrategy[str]) -> SearchStrategy[bytes]:
    return found.map(lambda text: text.encode("utf-8", "surrogateescape" if "\udc80" in text else "strict"))


@st.composite
def altered_arrays(draw: Callable[..., Any], data: bytes, about: str = "about") -> bytes:
    """An NPZ file whose form is right, and whose contents are not: another shape or type, odd numbers, other words."""
    with np.load(io.BytesIO(data)) as stored:
        arrays = {name: stored[name] for name in stored.files}
    words = json.loads(arrays[about].tobytes())
    for _ in range(draw(st.integers(1, 2))):
        name = draw(st.sampled_from(sorted(arrays)))
        array = arrays[name]
        if name == about and draw(st.booleans()):
            told = draw(altered(words))
            arrays[name] = np.frombuffer(json.dumps(told).encode(), np.uint8)
            continue
        kind = draw(
            st.sampled_from(["cut", "longer", "flat", "deep", "float64", "int8", "bool", "U3", "odd", "nothing"])
        )
        if kind == "nothing":
            del arrays[name]
            if not arrays:
                break
        elif kind == "odd" and array.size and array.dtype.kind in "iuf":
            changed = array.copy()
            odd = draw(
                st.sampled_from([-1, 0, 1, 100] + ([np.nan, np.inf, 1e30, 0.5] if array.dtype.kind == "f" else []))
            )
            changed.reshape(-1)[draw(st.integers(0, array.size - 1))] = np.array(odd).astype(array.dtype)
            arrays[name] = changed
        elif kind in ("float64", "int8", "bool", "U3") and array.dtype.kind != "U":
            with np.errstate(invalid="ignore"):
                arrays[name] = array.astype(kind)
        else:
            flat = array.reshape(-1)
            shapes = {"cut": flat[: flat.size // 2], "longer": np.concatenate([flat, flat]), "flat": flat}
            arrays[name] = shapes.get(kind, array[None])
    out = io.BytesIO()
    np.savez(out, **arrays)  # type: ignore[arg-type]
    return out.getvalue()


def array_files(*examples: bytes) -> SearchStrategy[bytes]:
    return st.one_of(files(*examples), *(altered_arrays(data) for data in examples))


# ------------------------------------------------------------------------------------------ trying


@contextlib.contextmanager
def _in_time(given: Any) -> Iterator[None]:
    def late(number: int, frame: Any) -> None:
        raise AssertionError(f"no answer in {PATIENCE} s to {given!r:.300}")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _memory() -> int:
    """The greatest amount of memory that this process has used, in bytes."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def try_some(parser: Parser) -> None:
    """Try a few inputs, which are always the same."""
    _try(parser, 600, A_FEW)


def try_long(parser: Parser, record: Callable[[str, object], None]) -> None:
    """Try inputs for SECONDS, and record how many that were."""
    what, wanted = f"inputs of {parser.name}, by chance", f"{SECONDS:g} s without a crash"
    tried = 0
    try:
        tried = _try(parser, SECONDS)
    finally:
        record("figure", [11, what, wanted, f"{tried} tried" if tried else "a crash"])


def _try(parser: Parser, seconds: float, at_most: int | None = None) -> int:
    """Try inputs until the time is over, a hundred for each seed, and return how many were tried."""
    end, before, tried, rounds = time.monotonic() + seconds, _memory(), 0, 0

    def one(data: Any) -> None:
        nonlocal tried
        if time.monotonic() < end:
            tried += 1
            try:
                with _in_time(data):
                    parser.check(data)
            except Exception as error:
                error.add_note(f"the input: {data!r:.1000}")
                raise

    while time.monotonic() < end and (at_most is None or tried < at_most):
        chosen = settings(
            max_examples=100 if at_most is None else at_most,
            deadline=None,
            database=None,
            derandomize=False,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        )
        seed(rounds)(chosen(given(parser.inputs)(one)))()
        rounds += 1
    grown = _memory() - before
    assert grown < MOST_MEMORY, f"{parser.name}: the process grew by {grown / 1e6:.0f} MB"
    return tried
