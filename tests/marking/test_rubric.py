"""Rubrics: what a wrong one is told, and where; how cases follow from the secret."""

import pytest
from handed_in import RUBRIC

from zermelo.errors import ZermeloError
from zermelo.marking.marks import check_rubric, work_of
from zermelo.marking.rubric import CHECKS, read_rubric

WRONG = {  # what is replaced by what, and words of the error
    ("points = 30", "points = -3"): "points: -3 should be",
    ('check = "moves"', 'check = "mooves"'): "did you mean 'moves'?",
    ("depth = 2", "deph = 2"): "did you mean 'depth'?",
    ('kind = "search"', 'kind = "game"'): "should be one of: search, heuristic",
    ("trees = 60", 'trees = "many"'): "'many' should be",
    ('game = "tictactoe"', 'game = "chess"'): "chess",
    ('game = "tictactoe"', ""): "games needs a game",
    ('"after_due_date"', '"never"'): "visibility",
    ("seconds = 4", "seconds = 4\nfoo = 1"): "there is no such field",
    ("points = 20\ntrees = 40", "trees = 40"): "points: is missing",
    ('title = "Alpha-beta"', 'title = "Alpha-beta'): "",
    ('check = "twice"', 'check = "signs"'): "should be one of",
}


@pytest.mark.parametrize("change", WRONG, ids=lambda change: change[1] or "no game")
def test_errors_name_the_line(tmp_path, change):
    file = tmp_path / "rubric.toml"
    before, found, after = RUBRIC.partition(change[0])
    assert found
    file.write_text(before + change[1] + after)
    # The line of what was changed; of the item that needs a game; of the item without points; of the unknown field.
    line = 1 + before.count("\n")
    if not change[1]:
        line = 1 + RUBRIC.partition('check = "games"')[0].count("\n")
    elif change[1] == "trees = 40":
        line -= 2
    elif "foo" in change[1]:
        line += 1
    with pytest.raises(ZermeloError) as error:
        read_rubric(file)
    assert f"{file}, line {line}" in str(error.value) or f"at line {line}" in str(error.value)
    assert WRONG[change] in str(error.value)


def test_a_rung_that_does_not_exist(tmp_path):
    file = tmp_path / "rubric.toml"
    item = '[[group]]\n[[group.item]]\ncheck = "beats"\nrung = "nobody"\npoints = 1\ngame = "tictactoe"\n'
    file.write_text(f'kind = "heuristic"\n{item}')
    with pytest.raises(ZermeloError, match="nobody"):
        check_rubric(read_rubric(file))


def test_the_secret_decides_about_the_cases(tmp_path):
    file = tmp_path / "rubric.toml"
    file.write_text(RUBRIC)
    seeds = [
        [item.seed for group in read_rubric(file, s).groups for item in group.items] for s in (None, "1", "1", "2")
    ]
    assert seeds[1] == seeds[2]
    assert len({*seeds[0], *seeds[1], *seeds[3]}) == 3 * len(seeds[0])
    assert read_rubric(file).has_secret
    file.write_text(RUBRIC.replace("secret = 20261116", ""))
    assert not read_rubric(file).has_secret


def test_what_is_in_a_folder(tmp_path):
    rubric_file = tmp_path / "rubric.toml"
    rubric_file.write_text(f'file = "search.py"\n{RUBRIC}')
    rubric = read_rubric(rubric_file)
    for name in ("ana.py", "_notes.py", "bruno/search.py", "bruno/helper.py", "carla/one.py", "empty/readme.txt"):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_text("")
    assert [one.name for one in work_of(tmp_path / "in", rubric)] == ["ana.py", "bruno", "carla"]
    assert work_of(tmp_path / "in" / "bruno", rubric) == [tmp_path / "in" / "bruno"]
    with pytest.raises(ZermeloError, match="no Python files"):
        work_of(tmp_path / "in" / "empty", rubric)


def test_every_check_has_its_look():
    from zermelo.marking.marks import LOOKS

    assert set(LOOKS) == set(CHECKS)
