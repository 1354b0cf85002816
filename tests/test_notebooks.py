"""Every notebook runs from top to bottom and prints the output that is saved in it."""

import subprocess
import sys
from pathlib import Path

import pytest

from zermelo.core import JIT

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
MOST_BYTES = 100_000
VARIES = "varies"
"""The tag of cells that print times and the like: they must run, whatever they print."""

pytestmark = pytest.mark.skipif(not JIT, reason="the notebooks show compiled code")


def printed(cell):
    """What a cell prints, and of which kinds its pictures are (how boards are drawn is tested elsewhere)."""
    if VARIES in cell.metadata.get("tags", []):
        return []
    printed = [output.text for output in cell.outputs if output.output_type == "stream" and output.name == "stdout"]
    shown = [(sorted(output.data), output.data.get("text/plain")) for output in cell.outputs if "data" in output]
    return ["".join(printed), *shown]


def code_cells(file):
    return [cell for cell in nbformat.read(file, as_version=4).cells if cell.cell_type == "code"]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda file: file.stem)
def test_it_runs_and_prints_what_it_is_kept_with(notebook, tmp_path):
    run = tmp_path / notebook.name
    # In a separate process, because an event loop and sockets would warn here, and warnings are errors in tests.
    command = [sys.executable, "-m", "jupyter", "execute", f"--output={run}", "--kernel_name=python3", str(notebook)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    for kept, now in zip(code_cells(notebook), code_cells(run), strict=True):
        assert printed(now) == printed(kept), kept.source


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda file: file.stem)
def test_it_is_small_and_was_run_in_order(notebook):
    assert notebook.stat().st_size < MOST_BYTES
    counts = [cell.execution_count for cell in code_cells(notebook)]
    assert counts == list(range(1, len(counts) + 1))


def test_the_list_names_them_all():
    text = (NOTEBOOKS[0].parent / "README.md").read_text(encoding="utf-8")
    assert all(f"]({notebook.name})" in text for notebook in NOTEBOOKS)
