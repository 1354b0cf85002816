"""The list of a class: students from a CSV file, and the file of their personal links."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from zermelo.arena.keys import write_private
from zermelo.arena.names import clean_name
from zermelo.arena.records import Records
from zermelo.arena.tables import Student
from zermelo.errors import FileError, ZermeloError
from zermelo.files.reading import read_text

NAMES = ("name", "full name", "student", "nombre completo", "nombre", "alumno", "alumna", "estudiante", "first name")
SURNAMES = ("surname", "last name", "apellidos", "apellido", "apellido(s)")
PSEUDONYMS = ("pseudonym", "nickname", "seudónimo", "pseudónimo", "seudonimo", "apodo", "alias")
"""The headings by which columns are known. Other columns, such as addresses of e-mail, are ignored and not kept."""

MOST_STUDENTS = 5000


def read_class(path: Path) -> list[tuple[str, str | None]]:
    """The names and pseudonyms in a CSV file: name[,pseudonym], or columns with headings in any order.

    FileError names the line that is wrong.
    """
    text = read_text(path).removeprefix("\ufeff")
    first = text.partition("\n")[0]
    separator = next((sign for sign in ";\t" if sign in first), ",")
    try:
        read = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        rows = [[cell.strip() for cell in row] for row in read]
    except csv.Error as error:
        raise FileError("{path}: this is not a CSV file: {error}", path=path, error=error) from None
    heading = [cell.casefold() for cell in rows[0]] if rows else []
    columns = [_column(heading, known) for known in (NAMES, SURNAMES, PSEUDONYMS)]
    has_heading = columns[0] is not None or columns[1] is not None
    if not has_heading:
        columns = [0, None, 1]
    found: dict[str, str | None] = {}
    for line, row in enumerate(rows[has_heading:], 1 + has_heading):
        if not any(row):
            continue
        given, surname, pseudonym = ("" if at is None or at >= len(row) else row[at] for at in columns)
        try:
            name = clean_name(f"{given} {surname}")
            if pseudonym:
                clean_name(pseudonym)
            if name in found:
                raise ZermeloError("{name} is given twice; add something that tells them apart", name=name)
        except ZermeloError as error:
            raise FileError("{path}, line {line}: {error}", path=path, line=line, error=error) from None
        found[name] = pseudonym if pseudonym and "@" not in pseudonym else None
    if not found:
        raise FileError("{path}: there are no students in this file", path=path)
    if len(found) > MOST_STUDENTS:
        raise FileError("{path}: a class has at most {most:,} students", path=path, most=MOST_STUDENTS)
    return list(found.items())


def _column(heading: Sequence[str], known: Sequence[str]) -> int | None:
    return next((heading.index(name) for name in known if name in heading), None)


def add_class(
    records: Records, people: Iterable[tuple[str, str | None]]
) -> tuple[list[tuple[Student, str]], list[str]]:
    """Add all students of a list, or none. Returns them with their keys, and the names that were there before."""
    with records.changing(durable=True):
        known = {one.name for one in records.students()}
        people = list(people)
        added = [records.add_student(name, pseudonym) for name, pseudonym in people if name not in known]
    return added, [name for name, _pseudonym in people if name in known]


def link(url: str, key: str) -> str:
    """A personal link. url: the address of the arena's server."""
    return f"{url.rstrip('/')}/enter?key={key}"


def write_links(path: Path, url: str, people: Iterable[tuple[Student, str]]) -> None:
    """Write a CSV file of personal links, which only its owner may read. It never replaces another file."""
    if path.exists():
        raise FileError("{path} exists already; name another file for the links", path=path)
    made = io.StringIO(newline="")
    writer = csv.writer(made)
    writer.writerow(["name", "pseudonym", "link"])
    writer.writerows([_plain(one.name), _plain(one.pseudonym), link(url, key)] for one, key in people)
    write_private(path, made.getvalue())


def _plain(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in "=+-@\t\r" else text


def find_student(records: Records, text: str) -> Student:
    """The student with this id, name or pseudonym. ZermeloError if there is none, or more than one."""
    students = records.students()
    for field in ("id", "pseudonym", "name"):
        found = [one for one in students if getattr(one, field).casefold() == text.strip().casefold()]
        if len(found) == 1:
            return found[0]
        if found:
            raise ZermeloError(
                "there are several students called {name}; use one of these ids: {ids}",
                name=text,
                ids=", ".join(one.id for one in found),
            )
    raise ZermeloError("there is no student {name!r} in this arena", name=text)
