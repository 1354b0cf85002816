"""Which submissions are alike: planted copies are found, and honest work on the same handout is not."""

import ast
from pathlib import Path

import pytest

from desk_class import DeskClass
from planted_copies import COPIES, HANDOUT, HONEST, ORIGINAL
from zermelo.arena.similarity import MOST_TOKENS, Reader, alike, joined, similarity_chore


def pairs(works: dict[str, list[str]], given: tuple[str, ...] = (HANDOUT,)):
    reader = Reader(given)
    documents = [
        reader.document(author, f"{author}/{i}", {"mine.py": text})
        for author, texts in works.items()
        for i, text in enumerate(texts)
    ]
    return alike(documents, reader.runs)


def test_planted_copies_are_found_and_honest_work_is_not() -> None:
    works = {name: [text] for name, text in HONEST.items()} | {"ana": [ORIGINAL]}
    for way, change in COPIES.items():
        copy = change(ORIGINAL)
        ast.parse(copy)
        found = pairs(works | {"bruno": [copy]})
        assert found, way
        assert {found[0].one, found[0].other} == {"ana/0", "bruno/0"}, way
        assert found[0].share > 0.85, (way, found[0].share)
        assert all(other.share < 0.4 for other in found[1:]), way
    assert all(one.share < 0.4 for one in pairs(works))


def test_one_copied_function_in_a_longer_file_is_found() -> None:
    function = ORIGINAL[ORIGINAL.index("def frontier") : ORIGINAL.index("def stage")]
    thief = HONEST["dario"].replace("def stable", COPIES["retuned"](function) + "\n\ndef stable")
    found = pairs({"ana": [ORIGINAL], "dario": [thief]})
    assert len(found) == 1 and found[0].share < 0.7
    region = max(found[0].regions, key=lambda region: region.one[1] - region.one[0])
    lines = ORIGINAL.splitlines()[region.one[0] - 1 : region.one[1]]
    assert any("board[row, column] != who" in line for line in lines)
    assert any("if board[row, column] != who" in line for line in thief.splitlines()[slice(*region.other)])
    assert not any("def stable" in line for line in thief.splitlines()[slice(*region.other)])


def test_an_earlier_version_is_compared_too() -> None:
    found = pairs({"ana": [ORIGINAL], "bruno": [COPIES["renamed"](ORIGINAL), HONEST["elena"]]})
    assert [{one.one, one.other} for one in found] == [{"ana/0", "bruno/0"}]


def test_what_was_given_does_not_count() -> None:
    works = {"ana": [HANDOUT], "bruno": [HANDOUT + "\nx = 3\n"]}
    assert pairs(works) == []
    assert pairs(works, given=())[0].share > 0.9


def test_what_many_share_does_not_count() -> None:
    """The same solution from the lecture says nothing, even if nobody told the arena about it."""
    works = {f"student {i}": [ORIGINAL] for i in range(12)}
    assert pairs(works) == []
    few = dict(list(works.items())[:3]) | {name: [text] for name, text in HONEST.items()}
    assert len([one for one in pairs(few) if one.share > 0.9]) == 3


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x = '" + "\\'" * 100_000,
        "(" * 100_000,
        "'''" + "a\n" * 100_000,
        "x = " + "-" * 200_000 + "1",
        "\x00\x01",
        "if x:\n\ty\n        z\n",
        "\n".join(" " * i + "if x:" for i in range(200)),
        "x = 1\n" * 50_000,
        "𝔘𝔫𝔦 = 'ñ'\n" * 100,
    ],
    ids=range(10),
)
def test_hostile_texts_are_read_within_limits(text: str) -> None:
    reader = Reader()
    one, other = (reader.document(author, author, {"mine.py": text}) for author in "ab")
    assert len(one.codes) <= MOST_TOKENS
    assert all(likeness.share <= 1 for likeness in alike([one, other], reader.runs))


def test_files_are_joined_in_the_order_of_their_names() -> None:
    assert joined({"b.py": "y = 1\n", "a.py": "x = 1"}) == "# a.py\nx = 1\n\n# b.py\ny = 1\n\n"
    assert joined({"a.py": "x = 1"}) == "x = 1"


def test_the_chore_publishes_what_is_alike_and_only_when_something_changed(tmp_path: Path) -> None:
    small = DeskClass(tmp_path / "arena", games=1)
    chore = (small.records, small.store, small.arena)
    assert similarity_chore(*chore) and not similarity_chore(*chore)
    _revision, found = small.records.published("similarity")
    assert found["students"] == 4 and found["submissions"] == 5 and found["given"] == 1
    owners = [{small.records.submission(pair[side]).student for side in ("one", "other")} for pair in found["pairs"]]
    assert owners[0] == {small.students[name].id for name in ("=Ana", "Bruno Muñoz")}
    assert found["pairs"][0]["share"] > 0.85 and found["pairs"][0]["regions"]
    small.records.remove_student(small.students["Bruno Muñoz"].id)
    assert similarity_chore(*chore)
    assert all(pair["share"] < 0.5 for pair in small.records.published("similarity")[1]["pairs"])
