"""The user's language: `_("a text")` is the text in Spanish for users who want Spanish, and the text itself for others.

The texts in the code are English and are the keys of the catalogues, `locales/<language>/LC_MESSAGES/zermelo.mo`,
which `make messages` makes from the `.po` files beside them. A process speaks the language of its environment.
A web server chooses another language for each request, with `speaking`.
"""

import contextlib
import gettext as standard
import os
import re
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from functools import cache
from pathlib import Path

DOMAIN = "zermelo"
FOLDER = Path(__file__).parent / "locales"
LANGUAGES = {"en": "English", "es": "Español"}  #: by their own names; the first is the default
VARIABLES = ("ZERMELO_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")  #: the first that is set decides

_chosen: ContextVar[str | None] = ContextVar("language", default=None)


def first_known(codes: Iterable[str]) -> str:
    """The first known language among codes such as es_ES.UTF-8, es-MX or en; English if none is known."""
    return next((known for code in codes if (known := re.split("[-_.@]", code.strip().lower())[0]) in LANGUAGES), "en")


@cache
def process_language() -> str:
    """The language of the environment. Variables count in the order of GNU gettext, after ZERMELO_LANG."""
    value = next((value for name in VARIABLES if (value := os.environ.get(name))), "")
    return first_known(value.split(":"))


def browser_language(accepted: str) -> str:
    """The language that an Accept-Language header asks for, such as `es-ES,es;q=0.9,en;q=0.8`."""
    weighed = []
    for part in accepted[:1000].split(","):
        code, _semicolon, weight = part.partition(";q=")
        with contextlib.suppress(ValueError):
            weighed.append((-float(weight or 1), code))
    return first_known(code for weight, code in sorted(weighed, key=lambda pair: pair[0]) if weight < 0)


def language() -> str:
    """The code of the language in which texts are given here."""
    return _chosen.get() or process_language()


@contextlib.contextmanager
def speaking(code: str) -> Iterator[None]:
    """Give texts in this language, in this thread or task and in the tasks that it starts, but not elsewhere."""
    before = _chosen.set(code)
    try:
        yield
    finally:
        _chosen.reset(before)


@cache
def catalogue(code: str) -> standard.NullTranslations:
    """The texts of a language; English has none, since the keys are English."""
    return standard.translation(DOMAIN, FOLDER, [code], fallback=True) if code != "en" else standard.NullTranslations()


def gettext(message: str) -> str:
    """The message in the user's language. An empty one stays empty (gettext keeps its own notes under that key)."""
    return catalogue(language()).gettext(message) if message else ""


def ngettext(singular: str, plural: str, number: int) -> str:
    """The form that goes with the number, in the user's language."""
    return catalogue(language()).ngettext(singular, plural, number)


def marked(message: str) -> str:
    """The message itself. It marks a constant that is translated later, so that `make messages` finds it."""
    return message


class Message:
    """A text with its values, which is translated when it is shown: by str(), or inside another text.

    A value may be a Message, or an error that carries one: it is then shown in the same language.
    """

    __slots__ = ("text", "values")

    def __init__(self, text: str, /, **values: object):
        self.text = text
        self.values = values

    def __str__(self) -> str:
        return gettext(self.text).format(**self.values) if self.values else gettext(self.text)

    def __format__(self, form: str) -> str:
        return format(str(self), form)

    def __repr__(self) -> str:
        return repr(self.english())

    def english(self) -> str:
        """As it stands in the code, for records and for programs."""
        with speaking("en"):
            return str(self)


_ = gettext
