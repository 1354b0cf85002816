"""The examples for Gradescope, GitHub, GitLab and Moodle's VPL: their own commands are run, and install nothing."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

EXAMPLES = Path(__file__).parents[2] / "examples"
ZERMELO = f"{sys.executable} -m zermelo"


@pytest.fixture
def assignment(tmp_path):
    """The folder of the assignment, with a rubric that takes less time."""
    folder = tmp_path / "assignment"
    shutil.copytree(EXAMPLES / "assignment", folder)
    shorten(folder / "rubric.toml")
    return folder


def shorten(rubric):
    text = rubric.read_text().replace("trees = 200", "trees = 20")
    rubric.write_text(
        text.replace("points = 20", "points = 20\ntrees = 20").replace("points = 10", "points = 10\ntrees = 10")
    )


def run(command, folder, status=0, **variables):
    environment = os.environ | {"ZERMELO": ZERMELO, "PYTHON": sys.executable} | variables
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


def test_gradescope(tmp_path):
    shutil.copytree(EXAMPLES / "autograder", tmp_path / "source")
    shorten(tmp_path / "source" / "rubric.toml")
    (tmp_path / "results").mkdir()
    (tmp_path / "submission").mkdir()
    shutil.copy(EXAMPLES / "assignment" / "search.py", tmp_path / "submission")
    run([tmp_path / "source" / "run_autograder"], tmp_path, AUTOGRADER=str(tmp_path))
    results = json.loads((tmp_path / "results" / "results.json").read_text())
    assert results["score"] == 70  # it is right, and does not prune
    assert [test["score"] for test in results["tests"]] == [40, 10, 20, 0, 0]
    assert [test["max_score"] for test in results["tests"]] == [40, 10, 20, 20, 10]
    assert results["tests"][4]["visibility"] == "after_due_date"
    assert subprocess.run(["bash", "-n", tmp_path / "source" / "setup.sh"]).returncode == 0


def commands_of(file):
    """The commands of a workflow that mark; those that install something are left out."""
    data = yaml.safe_load((EXAMPLES / "assignment" / file).read_text())
    if "jobs" in data:
        lines = [line for step in data["jobs"]["marks"]["steps"] for line in step.get("run", "").splitlines()]
    else:
        lines = data["marks"]["script"]
        assert data["marks"]["artifacts"]["reports"]["junit"] == "report.xml"
    return [line for line in lines if line.startswith("zermelo ")]


def test_github_and_gitlab(assignment):
    [command] = commands_of("github-workflow.yml")
    assert commands_of("gitlab-ci.yml") == [command]
    words = command.replace("zermelo", ZERMELO, 1)
    run(["bash", "-c", words], assignment, ZERMELO_SECRET="7")
    report = ElementTree.parse(assignment / "report.xml").getroot()
    assert (report.get("tests"), report.get("failures")) == ("5", "2")
    (assignment / "search.py").write_text("import zermelo as z\n\n\n@z.search\ndef f(node, depth):\n    return 0\n")
    run(["bash", "-c", words], assignment, status=1)


def test_moodle(assignment):
    run(["bash", "vpl_evaluate.sh"], assignment, VPL_GRADEMAX="10")
    out = run(["./vpl_execution"], assignment)
    assert out.splitlines()[-1] == "Grade :=>> 7.00"
    assert "Comment :=>>- Right values: 50/50" in out
    run(["bash", "vpl_run.sh"], assignment)
    assert "zermelo} check search.py" in (assignment / "vpl_execution").read_text()
