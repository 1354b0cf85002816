"""Files and databases from elsewhere: wrong types, huge numbers, endless zeros, missing permissions."""

import ctypes
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import zipfile
import zlib

import numpy as np
import pytest

from zermelo.errors import FileError, ResourceError
from zermelo.evaluation.models import read_model
from zermelo.evaluation.table_files import read_table
from zermelo.evaluation.weight_files import read_weights
from zermelo.files.arrays import about_bytes, about_of
from zermelo.games.connect4.book import MAGIC, Book
from zermelo.learn.dataset_files import read_dataset
from zermelo.learn.self_play import SelfPlay
from zermelo.match import Record, load_records
from zermelo.tournaments.plan import Plan, make_plan
from zermelo.tournaments.report import make_report
from zermelo.tournaments.run import begin, run
from zermelo.tournaments.store import open_store

MOVE = {"move": "b2", "seconds": 0.1, "score": 3, "depth": 1, "nodes": 9, "evaluated": 9}
GAME = {"format": 1, "game": "tictactoe", "players": ["a", "b"], "start": "-", "moves": [MOVE], "winner": None}
GAME |= {"margin": None, "reason": "unfinished"}


def altered(**changes):
    """A game whose only move, or which itself, has these values."""
    data = json.loads(json.dumps(GAME))
    for name, value in changes.items():
        (data["moves"][0] if name in MOVE else data)[name] = value
    return data


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (name, value)
        for name in ("score", "depth", "nodes", "evaluated")
        for value in ("text", 1.5, True, [], 10**30)
        if (name, value) != ("score", 1.5)  # a score may have fractions
    ]
    + [("seconds", value) for value in ("text", None, True, float("nan"), float("inf"))]
    + [("margin", "text"), ("margin", 0.5), ("winner", True), ("winner", 3), ("winner", 1.0), ("error", 3)]
    + [("reason", 3), ("players", "ab"), ("players", ["a"]), ("players", [1, 2]), ("start", None), ("move", 3)],
)
def test_a_record_with_a_wrong_type_is_refused(field, value):
    assert Record.from_json(json.dumps(GAME))
    with pytest.raises(FileError, match="not a game record"):
        Record.from_json(json.dumps(altered(**{field: value})))


def test_a_number_too_great_for_python_is_refused(tmp_path):
    (tmp_path / "games.jsonl").write_text(json.dumps(GAME).replace("0.1", "1e400"))
    with pytest.raises(FileError, match="line 1: this is not a game record: seconds cannot be inf"):
        load_records(tmp_path / "games.jsonl")
    (tmp_path / "w.json").write_text('{"format": 1, "heuristic": "connect4/lines2", "weights": {"one": 1e400}}')
    with pytest.raises(FileError, match="weight one is Infinity, which is not a number"):
        read_weights(tmp_path / "w.json")


# ------------------------------------------------------------------------------------------ stores


@pytest.fixture
def cup(tmp_path):
    """A small tournament in a file."""
    plan, _ = make_plan(["random", "lines"], "tictactoe", pairs=2, depth=1)
    store = open_store(tmp_path / "cup.db")
    begin(store, plan)
    run(store, threads=1)
    store.close()
    return tmp_path / "cup.db"


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE games SET score = 'text'",
        "UPDATE games SET score = 7",
        "UPDATE games SET score = 9e999",
        "UPDATE games SET plies = 'text'",
        "UPDATE games SET reason = x'00ff'",
        "UPDATE games SET record = 'text'",
        "UPDATE pairs SET number = 'text'",
        "UPDATE pairs SET first = x'00' WHERE number = 0",
        "UPDATE tournaments SET openings = '[1, 2]'",
        "UPDATE tournaments SET openings = 'text'",
        'UPDATE tournaments SET plan = replace(plan, \'"pairs": 2\', \'"pairs": "text"\')',
        "UPDATE tournaments SET plan = replace(plan, '\"pairs\": 2', '\"pairs\": 1e400')",
        "UPDATE tournaments SET plan = replace(plan, 'round robin', 'nonsense')",
        "UPDATE tournaments SET plan = '[]'",
        "INSERT INTO notes SELECT name, x'00' FROM tournaments",
    ],
)
def test_a_store_with_wrong_types_is_refused_in_words(cup, change):
    with sqlite3.connect(cup) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        assert connection.execute(change).rowcount > 0
    connection.close()
    store = open_store(cup)
    with pytest.raises(FileError):
        make_report(store)
    store.close()


def test_plans_are_checked():
    plan = make_plan(["random", "lines"], "tictactoe", pairs=2, depth=1)[0]
    assert Plan.from_json(plan.to_json()) == plan
    data = json.loads(plan.to_json())
    for name, value in {"pairs": -1, "rounds": 0, "seed": 0.5, "sources": {"a.py": "text"}, "notes": [3]}.items():
        with pytest.raises(FileError, match="not the plan of a tournament"):
            Plan.from_json(json.dumps(data | {name: value}))


def without_privileges():
    """Root may write everywhere, unless that right is taken away (CAP_DAC_OVERRIDE)."""
    ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)


def as_reader(*arguments, folder):
    command = [sys.executable, "-m", "zermelo", "tournament", *arguments]
    more = {"preexec_fn": without_privileges} if os.getuid() == 0 else {}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, **more)


@pytest.mark.skipif(sys.platform != "linux", reason="rights are taken away as Linux does it")
@pytest.mark.parametrize("has_journal", [False, True])
def test_a_store_that_may_only_be_read_can_be_reported_on(cup, has_journal):
    folder = cup.parent / "shelf"
    folder.mkdir()
    if has_journal:  # what a killed process leaves behind: the latest games stand in the journal only
        connection = sqlite3.connect(cup)
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("UPDATE tournaments SET name = name")
        connection.execute("INSERT INTO notes SELECT name, 'from the journal' FROM tournaments")
        connection.commit()
        for name in ("cup.db", "cup.db-wal"):
            shutil.copyfile(cup.parent / name, folder / name)
        connection.close()
    else:
        shutil.copyfile(cup, folder / "cup.db")
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    try:
        done = as_reader("report", "cup.db", folder=folder)
        assert done.returncode == 0, done.stderr
        assert "lines" in done.stdout
        assert ("from the journal" in done.stderr) == has_journal
        done = as_reader("export", "cup.db", "-", folder=folder)
        assert len(done.stdout.splitlines()) == 4
        (cup.parent / "games.jsonl").write_text(done.stdout)
        for command in (["import", "cup.db", "../games.jsonl"], ["resume", "cup.db"]):
            done = as_reader(*command, folder=folder)
            assert done.returncode == 1 and done.stderr.splitlines()[-1].startswith("zermelo: cup.db"), done.stderr
    finally:
        folder.chmod(0o755)


def test_a_full_disk_is_not_the_inputs_fault(cup):
    store = open_store(cup)
    store.connection.execute("PRAGMA max_page_count = 1")
    with pytest.raises(ResourceError, match=r"cup\.db cannot be used: database or disk is full"):
        store.add_notes("tournament", ["x" * 100_000])
    store.close()


# ------------------------------------------------------------------------------------------ little that becomes much


@pytest.fixture(scope="module")
def bomb(tmp_path_factory):
    """A file of under 300 kB that contains 256 MB of zeros and claims to be a table."""
    path = tmp_path_factory.mktemp("bomb") / "bomb.npz"
    head = np.lib.format.header_data_from_array_1_0(np.zeros(1, np.int16)) | {"shape": (1 << 27,)}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, array in (
            ("about", about_bytes("table", game="connect4", shape=0, made={}, arrays=["entries"])),
            ("scale", np.float64(1)),
        ):
            with file.open(f"{name}.npy", "w") as member:
                np.lib.format.write_array(member, np.asarray(array))
        with file.open("entries.npy", "w", force_zip64=True) as member:
            np.lib.format.write_array_header_1_0(member, head)
            block = bytes(1 << 24)
            for _ in range(1 << 4):
                member.write(block)
    return path


@pytest.mark.parametrize("read", [read_table, read_model, about_of, read_dataset, SelfPlay.load])
def test_a_small_file_of_many_zeros_is_refused_before_it_is_read(bomb, read):
    assert bomb.stat().st_size < 300_000
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(FileError, match="would take 268,435"):
        read(bomb)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kilobytes


def test_an_array_that_says_it_is_larger_than_it_is(tmp_path):
    path = tmp_path / "a.npz"
    head = np.lib.format.header_data_from_array_1_0(np.zeros(1, np.int16)) | {"shape": (1 << 40,)}
    with zipfile.ZipFile(path, "w") as file, file.open("about.npy", "w") as member:
        np.lib.format.write_array_header_1_0(member, head)
    with pytest.raises(FileError, match="does not have the size that its header gives"):
        about_of(path)


def test_a_parquet_file_of_many_zeros_is_refused(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    zeros = arrow.table({"key": np.zeros(30_000_000, np.uint64)}).replace_schema_metadata({"zermelo": "{}"})
    parquet.write_table(zeros, tmp_path / "d.parquet", compression="zstd")
    with pytest.raises(FileError, match="would take 240,000,000"):
        read_dataset(tmp_path / "d.parquet")


def test_a_book_of_many_zeros_is_refused(tmp_path):
    about = {"columns": 7, "rows": 6, "depth": 0}
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(bytes(1 << 24)) for _ in range(16)) + packer.flush()
    (tmp_path / "book.bin").write_bytes(MAGIC + json.dumps(about).encode() + b"\n" + packed)
    with pytest.raises(FileError, match="is not a Connect 4 book"):
        Book.read(tmp_path / "book.bin")
