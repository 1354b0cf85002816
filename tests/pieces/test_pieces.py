"""Work in pieces: whoever does them, the results come in order, nothing is done twice, and nothing is lost."""

import contextlib
import itertools
import json
import time
from pathlib import Path

import pytest

from zermelo.errors import FileError, HeuristicError, ResourceError
from zermelo.pieces.crews import Processes, Threads
from zermelo.pieces.job import Job, settings_of
from zermelo.pieces.kept import Kept
from zermelo.pieces.results import results
from zermelo.pieces.sources import moved, named_files, with_code

HERE = str(Path(__file__).parent)


@pytest.fixture(scope="module")
def crew():
    """Two processes that find the odd jobs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", HERE)
        with Processes(2) as processes:
            yield processes


@pytest.fixture
def job(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(HERE)
    return Job("odd_jobs:do", settings_of({"folder": str(tmp_path)}), b"shared")


def done(folder):
    return (folder / "done").read_text().split("\n")[:-1]


def numbers(crew, job, pieces, kept=None, **options):
    with contextlib.closing(results(crew, job, enumerate(pieces), kept or Kept(), "a step", **options)) as found:
        return [json.loads(one)[1] for one in found]


def test_threads_and_processes_give_the_same_results_in_order(crew, job):
    with Threads(3) as threads:
        here = list(results(threads, job, enumerate(range(20))))
    assert [json.loads(one) for one in here] == [[i, 2 * i, "shared"] for i in range(20)]
    assert list(results(crew, job, enumerate(range(20)))) == here


def test_the_piece_of_a_process_that_dies_is_done_by_another(crew, job, tmp_path):
    pieces = [1, 2, "die once", 4, 5]
    assert numbers(crew, job, pieces) == [2, 4, "die oncedie once", 8, 10]
    assert done(tmp_path).count("die once") == 2


def test_a_piece_that_always_kills_is_told(crew, job):
    with pytest.raises(ResourceError, match="3 processes died doing the same piece of work"):
        numbers(crew, job, ["die"])
    assert numbers(crew, job, [3]) == [6], "the crew can go on"


def test_errors_of_a_piece_are_those_of_the_work(crew, job):
    for workers in (crew, Threads(1)):
        with workers if workers is not crew else contextlib.nullcontext():
            with pytest.raises(HeuristicError, match=r"line 3 of mine\.py"):
                numbers(workers, job, [1, "refuse", 2])
            with pytest.raises((RuntimeError, KeyError), match="bug"):
                numbers(workers, job, ["bug"])


def test_nothing_is_done_twice(job, tmp_path):
    with Threads(1) as crew:
        with Kept(tmp_path / "kept", "settings") as kept, pytest.raises(HeuristicError):
            numbers(crew, job, [0, 1, 2, "refuse", 4], kept)
        with Kept(tmp_path / "kept", "settings") as kept:
            assert numbers(crew, job, [0, 1, 2, 3, 4], kept) == [0, 2, 4, 6, 8]
            assert sorted(done(tmp_path))[:3] == ["0", "1", "2"] and done(tmp_path).count("1") == 1
            kept.forget_all_but("another step")
            assert kept.get("a step", 1) is None
            kept.remove()
    assert not list(tmp_path.glob("kept*"))


def test_other_settings_and_other_files_are_refused(tmp_path):
    Kept(tmp_path / "kept", "these").close()
    with pytest.raises(FileError, match="contains unfinished work with other settings"):
        Kept(tmp_path / "kept", "others")
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileError, match="contains unfinished work with other settings"):
        Kept(tmp_path / "folder", "these")
    (tmp_path / "text").write_text("This is not a database, and it is long enough to be seen as something else." * 20)
    with pytest.raises(FileError, match="the finished pieces cannot be kept there"):
        Kept(tmp_path / "text", "these")


@pytest.mark.parametrize("kind", [Threads, Processes])
def test_when_the_time_is_up_the_rest_is_given_up(kind, job, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", HERE)
    with kind(1) as crew:
        assert numbers(crew, job, [1]) == [2]
        assert numbers(crew, job, ["wait", 2], until=time.monotonic() + 0.2) == []
        assert numbers(crew, job, itertools.repeat(7, 3)) == [14, 14, 14]


def test_files_travel_under_their_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("import helper\n")
    Path("helper.py").write_text("A = 1\n")
    Path("tuned.json").write_text("{}")
    settings = {"heuristic": "mine.py:fn(a=2, heuristic=tuned.json)", "game": "connect4", "seed": 1, "list": ["x.y"]}
    files = named_files(settings)
    assert {name: sorted(texts) for name, texts in files.items()} == {
        "mine.py": ["helper.py", "mine.py"],
        "tuned.json": ["tuned.json"],
    }
    there = moved(settings, files)
    place, _, rest = there["heuristic"].partition(":")
    assert Path(place).is_absolute() and Path(place).with_name("helper.py").read_text() == "A = 1\n"
    assert rest.startswith("fn(a=2") and "tuned.json" in rest and there["game"] == "connect4"
    before = with_code(settings)
    Path("helper.py").write_text("A = 2\n")
    assert with_code(settings) != before, "other code is other work"
    assert with_code({"game": "connect4"}) == {"game": "connect4"}
