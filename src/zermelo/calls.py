"""The notation in which games, players and heuristics are written: `name(option=value, ...)`, nested to any depth.

alphabeta(depth=6, heuristic=corners(corner=80))        connect4(columns=8, rows=7)        mine.py:corners
gtp(command=mohex, init=["param_mohex max_time 1", "param_game allow_swap 1"])
"my file.py:corners"(corner=80)                         alphabeta(heuristic="my file.py:corners")

A name or a text with spaces or signs stands in double quotes; a double quote within it is written twice.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import Union

from zermelo.errors import MoveError, PositionError, ZermeloError
from zermelo.language import _

_PLAIN = re.compile(r"[^\s(),=\"\[][^\s(),=\"]*")
_LIST = re.compile(r"\s*\[")
_ITEM = re.compile(r"\s*(?:(?P<mark>[],])|\"(?P<quoted>(?:[^\"]|\"\")*)\"|(?P<word>[^\s(),=\"\[\]]+))")
_TOKEN = re.compile(r"\s*(?:(?P<mark>[(),=])|\"(?P<quoted>(?:[^\"]|\"\")*)\"|(?P<word>[^\s(),=\"]+))")
_FILE = re.compile(r".+\.(?:py(?::\w+)?|npz|json)", re.DOTALL)
MOST_NESTED = 20

Value = Union[bool, int, float, str, "Call", tuple["Value", ...]]
"""A list in square brackets holds texts and numbers, and is read as a tuple."""


@dataclass(frozen=True)
class Call:
    """A name with options, in the order in which they were given. The key of an unnamed option is its place: 0, 1..."""

    name: str
    options: dict[str | int, Value] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        name = self.name if _PLAIN.fullmatch(self.name) else _quoted(self.name)
        if not self.options:
            return name
        given = [text_of(v) if isinstance(k, int) else f"{k}={text_of(v)}" for k, v in self.options.items()]
        return f"{name}({', '.join(given)})"


def text_of(value: object) -> str:
    """A value as it is written in a call."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return f"[{', '.join(_item_text(item) for item in value)}]"
    if isinstance(value, float):
        short = f"{value:g}"
        return short if float(short) == value or value != value else repr(value)
    text = str(value)
    return text if not isinstance(value, str) or _stands_alone(text) else _quoted(text)


def number_within(low: float, high: float | None = None, whole: bool = True) -> str:
    """A description of the numbers in a range, for errors: "a whole number from 1 to 64"."""
    if high is None:
        text = _("a whole number of at least {low}") if whole else _("a number of at least {low}")
    else:
        text = _("a whole number from {low} to {high}") if whole else _("a number from {low} to {high}")
    return text.format(low=low, high="" if high is None else f"{high:,}")


def _quoted(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def _item_text(value: object) -> str:
    return _quoted(value) if isinstance(value, str) else text_of(value)


def _stands_alone(text: str) -> bool:
    """Would this text be read as the same text or call if it were written without quotes?"""
    if _PLAIN.fullmatch(text):
        return isinstance(plain_value(text), str)
    if text.startswith("["):
        return False
    try:
        return bool(parse_call(text).options)
    except ZermeloError:
        return False


def named_options(call: Call, names: Sequence[str], error: type[ZermeloError]) -> dict[str, Value]:
    """The options of a call by name. These names exist; an option without a name is the one in its place."""
    given: dict[str, Value] = {}
    for key, value in call.options.items():
        name = names[key] if isinstance(key, int) and key < len(names) else str(key)
        if name not in names:
            known = ", ".join(names) or _("none")
            raise error(
                _("{name} has no option {key!r} (its options: {known})").format(name=call.name, key=name, known=known)
            )
        if name in given:
            raise error(_("{call}: {name} is given twice").format(call=call, name=name))
        given[name] = value
    return given


def parse_call(text: str) -> Call:
    """Read a call. An error shows where it cannot be read."""
    reader = _Reader(text)
    call = reader.call()
    reader.end()
    return call


def leading_call(text: str) -> tuple[Call, str]:
    """The call with which a text begins, and what follows it: `hex(size=5) a1 b2` is a game and a position."""
    reader = _Reader(text)
    return reader.call(), text[reader.at :].strip()


def call_of(text: str | Call) -> Call:
    """The call that a value stands for. The name of a file needs no quotes if nothing follows it: `mine (v2).py:f`."""
    if isinstance(text, Call):
        return text
    try:
        return parse_call(text)
    except ZermeloError:
        if _FILE.fullmatch(text) and text.count("(") == text.count(")"):
            return Call(text)
        raise


class _Reader:
    def __init__(self, text: str):
        self.text, self.at, self.depth = text, 0, 0

    def peek(self) -> re.Match[str] | None:
        return _TOKEN.match(self.text, self.at)

    def fail(self, wanted: str) -> ZermeloError:
        rest = self.text[self.at :].strip()
        place = _("at {rest!r}").format(rest=rest) if rest else _("at the end")
        return ZermeloError(
            _("cannot read {text!r}: {wanted} expected {place}").format(text=self.text, wanted=wanted, place=place)
        )

    def take_mark(self, mark: str) -> bool:
        token = self.peek()
        if token and token["mark"] == mark:
            self.at = token.end()
            return True
        return False

    def end(self) -> None:
        if self.text[self.at :].strip():
            raise self.fail(_("nothing more"))

    def word(self) -> str:
        token = self.peek()
        if not token or token["word"] is None:
            raise self.fail(_("a name"))
        self.at = token.end()
        return token["word"]

    def quoted(self) -> str | None:
        token = self.peek()
        if not token or token["quoted"] is None:
            return None
        self.at = token.end()
        return token["quoted"].replace('""', '"')

    def call(self) -> Call:
        return self.options_of(self.quoted() or self.word())

    def options_of(self, name: str) -> Call:
        options: dict[str | int, Value] = {}
        if self.take_mark("("):
            self.depth += 1
            if self.depth > MOST_NESTED:
                raise self.fail(_("at most {most} calls inside one another").format(most=MOST_NESTED))
            while not self.take_mark(")"):
                key, value = self.option(len(options))
                if key in options:
                    raise ZermeloError("cannot read {text!r}: {key!r} is given twice", text=self.text, key=key)
                options[key] = value
                if not self.take_mark(","):
                    if self.take_mark(")"):
                        break
                    raise self.fail(_("',' or ')'"))
            self.depth -= 1
        return Call(name, options)

    def option(self, place: int) -> tuple[str | int, Value]:
        before = self.at
        token = self.peek()
        if token and token["word"] is not None:
            name = self.word()
            if self.take_mark("="):
                return name, self.value()
            self.at = before
        return place, self.value()

    def value(self) -> Value:
        opening = _LIST.match(self.text, self.at)
        if opening:
            self.at = opening.end()
            return tuple(self.items())
        quoted = self.quoted()
        if quoted is not None:
            call = self.options_of(quoted)
            return call if call.options else quoted
        call = self.call()
        return call if call.options else plain_value(call.name)

    def items(self) -> Iterator[Value]:
        """The items of a list, after its opening bracket."""
        while (token := self.item())["mark"] != "]":
            if token["mark"]:
                raise self.fail(_("a text or a number"))
            self.at = token.end()
            yield plain_value(token["word"]) if token["quoted"] is None else token["quoted"].replace('""', '"')
            token = self.item()
            if not token["mark"]:
                raise self.fail(_("',' or ']'"))
            if token["mark"] == ",":
                self.at = token.end()
        self.at = token.end()

    def item(self) -> re.Match[str]:
        token = _ITEM.match(self.text, self.at)
        if token is None:
            raise self.fail(_("a text or a number"))
        return token


def plain_value(word: str) -> Value:
    """The number, truth value or text that a word stands for."""
    if word in ("yes", "true", "True"):
        return True
    if word in ("no", "false", "False"):
        return False
    for kind in (int, float):
        try:
            return kind(word.replace("_", "") if kind is int else word)
        except ValueError:
            pass
    return word


# ------------------------------------------------------------------------------------------ moves given in Python


def move_text_of(move: object) -> str:
    """The text of a move that users may also give as a number or as a player's choice: 4 is `4`."""
    chosen = getattr(move, "move", move)  # what a player chose, or a line of an analysis
    if chosen is None or isinstance(chosen, (bool, float, bytes, Mapping, list, tuple, set)):
        raise MoveError("{move!r} is not a move; write the text of the move", move=move)
    return str(chosen)


def moves_text(given: object) -> str:
    """The text of a position that users may also give as a number or as a list of moves."""
    if isinstance(given, str):
        return given
    if isinstance(given, Integral) and not isinstance(given, bool):
        return str(given)
    if isinstance(given, Iterable):
        return " ".join(map(move_text_of, given))
    raise PositionError("{given!r} is not the text of a position", given=given)
