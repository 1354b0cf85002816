"""The pictures of winning openings in the documentation, and the script that draws them."""

import json
import runpy
import sys
from pathlib import Path

import pytest

from conftest import GOLDEN

ROOT = Path(__file__).parents[3]


def test_swap_maps_show_the_winning_openings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["swap_map.py", "4", "5", "--out", str(tmp_path)])
    runpy.run_path(str(ROOT / "tools" / "swap_map.py"), run_name="__main__")
    printed = capsys.readouterr().out.splitlines()
    known = json.loads((GOLDEN / "hex-openings.json").read_text())["maps"]
    assert printed[:4] == known["4x4"]["rows_top_first"]
    assert printed[5:10] == known["5x5"]["rows_top_first"]
    drawn = (tmp_path / "hex-openings-5x5.svg").read_text(encoding="utf-8")
    assert drawn.count("●") == known["5x5"]["count_win"]
    assert drawn == (ROOT / "docs" / "images" / "hex-openings-5x5.svg").read_text(encoding="utf-8")
