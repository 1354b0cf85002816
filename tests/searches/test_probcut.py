"""ProbCut: its numbers, what it cuts, and what it leaves alone."""

import ast
import inspect

import numpy as np
import pytest

import zermelo as z
from conftest import dose
from zermelo.errors import FileError, PlayerError
from zermelo.evaluation.probcut_files import Check, ProbCut, read_probcut, write_probcut
from zermelo.games import find_game
from zermelo.learn.probcut import Sample, fit_probcut, fitted_checks, shallow_depths
from zermelo.position import random_playout
from zermelo.searches import engine
from zermelo.searches.budget import Budget
from zermelo.searches.deepening import Engine
from zermelo.searches.engine import CUT_CHECKS, CUT_DEPTHS, CUT_NUMBERS, CUT_STAGES
from zermelo.searches.probcut import cut_numbers

CONNECT4 = find_game("connect4")
CHECKS = (Check(0, 3, 1, 1.0, 0.5, 2.0), Check(0, 4, 2, 1.1, 0.0, 3.0))


def table_of(checks, deviations=1.5):
    return cut_numbers(checks, deviations).reshape(CUT_STAGES, CUT_DEPTHS, CUT_CHECKS, CUT_NUMBERS)


def test_numbers_are_in_units_and_go_on_beyond_the_measured_depths():
    numbers = table_of(CHECKS)
    assert list(numbers[0, 3, 0]) == [1, 1.0, 500, 3000]
    assert list(numbers[0, 4, 0]) == [2, 1.1, 0, 4500]
    assert numbers[0, 9, 0, 0] == 7, "as many plies apart as depth 3 from depth 1"
    assert numbers[0, 10, 0, 0] == 8
    assert not numbers[0, :3].any()
    assert (numbers[15] == numbers[0]).all(), "a stage without numbers has those of the nearest one"
    assert not table_of(()).any()


def test_depths_are_predicted_from_smaller_ones_of_the_same_parity():
    for depth in range(3, 20):
        assert shallow_depths(depth)
        assert all(0 < shallow < depth and (depth - shallow) % 2 == 0 for shallow in shallow_depths(depth))


def test_lines_are_fitted():
    """Scores made by a known line with a known error give it back."""
    chance = np.random.default_rng(1)
    samples = []
    for _ in range(2000):
        first = chance.normal(0, 10)
        samples.append(Sample(3, (first, 0.0, 2 * first + 5 + chance.normal(0, 4))))
    (found,) = [check for check in fitted_checks(samples) if check.stage == 3]
    assert (found.depth, found.shallow) == (3, 1)
    assert found.slope == pytest.approx(2, abs=0.05)
    assert found.offset == pytest.approx(5, abs=0.5)
    assert found.deviation == pytest.approx(4, abs=0.3)
    assert not list(fitted_checks(samples[:20])), "too few positions"


def test_files_give_back_what_was_written(tmp_path):
    given = ProbCut("connect4", "lines2", "0123", CHECKS, {"seed": 1})
    write_probcut(tmp_path / "one.json", given)
    found = read_probcut(tmp_path / "one.json")
    assert found == given
    assert found.made == {"seed": 1}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "is not a file of ProbCut statistics"),
        ('{"format": 1}', "contains no checks"),
        ('{"format": 9, "checks": []}', "format 9"),
        ('{"format": 1, "checks": [{"stage": 0}]}', "is not a check"),
        (
            '{"format": 1, "checks": [{"stage": 0, "depth": 3, "shallow": 3, "slope": 1, "offset": 0, '
            '"deviation": 1}]}',
            "is not a check",
        ),
    ],
)
def test_bad_files_are_refused(tmp_path, text, told):
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(FileError, match=told):
        read_probcut(tmp_path / "bad.json")


def test_statistics_are_measured_and_save_nodes():
    """From Connect 4's own searches; the same seed gives the same numbers."""
    heuristic = CONNECT4.heuristics["lines2"]
    options = {"positions": 40, "nodes": dose(20_000, 3000), "opening": 4, "seed": 1}
    found = fit_probcut(CONNECT4, heuristic, **options)
    assert found.checks
    assert found == fit_probcut(CONNECT4, heuristic, **options)
    cuts, plain, cut = cut_numbers(found.checks, 1.0), 0, 0
    for seed in range(dose(6, 2)):
        state, budget = random_playout(CONNECT4.start(), seed, 6).state, Budget(depth=dose(9, 6))
        *_, one = Engine(heuristic, memory=1).deepen(state, budget)
        *_, other = Engine(heuristic, memory=1, cuts=cuts).deepen(state, budget)
        plain, cut = plain + one.nodes, cut + other.nodes
    assert cut < plain


def test_wins_found_with_probcut_are_wins():
    cuts = cut_numbers(CHECKS, 0.0)  # it cuts wherever it can
    searching = Engine(CONNECT4.heuristics["centre"], memory=4, cuts=cuts)
    *_, found = searching.deepen(CONNECT4.position("3344").state, Budget(depth=6))
    assert found.score.text == "win in 3"


def test_the_player_says_where_there_are_no_statistics():
    with pytest.raises(PlayerError, match="no ProbCut statistics for the heuristic lines2"):
        z.engine("connect4/lines2", depth=2, probcut=1.5, solver=False).choose(CONNECT4.start())
    with pytest.raises(PlayerError, match="probcut=-1"):
        z.engine(probcut=-1)


def test_only_pvs_calls_itself():
    """Code that calls itself through another function cannot be kept: every process would compile the engine again."""
    functions = [one for one in ast.parse(inspect.getsource(engine)).body if isinstance(one, ast.FunctionDef)]
    calls = {
        one.name: {node.func.id for node in ast.walk(one) if isinstance(node, ast.Call) and hasattr(node.func, "id")}
        for one in functions
    }
    assert [name for name, called in calls.items() if "pvs" in called] == ["pvs"]
