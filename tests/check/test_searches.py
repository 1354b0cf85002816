"""The check of searches: right ones pass, and each planted mistake is found on a small tree, and named if possible."""

import re
from pathlib import Path

import pytest

from zermelo.check.reports import Settings
from zermelo.check.searches import examine
from zermelo.core import JIT
from zermelo.core.worlds import loaded
from zermelo.games.tree.notation import parse_tree
from zermelo.players.own import searches_in

PLANTED = Path(__file__).parent / "planted.py"
STYLES = Path(__file__).parents[1] / "searches" / "own" / "styles.py"
EXPECTED = loaded(PLANTED).EXPECTED
pytestmark = pytest.mark.skipif(not JIT, reason="thousands of trees take too long as plain Python")


def report_of(file, name, **settings):
    steps = examine(file, name, Settings(**settings))
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def test_every_planted_search_is_expected():
    assert set(searches_in(PLANTED)) == set(EXPECTED)
    assert len(EXPECTED) >= 25


@pytest.mark.parametrize("name", EXPECTED)
def test_the_mistake_is_found_and_named(name, record_property):
    what, mistake = EXPECTED[name]
    report = report_of(PLANTED, name)
    assert not report.is_right
    (finding,) = [finding for finding in report.findings if finding.level == "error"]
    assert finding.what == what
    assert report.facts.get("mistake") == mistake
    if what in ("value", "window", "move"):
        assert report.facts["size"] <= 6, finding.text
        assert parse_tree(report.facts["tree"]).nodes
        assert not re.search(r" -0$", finding.text, re.MULTILINE), finding.text
    got = f"{what}: {mistake or 'no name'}, a tree of {report.facts.get('size', '-')} nodes"
    record_property("figure", [19, f"planted mistake `{name}`", "found", got])


@pytest.mark.parametrize("name", ["textbook", "any_order"])
def test_right_searches_are_right(name):
    report = report_of(STYLES, name)
    assert report.is_right, report.findings
    assert report.facts["compiled"]
    assert ("alternates" in report.facts) == (name == "textbook")
    assert "connect4" in report.facts["games"]
    assert ("parcheckers" in report.facts["games"]) == (name == "any_order")


def test_pruning_is_counted(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "import zermelo as z\n\n\n@z.search\ndef f(node, depth, alpha, beta):\n"
        "    if node.is_over or depth == 0:\n        return node.value\n    best = float('-inf')\n"
        "    for child in node.children():\n        best = max(best, -f(child, depth - 1, -beta, -alpha))\n"
        "    return best\n"
    )
    report = report_of(file, "f")
    assert report.is_right
    assert [finding.what for finding in report.findings if finding.level == "warning"] == ["prunes"]
    assert report.facts["nodes"]["yours"] == report.facts["nodes"]["minimax"]
    best = report_of(STYLES, "negamax").facts["nodes"]
    assert best["yours"] == best["alphabeta"] < best["minimax"]


def test_a_search_that_sorts_its_moves_is_compared_in_its_own_order(tmp_path):
    """It makes all children before it visits one, and in an order that may be worse than that of the tree."""
    file = tmp_path / "mine.py"
    file.write_text(
        "import zermelo as z\n\n\n@z.search\ndef f(node, depth, alpha, beta):\n"
        "    if node.is_over or depth == 0:\n        return node.value\n"
        "    for child in sorted(node.children(), key=lambda one: one.value):\n"
        "        alpha = max(alpha, -f(child, depth - 1, -beta, -alpha))\n"
        "        if alpha >= beta:\n            break\n    return alpha\n"
    )
    report = report_of(file, "f")
    assert report.is_right
    assert [finding.what for finding in report.findings if finding.level == "warning"] == []
    assert report.facts["nodes"]["yours"] == report.facts["nodes"]["alphabeta"]
