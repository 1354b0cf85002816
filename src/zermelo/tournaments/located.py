"""Reading settings from a TOML file, with errors that name the file, the line and the field."""

import difflib
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from zermelo.calls import number_within
from zermelo.errors import FileError, ZermeloError
from zermelo.files.reading import read_text
from zermelo.files.whole import BAD_JSON
from zermelo.language import gettext

_HEADER = re.compile(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"\s*([\w.\"'-]+)\s*=")

MISSING: Any = object()


class Table:
    """A table of settings. Each setting is taken and checked once, and settings that nobody takes are errors."""

    def __init__(
        self,
        data: Mapping[str, Any],
        path: Path | None = None,
        text: str = "",
        within: str = "",
        nth: int | None = None,
    ):
        """nth: which table this is of all that have the header [[within]], from 0; None if there is only one."""
        self.data, self.path, self.text, self.within, self.nth = dict(data), path, text, within, nth
        self.taken: set[str] = set()

    @classmethod
    def read(cls, path: Path) -> "Table":
        """Read the table of a file."""
        text = read_text(path)
        try:
            return cls(tomllib.loads(text), path, text)
        except BAD_JSON as error:
            reason, _, place = str(error).partition(" (at ")
            raise FileError(f"{path}, {place.rstrip(')')}: {reason}" if place else f"{path}: {error}") from None

    def fail(self, field: str, reason: str, item: str | None = None) -> ZermeloError:
        """Return the error to raise for a field, or for one item of the list in it."""
        name = f"{self.within}.{field}" if self.within else field
        if self.path is None:
            return ZermeloError(f"{name}: {reason}")
        line = self._line(name, item)
        place = gettext("{path}, line {line}").format(path=self.path, line=line) if line else f"{self.path}"
        return FileError(f"{place}: {name}: {reason}")

    def _line(self, field: str, item: str | None) -> int | None:
        """Return the line in which a field is set, or in which the text of an item of its list stands."""
        inside, found, seen = "", None, -1
        for number, line in enumerate(self.text.splitlines(), 1):
            header = _HEADER.match(line)
            key = _KEY.match(line)
            if header:
                inside = header[1].replace('"', "")
            if self.nth is not None:
                seen += bool(header) and inside == self.within
                if seen != self.nth:
                    continue
                found = found or number
            if header:
                if inside == field or inside.startswith(f"{field}."):
                    found = found or number
            elif key:
                name = key[1].replace('"', "").replace("'", "")
                if (f"{inside}.{name}" if inside else name) == field:
                    found = number
            if found and item is not None and item in line:
                return number
        return found

    def take(self, field: str, kinds: type | tuple[type, ...], default: Any = MISSING, what: str = "") -> Any:
        """Take a setting of this type; errors describe what it should be with the words of `what`."""
        self.taken.add(field)
        if field not in self.data:
            if default is MISSING:
                raise self.fail(
                    field, gettext("is missing; it should be {what}").format(what=what or _kind_name(kinds))
                )
            return default
        value = self.data[field]
        boolean_for_number = isinstance(value, bool) and bool not in (kinds if isinstance(kinds, tuple) else (kinds,))
        if not isinstance(value, kinds) or boolean_for_number:
            raise self.fail(
                field, gettext("{value} should be {what}").format(value=_shown(value), what=what or _kind_name(kinds))
            )
        return value

    def number(self, field: str, default: Any, low: float, high: float | None = None, whole: bool = True) -> Any:
        """Take a number within bounds."""
        what = number_within(low, high, whole)
        value = self.take(field, int if whole else (int, float), default, what)
        if value is not default and not low <= value <= (sys.float_info.max if high is None else high):
            raise self.fail(field, gettext("{value} should be {what}").format(value=_shown(value), what=what))
        return value

    def choice(self, field: str, default: str, known: Sequence[str]) -> str:
        """Take one of the known words, in which `_` and `-` may stand for a space."""
        value: str = self.take(field, str, default, gettext("one of: {known}").format(known=", ".join(known)))
        normal = value.replace("_", " ").replace("-", " ").lower()
        if normal not in known:
            raise self.fail(
                field,
                gettext("{value} should be one of: {known}{guess}").format(
                    value=_shown(value), known=", ".join(known), guess=_guess(normal, known)
                ),
            )
        return normal

    def table(self, field: str) -> "Table":
        """Take a table inside this one; it is empty if it is not there."""
        return Table(self.take(field, Mapping, {}, gettext("a table")), self.path, self.text, field)

    def tables(self, field: str, within: str, first: int = 0, what: str = "") -> list["Table"]:
        """Take the tables of a list, [[within]]; `first` of them stand in the file before these."""
        given = self.take(field, list, MISSING, what)
        if not given or not all(isinstance(one, Mapping) for one in given):
            raise self.fail(field, gettext("{value} should be {what}").format(value=_shown(given), what=what))
        return [Table(one, self.path, self.text, within, first + i) for i, one in enumerate(given)]

    def finish(self) -> None:
        """Raise an error if there is a setting that nobody took, which is most likely a misspelling."""
        for field in self.data:
            if field not in self.taken:
                known = sorted(self.taken)
                guess = _guess(field, known) or gettext("; the fields are {known}").format(known=", ".join(known))
                raise self.fail(field, gettext("there is no such field{guess}").format(guess=guess))


def _guess(word: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(word, known, 1)
    return gettext("; did you mean {close!r}?").format(close=close[0]) if close else ""


def _shown(value: Any) -> str:
    return "true" if value is True else "false" if value is False else repr(value)


def _kind_name(kinds: type | tuple[type, ...]) -> str:
    names = {
        str: gettext("a text"),
        int: gettext("a whole number"),
        bool: gettext("true or false"),
        list: gettext("a list"),
        float: gettext("a number"),
    }
    return names.get(kinds[-1] if isinstance(kinds, tuple) else kinds, gettext("a value of another type"))
