"""The benchmarks: that they judge rightly, and say what is missing. Not how fast anything is."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from zermelo.core import JIT

BENCH = Path(__file__).parent.parent / "bench"

WITHOUT_PEERS = """
import runpy, sys
sys.modules |= dict.fromkeys(["pyspiel", "open_spiel", "easyAI"])
sys.argv = sys.argv[1:]
sys.path.insert(0, {folder!r})
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.fixture
def common(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    import _common

    return _common


@pytest.fixture
def check_all(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    import _check_all

    return _check_all


def test_every_benchmark_has_its_place_in_the_table(check_all):
    import _figures

    assert set(_figures.BENCHMARKS.values()) <= set(_figures.ISSUES)


def test_every_slow_test_and_benchmark_is_a_part_of_check_all(check_all):
    tests = Path(__file__).parent
    steps = check_all.steps()
    run = [word for step in steps if "slow" in step.command for word in step.command if word.startswith("tests/")]
    slow = [file for file in tests.rglob("test_*.py") if "mark.slow" in file.read_text(encoding="utf-8")]
    for file in slow:
        name = f"tests/{file.relative_to(tests)}"
        assert file == Path(__file__) or any(name.startswith(word) for word in run), name
    by_hand = {"strength", "publish_moves", "publish_exact"}  # the step "published" has tests of the last two
    assert {file.stem for file in BENCH.glob("[!_]*.py")} - by_hand == set(check_all.BENCHMARKS)
    assert {step.name for step in steps if step.command[2] == "pytest"} == set(sys.modules["_figures"].TESTS)


def test_figures_have_a_place_in_the_file_of_results(pytestconfig):
    """With xunit2 the fixture record_property warns, and a warning is an error."""
    assert pytestconfig.getini("junit_family") == "xunit1"


def test_the_table_of_figures_says_what_does_not_hold(check_all, tmp_path):
    case = '<testcase classname="tests.test_x" name="test_{name}">{inside}</testcase>'
    value = "[8, &quot;games lost&quot;, &quot;0&quot;, &quot;{got}&quot;]"  # as pytest writes a list
    figure = f"<properties><property name='figure' value='{value}'/></properties>"
    cases = [
        case.format(name="good", inside=figure.format(got=0)),
        case.format(name="bad", inside=figure.format(got=3) + "<failure/>"),
        case.format(name="silent", inside="<failure/>"),
    ]
    suite = '<testsuites><testsuite tests="3" failures="2" errors="0" skipped="0">{}</testsuite></testsuites>'
    (tmp_path / "tests.xml").write_text(suite.format("".join(cases)))
    (tmp_path / "bench-web.json").write_text("")
    steps = [("tests", "aaaaaaa"), ("web", "aaaaaaa"), ("plain", "bbbbbbb")]
    notes = [
        {"step": step, "status": 0, "minutes": 2.0, "commit": at, "date": "2026-11-16 22:00"} for step, at in steps
    ]
    (tmp_path / "steps.json").write_text(json.dumps(notes))
    before = "## Reversi\n\n| a perft (`games`) | at least 2 | 3 | yes |\n| a page (`web`) |  | 7 |  |\n"
    before += "## When each step ran\n\n| `games` | ccccccc | 2026-11-15 06:00 | 1.0 | not run |\n"
    text, holds = check_all.make_table(tmp_path, {"plain": "older than the code", "fuzz": "not run"}, before)
    assert "| a perft (`games`) | at least 2 | 3 | yes |" in text, "it has not been run again"
    assert "| `games` | ccccccc | 2026-11-15 06:00 | 1.0 | from an earlier run |" in text
    assert "a page (`web`)" not in text
    assert not holds
    assert "| `tests` | aaaaaaa | 2026-11-16 22:00 | 2.0 |  |" in text
    assert "| `plain` | bbbbbbb | 2026-11-16 22:00 | 2.0 | older than the code |" in text
    assert "| `fuzz` |  |  |  | not run |" in text
    assert "| games lost | 0 | 0 | yes |" in text and "| games lost | 0 | 3 | NO |" in text
    assert "| `test_x::test_silent` | passes | fails | NO |" in text
    assert "1 passed, 2 failed, 0 skipped | NO |" in text and "| `web` | runs | fails | NO |" in text


def test_a_run_of_all_checks_goes_on_where_the_last_one_ended(check_all, tmp_path, monkeypatch):
    """What passed is not run again until its files change; what failed is. The page is written after each step."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "code.py").write_text("1")
    monkeypatch.setattr(check_all, "ROOT", tmp_path)
    monkeypatch.setattr(check_all, "CHECKS", tmp_path / "checks")
    command = [sys.executable, "-c", "import sys; print('x', file=open('ran', 'a')); sys.exit(len(sys.argv) > 1)"]
    some = [check_all.Step("good", command, about=("code.py",)), check_all.Step("bad", [*command, "fails"], about=())]
    monkeypatch.setattr(check_all, "steps", lambda: some)

    def runs(*words):
        monkeypatch.setattr(sys, "argv", ["check_all", *words])
        with pytest.raises(SystemExit):
            check_all.main()
        return len((tmp_path / "ran").read_text().split())

    assert runs() == 2
    assert runs() == 3, "only the one that failed"
    (tmp_path / "code.py").write_text("2")
    page = (tmp_path / "docs" / "figures.md").read_text()
    assert "| `good` |" in page
    assert "status 1 | NO |" in page
    assert runs() == 5
    assert runs("good") == 6
    assert runs("--again") == 8


@pytest.mark.parametrize(
    ("ratio", "floor", "quoted", "reached", "words"),
    [
        (8.0, 8, False, True, "at least 8: reached"),
        (7.9, 8, False, False, "at least 8: NOT REACHED"),
        (99.0, 8, True, None, "at least 8: not judged"),
        (None, 8, False, None, "at least 8: not judged"),
        (0.5, None, False, None, ""),
    ],
)
def test_only_what_was_measured_here_is_judged(common, ratio, floor, quoted, reached, words):
    figure = common.Figure("x", "M/s", 1.0, "peer", 1.0, ratio, floor=floor, quoted=quoted)
    assert figure.reached is reached
    assert common.row(figure)[-1] == words


def test_ratio_is_the_median_of_the_rounds(common, monkeypatch):
    rates = iter([10.0, 1.0, 30.0, 10.0, 80.0, 20.0])  # ours, theirs, ours, theirs...
    monkeypatch.setattr(common, "rate", lambda work, seconds: next(rates))
    figure = common.compare("x", "/s", lambda: 1, "peer", lambda: 1, rounds=3, scale=1)
    assert (figure.ours, figure.theirs) == (30, 10)
    assert (figure.lowest, figure.ratio, figure.highest) == (3, 4, 10)


def test_rate_counts_work_until_the_time_is_over(common, monkeypatch):
    ticks = iter([0.0, 0.3, 0.6])
    monkeypatch.setattr(common.time, "process_time", lambda: next(ticks))
    assert common.rate(lambda: 30, 0.5) == pytest.approx(100)


@pytest.mark.skipif(not JIT, reason="interpreted, it takes minutes")
@pytest.mark.parametrize("name", ["connect4_alphabeta", "connect4_perft"])
def test_without_peers_our_own_figures_remain(name):
    command = [sys.executable, "-c", WITHOUT_PEERS.format(folder=str(BENCH)), str(BENCH / f"{name}.py")]
    done = subprocess.run([*command, "--rounds", "1", "--json"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)["figures"]
    assert len(figures) == 3
    for figure in figures:
        assert figure["ours"] > 0
        assert figure["reached"] is None
        assert figure["theirs"] is None or figure["quoted"]
        assert figure["note"].startswith("not installed: pip install --group bench")


def test_the_table_of_all_figures_can_read_every_benchmark(common):
    """They tell their figures through _common, in its form: one that had its own was left out of the table."""
    import _figures

    for name in _figures.BENCHMARKS:
        tree = ast.parse((BENCH / f"{name}.py").read_text(encoding="utf-8"))
        from_common = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "_common"]
        assert {"main", "as_json"} & {alias.name for node in from_common for alias in node.names}, name
