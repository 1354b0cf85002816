"""What all tests share: golden files, their order, and smaller amounts of work when nothing is compiled."""

import contextlib
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

os.environ["ZERMELO_LANG"] = (
    "en"  # the tests expect English, whatever the user's language; tests/test_language.py tests others
)
if "ZERMELO_DATA_DIR" not in os.environ:  # tests must not write to the user's own folder
    _data = tempfile.TemporaryDirectory(prefix="zermelo-tests-", ignore_cleanup_errors=True)
    os.environ["ZERMELO_DATA_DIR"] = _data.name

from hypothesis import HealthCheck, settings

from zermelo.core import JIT

# The same examples at each run, however slow the machine is. tests/fuzz looks for new ones.
settings.register_profile("same", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("same")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell starts background processes in this way
    with contextlib.suppress(ValueError):  # (not in the main thread)
        signal.signal(signal.SIGINT, signal.default_int_handler)

collect_ignore = ["check/programs"]
"""Users' files: some of them cannot even be imported."""

collect_ignore_glob = ["*/handed_in/*"]  # students' files: they import modules that exist only for them

LONGEST = (  # files that take half a minute or more, the longest first
    "test_docs.py",
    "test_guests.py",
    "test_programs.py",
    "test_cli.py",
    "test_searches.py",
    "test_class_rules.py",
    "test_interrupts.py",
    "test_own_search.py",
    "test_contract.py",
    "test_distribute.py",
    "test_reproducible.py",
    "test_notebooks.py",
    "test_mcts.py",
    "test_cache.py",
    "test_models.py",
    "test_workshop.py",
    "test_play.py",
)


def pytest_collection_modifyitems(items):
    """Begin with the longest files: at the end, no process waits for long while another finishes."""
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.name, len(LONGEST)))


GOLDEN = Path(__file__).parent / "golden"


ALL_CASES = os.environ.get("ZERMELO_ALL_CASES") == "1"  # `make check-all` takes the time for them


def dose(compiled: int, interpreted: int, every: int | None = None) -> int:
    """How many cases to test: with NUMBA_DISABLE_JIT=1 everything is a few hundred times slower.

    every: the number in `make check-all`, where it is larger.
    """
    if not JIT:
        return interpreted
    return every if every is not None and ALL_CASES else compiled


def golden_lines(name: str) -> Iterator[list[str]]:
    """The lines of a golden file, split into words; `#` begins a comment (which names the source)."""
    for line in (GOLDEN / name).read_text(encoding="utf-8").splitlines():
        words = line.split("#")[0].split()
        if words:
            yield words
