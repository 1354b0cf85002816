"""The map of the code: its table is drawn from the code, and the files that its walks name exist."""

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

import rooms


def test_the_table_of_rooms_is_up_to_date():
    text = rooms.PAGE.read_text(encoding="utf-8")
    assert text == rooms.page(text), "run python tools/rooms.py"


def test_every_room_says_what_is_in_it():
    assert [room for room in rooms.rooms() if not rooms.about(room)] == []


def test_about_a_dozen_modules_stand_at_the_top():
    assert len(list(rooms.PACKAGE.glob("*.py"))) <= 14


def test_a_long_module_gives_its_reason_in_its_first_line():
    long = {}
    for file in rooms.PACKAGE.rglob("*.py"):
        first, *others = file.read_text(encoding="utf-8").splitlines() or [""]
        if len(others) >= 400 and "long" not in first:
            long[str(file.relative_to(rooms.PACKAGE))] = 1 + len(others)
    assert not long, "modules of more than 400 lines: divide them, or say in the first line why they are long"


@pytest.mark.parametrize(
    "name", sorted(set(re.findall(r"`([a-z_0-9/]+\.(?:py|js))`", rooms.PAGE.read_text(encoding="utf-8"))))
)
def test_the_files_it_names_exist(name):
    places = (rooms.PACKAGE / name, rooms.PACKAGE / "web" / name, rooms.ROOT / name)
    places += tuple(game / name for game in (rooms.PACKAGE / "games").iterdir())
    assert any(place.exists() for place in places), f"there is no {name}"
