"""The example notebooks run from top to bottom."""

from pathlib import Path

import pytest

from zermelo.core import JIT

NOTEBOOKS = sorted((Path(__file__).parent.parent / "examples" / "notebooks").glob("*.ipynb"))

pytestmark = [
    pytest.mark.skipif(not JIT, reason="the notebooks show compiled code"),
    # Of the notebook's own machinery: an event loop that it keeps, and sockets that it closes late.
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebook_runs(path, tmp_path):
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    notebook = nbformat.read(path, as_version=4)
    runner = client.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}})
    runner.execute()
    assert all(cell.get("execution_count") for cell in notebook.cells if cell.cell_type == "code")
    assert all(not cell.get("outputs") for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code")


def test_there_is_one():
    assert NOTEBOOKS
