"""The texts that users read, and their translations. `make messages` brings the catalogues up to date.

It collects the texts in `_("...")` in Python and in the templates, those in `t("...")` in the scripts of the lab, the
help of every command and option, and the descriptions of games, heuristics and players. Translate what is empty in
src/zermelo/locales/*/LC_MESSAGES/zermelo.po, then run it again to compile the catalogues. tests/test_language.py finds
what is missing.
"""

import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from unmarked import USER_ERRORS, error_names
from zermelo.cli.helping import help_texts
from zermelo.cli.main import cli
from zermelo.games import find_game, game_names
from zermelo.language import DOMAIN, FOLDER, LANGUAGES
from zermelo.learn.describe import known_features
from zermelo.players import KINDS
from zermelo.web.play import options_of

PACKAGE = FOLDER.parent
SCRIPTS = PACKAGE / "web" / "static" / "js"
PUBLISHED = PACKAGE / "publish" / "static"
NOTEBOOK = PACKAGE / "notebook" / "static"
WORDS = PACKAGE / "web" / "static" / "words"
MARKS = {"_": None, "gettext": None, "marked": None, "Message": None, "ngettext": (1, 2)}
IN_PYTHON = MARKS | dict.fromkeys(error_names(PACKAGE) - USER_ERRORS)  # an error's first argument is its text
# The texts of click that our users see. (Its texts for programmers are not here.)
OF_CLICK: tuple[str | tuple[str, str], ...] = (
    "Usage:",
    "Options",
    "Commands",
    "Positional arguments",
    "Show this message and exit.",
    "Show the version and exit.",
    "%(prog)s, version %(version)s",
    "default: {default}",
    "required",
    "Error: {message}",
    "Try '{command} {option}' for help.",
    "Missing command.",
    "Missing argument",
    "Missing option",
    "Missing parameter",
    "No such command {name!r}.",
    "No such option {name!r}.",
    "Invalid value: {message}",
    "Invalid value for {param_hint}: {message}",
    "Option {name!r} does not take a value.",
    "Could not open file {filename!r}: {message}",
    "file",
    "directory",
    "path",
    "{name} {filename!r} does not exist.",
    "{name} {filename!r} is a directory.",
    "{name} {filename!r} is a file.",
    "{name} {filename!r} is not readable.",
    "{name} {filename!r} is not writable.",
    "{value!r} is not a valid {number_type}.",
    "{value} is not in the range {range}.",
    ("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    ("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."),
    ("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
    ("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
)
BEGUN = datetime(2026, 11, 16, tzinfo=UTC)  # the date of each run would change the files every time

Message = str | tuple[str, ...]


def in_source() -> Iterator[tuple[str, Message]]:
    """(file, message) for every text that is marked in Python and in the templates."""
    methods = [("**.py", "python"), ("web/templates/**.html", "jinja2")]
    options = {"web/templates/**.html": {"trimmed": "true", "silent": "false"}}
    for file, message in _marked_in(PACKAGE, methods, options, IN_PYTHON):
        if any(letter.isalpha() for letter in "".join(message)):  # an error may consist of lines joined by "\n"
            yield f"src/zermelo/{file}", message


def in_scripts(folder: Path = SCRIPTS) -> Iterator[tuple[str, Message]]:
    """(file, message) for every text that is marked in the scripts of the lab, or in those of another folder."""
    options = {"**.js": {"parse_template_string": "true"}}
    for file, message in _marked_in(folder, [("**.js", "javascript")], options, {"t": None}):
        yield f"src/zermelo/{folder.relative_to(PACKAGE)}/{file}", message


def _marked_in(folder: Path, methods: Any, options: Any, keywords: Any) -> list[tuple[str, Message]]:
    """(file, message) sorted by file and line, because the order of files in a folder differs between machines."""
    found = sorted(extract_from_dir(folder, methods, options, keywords), key=lambda one: one[:2])
    return [(file, message) for file, _line, message, _comments, _context in found]


def of_catalogue() -> Iterator[tuple[str, Message]]:
    """(where, message) for the descriptions of games, heuristics, features and players in lists."""
    for name in game_names():
        game = find_game(name)
        if not type(game).__module__.startswith("zermelo."):
            continue  # a game of another package brings its own translations
        where = f"game: {game.name}"
        yield where, game.title
        yield where, str(type(game).__doc__)
        yield from ((where, player) for player in game.players)
        yield from ((where, option["name"]) for option in options_of(game))
        for heuristic in game.heuristics.values():
            yield from ((where, line) for line in (heuristic.__doc__ or "").strip().splitlines()[:1])
        yield from ((where, features.text) for features in known_features(game).values())
    for name, kind in KINDS.items():
        yield f"player: {name}", str(kind.__doc__)


def messages() -> Iterator[tuple[str, Message]]:
    """(where, message) for every text that a user may read."""
    yield from in_source()
    yield from in_scripts()
    yield from in_scripts(PUBLISHED)
    yield from in_scripts(NOTEBOOK)
    yield from of_catalogue()
    yield from (("zermelo --help", text) for text in help_texts(cli))
    yield from (("click", text) for text in OF_CLICK)


def all_messages() -> Catalog:
    """All messages without translations, as in a .pot file."""
    catalogue = Catalog(domain=DOMAIN, project="zermelo", creation_date=BEGUN, charset="utf-8")
    for where, message in messages():
        if message:
            catalogue.add(message, locations=[(where, 0)])
    return catalogue


def po_file(language: str) -> Path:
    return FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(language: str) -> Catalog:
    """The catalogue of a language, read from its .po file."""
    with po_file(language).open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN)


def compiled(catalogue: Catalog) -> bytes:
    """The contents of the .mo file of a catalogue."""
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def words_of_scripts(catalogue: Catalog) -> str:
    """The translations that the scripts of the lab need, as JSON."""
    players = {player for name in game_names() for player in find_game(name).players}
    wanted = sorted(players | {str(message) for _file, message in in_scripts()})
    known = {text: found.string for text in wanted if (found := catalogue.get(text)) is not None and found.string}
    return json.dumps(known, ensure_ascii=False, indent=0) + "\n"


def update(language: str) -> int:
    """Bring a language's files up to date, and return the number of messages that are not translated."""
    catalogue = read(language) if po_file(language).exists() else Catalog(locale=language, domain=DOMAIN)
    catalogue.update(all_messages(), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    catalogue.creation_date = catalogue.revision_date = BEGUN
    catalogue.project, catalogue.fuzzy = "zermelo", False
    po_file(language).parent.mkdir(parents=True, exist_ok=True)
    with po_file(language).open("wb") as file:
        write_po(file, catalogue, width=120, include_lineno=False, sort_by_file=True)
    po_file(language).with_suffix(".mo").write_bytes(compiled(catalogue))
    WORDS.mkdir(exist_ok=True)
    (WORDS / f"{language}.json").write_text(words_of_scripts(catalogue), encoding="utf-8")
    return sum(1 for message in catalogue if message.id and not all(_parts(message.string)))


def _parts(string: str | tuple[str, ...] | list[str] | None) -> list[str]:
    return list(string) if isinstance(string, tuple | list) else [string or ""]


def main() -> None:
    missing = {language: update(language) for language in LANGUAGES if language != "en"}
    for language, number in missing.items():
        print(f"{language}: {number} messages without a translation", file=sys.stderr)


if __name__ == "__main__":
    main()
