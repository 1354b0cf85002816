"""What all tests share: golden files, their order, and smaller amounts of work when nothing is compiled."""

import contextlib
import functools
import os
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

os.environ["ZERMELO_LANG"] = (
    "en"  # the tests expect English, whatever the user's language; tests/test_language.py tests others
)
if "ZERMELO_DATA_DIR" not in os.environ:  # tests must not write to the user's own folder
    _data = tempfile.TemporaryDirectory(prefix="zermelo-tests-", ignore_cleanup_errors=True)
    os.environ["ZERMELO_DATA_DIR"] = _data.name

import pytest
from hypothesis import HealthCheck, settings

import firefox_esr
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


LONG = Path(__file__).with_name("long_tests.txt")
"""Cases that only `make check-all` runs."""

WHOLE = 5000
"""Whoever collects so many tests collects all of them."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Leave out the long cases, and begin with the longest files: at the end, no process waits for long."""
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.name, len(LONGEST)))
    lines = tuple(line for line in LONG.read_text(encoding="utf-8").splitlines() if line and line[0] != "#")
    long = [item for item in items if item.nodeid.startswith(lines)]
    if len(items) > WHOLE:
        unknown = [line for line in lines if not any(item.nodeid.startswith(line) for item in long)]
        if unknown:
            raise pytest.UsageError(f"{LONG.name} names tests that do not exist: {', '.join(unknown)}")
    asked = any("::" in argument for argument in config.args)  # by name, a test always runs
    if not ALL_CASES and JIT and not asked:
        items[:] = [item for item in items if not item.nodeid.startswith(lines)]
        config.hook.pytest_deselected(items=long)


ALL_CASES = os.environ.get("ZERMELO_ALL_CASES") == "1"  # `make check-all` takes the time for them

GOLDEN = Path(__file__).parent / "golden"


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


# ------------------------------------------------------------------------------------------ published players

sys.path.append(str(Path(__file__).parents[1] / "bench"))  # the benchmark and the tests compare in the same way


@pytest.fixture(scope="session")
def compile_player():
    """The module of a player for a game, compiled once for all tests of a process."""
    from zermelo.publish.module import published

    compiled_once = functools.cache(published)
    return lambda game, player: compiled_once(str(game), str(player))


@pytest.fixture(scope="session")
def playwright():
    """What starts browsers. It can be started only once in a process."""
    if not JIT:
        pytest.skip("the pages are the same without the compiler, but their searches take minutes")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright):
    """Chromium, one for all tests of a process."""
    flags = "--no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync"
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or playwright.chromium.executable_path
    if not Path(chromium).exists():
        pytest.skip("Chromium is not installed")
    started = playwright.chromium.launch(executable_path=chromium, args=[*flags.split(), "--no-first-run"])
    yield started
    started.close()


@pytest.fixture(scope="session")
def firefox(playwright, tmp_path_factory):
    """Firefox, in the same way."""
    if not firefox_esr.FIREFOX:
        pytest.skip("Firefox is not installed")
    started = firefox_esr.launch(playwright, tmp_path_factory.mktemp("firefox"))
    yield started
    started.close()


# ------------------------------------------------------------------------------------------ what was left out


def pytest_terminal_summary(terminalreporter):
    """Say which tests were skipped, and why."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ") for report in terminalreporter.stats.get("skipped", [])
    )
    said = "; ".join(f"{number} because {reason}" for reason, number in reasons.most_common())
    terminalreporter.write_line(f"tests that were skipped: {said or 'none'}")
