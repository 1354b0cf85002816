"""zermelo arena students: the list of a class, from CSV files of all kinds, and personal links."""

import csv
import json
import os
import stat

import pytest

import started
from zermelo.arena.class_list import find_student, read_class
from zermelo.arena.opening import opened
from zermelo.arena.records import Records
from zermelo.arena.settings import read_settings
from zermelo.errors import FileError, ZermeloError
from zermelo.tournaments.store import open_store


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Ada Lovelace\nBob,Vega\n", [("Ada Lovelace", None), ("Bob", "Vega")]),
        ("\ufeffNombre;Apellido(s);Correo\r\nAda;Lovelace;ada@x.es\r\n", [("Ada Lovelace", None)]),
        ("email,name,pseudonym\na@b.c,Ada,Vega\n\nd@e.f, Bob ,\n", [("Ada", "Vega"), ("Bob", None)]),
        ('name\n"Lovelace, Ada"\n', [("Lovelace, Ada", None)]),
        ("Surname\tFirst name\nLovelace\tAda\n", [("Ada Lovelace", None)]),
        ("Ada,ada@example.org\n", [("Ada", None)]),
    ],
)
def test_lists_of_a_class(tmp_path, text, people):
    path = tmp_path / "class.csv"
    path.write_bytes(text.encode())
    assert read_class(path) == people


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no students"),
        (b"name,pseudonym\n", "no students"),
        (b"Ada\nBob\nAda\n", "line 3: Ada is given twice"),
        (b"name,email\n,x@y.z\n", "line 2: a name needs at least one letter"),
        (b"Jos\xe9\n", "not text"),
        (b"x" * 200_000, "not a CSV file"),
    ],
)
def test_lists_that_cannot_be_used(tmp_path, data, said):
    path = tmp_path / "class.csv"
    path.write_bytes(data)
    with pytest.raises(FileError, match=said):
        read_class(path)


def test_the_command(tmp_path):
    (tmp_path / "cup").mkdir()
    (tmp_path / "cup" / "arena.toml").write_text('game = "tictactoe"', encoding="utf-8")
    store = open_store(tmp_path / "cup" / "arena.db")
    records = Records(store)

    def students(*arguments, **more):
        return started.run(["arena", "students", "cup", *arguments], cwd=tmp_path, env=dict(os.environ), **more)

    (tmp_path / "class.csv").write_text("Ada\n=1+1\n", encoding="utf-8")
    done = students("--csv", "class.csv")
    assert done.returncode == 2 and "--csv needs --links" in done.stderr and records.students() == []
    done = students("--csv", "class.csv", "--links", "links.csv", "--url", "https://arena.example/")
    assert (done.returncode, done.stderr) == (0, "wrote links.csv\n")
    assert stat.S_IMODE((tmp_path / "links.csv").stat().st_mode) == 0o600
    rows = list(csv.reader((tmp_path / "links.csv").read_text(encoding="utf-8").splitlines()))
    assert [row[0] for row in rows] == ["name", "Ada", "'=1+1"]
    assert rows[1][2].startswith("https://arena.example/enter?key=")
    key = rows[1][2].partition("key=")[2]
    ada = records.student_by_key(key)
    assert ada.name == "Ada"
    done = students("--csv", "class.csv", "--links", "links.csv")
    assert done.returncode == 2 and "exists already" in done.stderr
    done = students("--csv", "class.csv", "--links", "again.csv", "--add", "Eva")
    assert "Ada is already in the class" in done.stderr and len(records.students()) == 3
    done = students("--link", "ada", "--url", "http://x")
    newer = done.stdout.strip().removeprefix("http://x/enter?key=")
    assert records.student_by_key(newer) == ada and records.student_by_key(key) is None
    records.add_submission(ada.id, "a.py", {"a.py": "x"}, "0")
    listed = json.loads(students("--json").stdout)
    assert [one["name"] for one in listed] == ["Ada", "=1+1", "Eva"]
    assert (listed[0]["versions"], listed[0]["state"], listed[1]["state"]) == (1, "waiting", None)
    assert "Ada" in students().stdout
    assert students("--remove", "ada", input="n\n").returncode != 0 and len(records.students()) == 3
    assert students("--remove", "ada", "--yes").returncode == 0
    assert [one.name for one in records.students()] == ["=1+1", "Eva"]
    done = students("--remove", "Ada")
    assert done.returncode == 2 and "there is no student 'Ada'" in done.stderr
    records.add_student("Eva")
    with opened(read_settings(tmp_path / "cup")) as same, pytest.raises(ZermeloError, match="several students called"):
        find_student(same, "eva")
    store.close()
