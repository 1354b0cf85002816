"""Every text that a user reads is there in Spanish, and each is told in their own language, English by default."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path
from string import Formatter

import pytest

from zermelo import language
from zermelo.errors import ZermeloError
from zermelo.games import find_game

pytest.importorskip("babel")
sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
import messages

OTHERS = [code for code in language.LANGUAGES if code != "en"]


def done(*arguments, **environment):
    """A command that has run, in an environment without a language but this one."""
    clean = {name: value for name, value in os.environ.items() if name not in language.VARIABLES}
    command = [sys.executable, "-m", "zermelo", *arguments]
    return subprocess.run(command, env=clean | environment, capture_output=True, text=True, encoding="utf-8")


def run(*arguments, **environment):
    """What a command prints and says."""
    result = done(*arguments, **environment)
    return result.stdout + result.stderr


def parts_of(text):
    """The placeholders of a message, with how they are written: {name!r}, {number:,}, %(prog)s."""
    try:
        fields = {(name, spec, how) for _, name, spec, how in Formatter().parse(text) if name is not None}
    except ValueError:  # weights={...}: no format string
        fields = set(re.findall(r"\{[^}]*\}", text))
    return fields | set(re.findall(r"%\(\w+\)s", text)) | set(re.findall(r"<(\w+)>", text))


def both(message):
    """Pairs of a text and its translation; several where there are plural forms."""
    if isinstance(message.id, str):
        return [(message.id, message.string)]
    return [(message.id[1], string) for string in message.string[1:]] + [(message.id[0], message.string[0])]


@pytest.fixture(scope="module")
def template():
    return messages.all_messages()


@pytest.mark.parametrize("code", OTHERS)
def test_every_text_is_translated(code, template):
    known = messages.read(code)
    missing, wrong = [], []
    for message in template:
        if not message.id:
            continue
        found = known.get(message.id)
        if found is None or found.fuzzy or not all(string for _, string in both(found)):
            missing.append(message.id)
        else:
            wrong += [(text, string) for text, string in both(found) if parts_of(text) != parts_of(string)]
    assert not missing, "run `make messages`, and translate what is empty in the .po file"
    assert not wrong, "these have other placeholders than the original"


@pytest.mark.parametrize("code", OTHERS)
def test_no_translation_is_left_over(code, template):
    wanted = {message.id for message in template}
    assert not [message.id for message in messages.read(code) if message.id and message.id not in wanted]


@pytest.mark.parametrize("code", OTHERS)
def test_ends_and_beginnings_agree(code):
    """Parts of sentences are put together, and blocks of help keep their line breaks."""
    for message in messages.read(code):
        for text, string in both(message) if message.id else []:
            for edge in (" ", "\n", ","):
                assert text.startswith(edge) == string.startswith(edge), (text, string)
            assert text.endswith((" ", "\n")) == string.endswith((" ", "\n")), (text, string)
            assert text.count("\b") == string.count("\b"), text


@pytest.mark.parametrize("code", OTHERS)
def test_what_is_shipped_was_made_of_the_po_file(code):
    known = messages.read(code)
    assert messages.po_file(code).with_suffix(".mo").read_bytes() == messages.compiled(known)
    assert (messages.WORDS / f"{code}.json").read_text(encoding="utf-8") == messages.words_of_scripts(known)


def test_an_untranslated_text_is_found(template):
    """The test above can fail: a text in the code that no catalogue has is among the collected ones."""
    collected = {message.id for message in template}
    assert "the game is over in {position}" in collected  # Python
    assert "Skip to the content" in collected  # templates
    assert "It is not your turn." in collected  # scripts
    assert "Plies to look ahead." in collected  # options
    assert "Tic-tac-toe" in collected  # games
    assert messages.read("es").get("no such text") is None


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "en"),
        ({"LANG": "es_ES.UTF-8"}, "es"),
        ({"LANG": "es"}, "es"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "es_MX.UTF-8"}, "es"),
        ({"LANG": "en_GB.UTF-8", "LANGUAGE": "fr:es:en"}, "es"),
        ({"LANG": "es_ES.UTF-8", "LANGUAGE": "en"}, "en"),
        ({"LANG": "es_ES.UTF-8", "ZERMELO_LANG": "en"}, "en"),
        ({"LANG": "C", "ZERMELO_LANG": "es"}, "es"),
    ],
)
def test_the_language_of_an_environment(environment, expected, monkeypatch):
    for name in language.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert language.process_language.__wrapped__() == expected


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("", "en"),
        ("es", "es"),
        ("es-ES,es;q=0.9,en;q=0.8", "es"),
        ("en;q=0.8,es-MX", "es"),
        ("de-DE,de;q=0.9", "en"),
        ("de,es;q=0.5,en;q=0.3", "es"),
        ("es;q=0,en", "en"),
        ("*", "en"),
        (";;q=,q=x,;q=0.5", "en"),
    ],
)
def test_the_language_of_a_browser(header, expected):
    assert language.browser_language(header) == expected


def test_speaking_is_for_here_only():
    with language.speaking("es"):
        assert language._("a draw") == "empate"
        with language.speaking("en"):
            assert language._("a draw") == "a draw"
        assert language.ngettext("{value!r} is not {choice}.", "{value!r} is not one of {choices}.", 2).endswith(
            "{choices}."
        )
    assert language._("a draw") == "a draw"
    assert language._("") == ""


def test_an_error_is_told_in_the_language_in_which_it_was_made():
    with language.speaking("es"), pytest.raises(ZermeloError, match="no existe el juego 'chess'; existen"):
        find_game("chess")
    with pytest.raises(ZermeloError, match="there is no game 'chess'; there are"):
        find_game("chess")


SPANISH = {"LANG": "es_ES.UTF-8"}


def test_commands_speak_spanish():
    told = run("--help", **SPANISH)
    assert "Un laboratorio de juegos" in told and "Órdenes:" in told and "Muestra este mensaje" in told
    assert "Lista los juegos" in run("--help", ZERMELO_LANG="es", LANG="en_GB.UTF-8")
    assert "Tres en raya" in run("games", **SPANISH)
    assert "no existe el juego 'chess'" in run("analyse", "chess", **SPANISH)
    assert "No existe la opción '--frob'" in run("games", "--frob", **SPANISH)
    traced = run("trace", "tree/course", **SPANISH)
    assert "poda: MIN obtiene" in traced and "podas" in traced


@pytest.mark.parametrize("environment", [{}, {"LANG": "C"}, {"LANG": "de_DE.UTF-8"}])
def test_commands_speak_english_otherwise(environment):
    told = run("play", "--help", **environment)
    assert "Usage: " in told and "Play a game at the terminal." in told
    assert "there is no game 'chess'; there are" in run("analyse", "chess", **environment)


def test_json_is_the_same_in_every_language():
    arguments = ("analyse", "tictactoe", "--depth", "9", "--json")
    spanish, english = (re.sub(r'"seconds".*', "", done(*arguments, **spoken).stdout) for spoken in (SPANISH, {}))
    assert spanish == english != ""


# ------------------------------------------------------------------------------------------ what is not marked at all

ERRORS = {
    "click.UsageError",
    "click.ClickException",
    "HTTPException",
    "NotNow",
    "NoSuchTournament",
    "TooBusy",
    "BadImport",
}
WORD = re.compile(r"[A-Za-z]{2}")


def error_names():
    """The names of ZermeloError and of all classes derived from it, wherever they are."""
    bases = {}
    for file in messages.PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                bases[node.name] = {ast.unparse(base) for base in node.bases}
    found = {"ZermeloError"}
    while more := {name for name, known in bases.items() if known & found} - found:
        found |= more
    return found | ERRORS


def words_in(node):
    """The text of a plain or formatted string itself, without what is put into it."""
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value for part in node.values if isinstance(part, ast.Constant))
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def test_no_error_is_bare_english():
    names, bare = error_names(), []
    for file in sorted(messages.PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            call = node.exc if isinstance(node, ast.Raise) else node
            if isinstance(call, ast.Call) and ast.unparse(call.func) in (names if call is not node else {"click.echo"}):
                said = [argument for argument in call.args if WORD.search(words_in(argument))]
                bare += [f"{file.relative_to(messages.PACKAGE)}:{one.lineno}: {words_in(one)}" for one in said]
    # the name of the program before an error, and a word of JSON
    assert [one for one in bare if not one.endswith((": zermelo: ", ": null"))] == []


def test_no_template_has_bare_english():
    """Texts and the attributes that are read out stand in `_(...)`; names of keys and programs may stand alone."""
    bare = []
    for file in sorted((messages.PACKAGE / "web" / "templates").glob("*.html")):
        text = re.sub(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        attributes = re.findall(r'\b(?:aria-label|title|alt|label)="([^"]*)"', text)
        texts = re.sub(r"<kbd>.*?</kbd>|<[^>]*>", "\n", text, flags=re.DOTALL).splitlines()
        bare += [(file.name, one.strip()) for one in [*attributes, *texts] if WORD.search(one)]
    assert {text.strip("·– ") for _, text in bare} <= {"zermelo"}
