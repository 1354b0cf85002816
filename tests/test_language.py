"""Every text that users read exists in Spanish. Users see their own language, or English by default."""

import ast
import os
import re
import sys
from pathlib import Path
from string import Formatter
from xml.etree import ElementTree

import pytest

import started
from zermelo import language
from zermelo.errors import ZermeloError
from zermelo.games import find_game, game_names
from zermelo.position import random_playout

pytest.importorskip("babel")
sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
import messages
import unmarked

OTHERS = [code for code in language.LANGUAGES if code != "en"]


def done(*arguments, **environment):
    """A command that has run, in an environment without a language but this one."""
    clean = {name: value for name, value in os.environ.items() if name not in language.VARIABLES}
    return started.run(arguments, env=clean | environment)


def run(*arguments, **environment):
    """What a command prints, on standard output and standard error."""
    result = done(*arguments, **environment)
    return result.stdout + result.stderr


def parts_of(text):
    """The placeholders of a message, with how they are written: {name!r}, {number:,}, %(prog)s."""
    try:
        fields = {(name, spec, how) for _, name, spec, how in Formatter().parse(text) if name is not None}
    except ValueError:  # weights={...}: no format string
        fields = set(re.findall(r"\{[^}]*\}", text))
    return fields | set(re.findall(r"%\(\w+\)s|<\w+>|\\\d", text))


def both(message):
    """Pairs of a text and its translation; several where there are plural forms."""
    if isinstance(message.id, str):
        return [(message.id, message.string)]
    return [(message.id[1], string) for string in message.string[1:]] + [(message.id[0], message.string[0])]


@pytest.fixture(scope="module")
def template():
    return messages.all_messages()


def untranslated(template, known):
    """The messages that a catalogue lacks."""
    wanted = {message.id: known.get(message.id) for message in template if message.id}
    return [
        text
        for text, found in wanted.items()
        if found is None or found.fuzzy or not all(string for _, string in both(found))
    ]


@pytest.mark.parametrize("code", OTHERS)
def test_every_text_is_translated(code, template):
    known = messages.read(code)
    assert not untranslated(template, known), "run `make messages`, and translate what is empty in the .po file"
    pairs = [pair for message in known if message.id for pair in both(message)]
    wrong = [(text, string) for text, string in pairs if parts_of(text) != parts_of(string)]
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


@pytest.mark.parametrize(
    "text",
    [
        "the game is over in {position}",  # an error
        "{title} position {position}",  # a drawing
        "Score of the row against the column, in per cent. Choose a cell to see the games between the two.",  # a report
        "Skip to the content",  # a template
        "It is not your turn.",  # a script
        "List the games.",  # the help of a command
        "Maximum depth of the search, in plies.",  # of an option
        "Usage:",  # a word of click
        "Tic-tac-toe",  # a game
        "Drop stones into columns. Four of one colour in a line win; a full board is a draw.",
        "Every inner node is worth 0.",  # a heuristic
        "The values of all the game's own heuristics.",  # features
        "A person at the terminal.",  # a player
    ],
)
@pytest.mark.parametrize("how", ["deleted", "emptied"])
def test_an_untranslated_text_is_found(text, how, template):
    """The test above can fail, for a text of every kind."""
    known = messages.read("es")
    assert text not in untranslated(template, known)
    if how == "deleted":
        known.delete(text)
    else:
        known[text].string = ""
    assert untranslated(template, known) == [text]


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
    with language.speaking("es"), pytest.raises(ZermeloError, match="no existe el juego 'chess'; los juegos son"):
        find_game("chess")
    with pytest.raises(ZermeloError, match="there is no game 'chess'; the games are"):
        find_game("chess")


def words_on(position, code):
    """The words of a position's picture, with what is read out of it, and of its board in text; not its notation."""
    with language.speaking(code):
        drawn = list(ElementTree.fromstring(position.svg({})).iter())
        written = [element.text or "" for element in drawn if element.tag.endswith(("title", "text"))]
        told = " ".join([*written, *(element.get("aria-label", "") for element in drawn), position.board()])
    return set(re.findall(r"\b[^\W\d_]{3,}\b", told.replace(str(position), "")))


# Animals on the cards of Onitama whose names are the same in both languages.
SAME_IN_SPANISH = ("cobra", "iguana", "kirin", "mantis", "nessie", "panda", "tanuki")


@pytest.mark.parametrize("name", [*game_names(), "hex(size=5, swap=yes)"])
def test_no_board_mixes_languages(name):
    game = find_game(name)
    names = {game.title, "MAX", "MIN", *SAME_IN_SPANISH}
    for seed, plies in ((1, 0), (1, 1), (3, 6), (5, 20), (7, None)):
        position = random_playout(game.start(), seed, plies)
        both = words_on(position, "en") & words_on(position, "es")
        assert {word for word in both if set(word) - set("rRbBWXO")} <= names, position


SPANISH = {"LANG": "es_ES.UTF-8"}


def test_commands_speak_spanish():
    told = run("--help", **SPANISH)
    assert "Un laboratorio de juegos" in told and "Órdenes:" in told and "Muestra este mensaje" in told
    assert "Muestra los juegos" in run("--help", ZERMELO_LANG="es", LANG="en_GB.UTF-8")
    assert "Tres en raya" in run("games", **SPANISH)
    assert "no existe el juego 'chess'" in run("analyse", "chess", **SPANISH)
    assert "No existe la opción '--frob'" in run("games", "--frob", **SPANISH)
    traced = run("trace", "tree/course", **SPANISH)
    assert "poda: MIN obtiene" in traced and "podas" in traced


@pytest.mark.parametrize("environment", [{}, {"LANG": "C"}, {"LANG": "de_DE.UTF-8"}])
def test_commands_speak_english_otherwise(environment):
    told = run("play", "--help", **environment)
    assert "Usage: " in told and "Play a game at the terminal." in told
    assert "there is no game 'chess'; the games are" in run("analyse", "chess", **environment)


def test_json_is_the_same_in_every_language():
    arguments = ("analyse", "tictactoe", "--depth", "9", "--json")
    spanish, english = (re.sub(r'"seconds".*', "", done(*arguments, **spoken).stdout) for spoken in (SPANISH, {}))
    assert spanish == english != ""


# ------------------------------------------------------------------------------------------ what is not marked at all


def test_no_text_in_python_is_bare():
    assert unmarked.all_python(messages.PACKAGE) == [], "write _(...) around it; tools/unmarked.py has the exceptions"


@pytest.mark.parametrize("file", sorted((messages.PACKAGE / "web" / "templates").rglob("*.html")), ids=lambda f: f.name)
def test_no_text_in_a_template_is_bare(file):
    assert list(unmarked.in_template(file.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("file", sorted(messages.SCRIPTS.rglob("*.js")), ids=lambda f: f.name)
def test_no_text_in_a_script_is_bare(file):
    assert list(unmarked.in_script(file.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    [
        'click.echo("done")',
        'click.echo(f"{number} games")',
        'def f():\n    words = "won" if score else ""\n    click.echo(words)',
        'def f():\n    names = " or ".join(known)\n    click.echo(_("there is {names}").format(names=names))',
        'print_table(["player", _("score")], rows)',
        'with compiling("everything"): pass',
        'with progress_bar("playing", 9) as step: pass',
        'raise PlayerError(f"nobody like {name}")',
        'raise PlayerError("there is nobody: {name}".format(name=name))',
        'raise click.UsageError(f"--out {out}: no")',
        'raise TimeoutError(f"no answer in {seconds} s")',
        'warnings.warn("slow")',
        'svg.text("swap", x, y)',
        'svg.tag("g", svg.title(f"column {move}"))',
        'svg.tag("g", shape, aria_label="empty")',
        'svg.picture(9, 9, label=f"Hex position {position}")',
        'Picture(width=9, height=9, label=f"Hex position {position}")',
        'picture.draw(name, "cell", place, shape, label=f"column {move}")',
        'draw_tree(root, f"Tree of {position}")',
        'bars("Nodes", groups)',
        'curves("x", series, _("plies"), "error", 1.0)',
        'ABOUT = {"one": "knows the squares to go"}',
        'return f"{name} wins"',
        'record = f"winner is {name}"',
        'click.echo(_(f"{name} wins"))',
    ],
)
def test_a_bare_text_in_python_is_found(source):
    assert list(unmarked.in_python(source, {"PlayerError"} | unmarked.USER_ERRORS))


@pytest.mark.parametrize(
    "source",
    [
        'click.echo(_("done"))',
        'click.echo(_("{name} wins").format(name=name))',
        'click.echo(f"{_(title)}: {score:+d}")',
        'def f():\n    """Two words."""\n    return None',
        'def f(x: "of two words"): pass',
        'def __repr__(self):\n    return f"<game {self.name}>"',
        'raise ValueError("for a programmer")',
        'raise PlayerError("there is nobody: {name}", name=name)',  # collected, and translated when it is shown
        'reason = marked("played out")',
        'player = find_player("alphabeta(depth=4, heuristic=lines2)")',
    ],
)
def test_what_no_user_reads_is_not(source):
    assert not list(unmarked.in_python(source, {"PlayerError"} | unmarked.USER_ERRORS))


@pytest.mark.parametrize(
    "source",
    [
        "<p>Hello</p>",
        '<p>{{ "Hello" }}</p>',
        '<p>{{ "Yes" if game else _("No") }}</p>',
        '<p>{{ "{number} games".format(number=3) }}</p>',
        '<button aria-label="Close">×</button>',
        '<a title="A move back">‹</a>',
        '<input placeholder="your name">',
        "{% if game %}<p>{{ name }} wins</p>{% endif %}",
    ],
)
def test_a_bare_text_in_a_template_is_found(source):
    assert list(unmarked.in_template(source))


@pytest.mark.parametrize(
    "source",
    [
        'notify("Gone");',
        'button.textContent = "Stop";',
        'make("p", {text: game ? "Won" : t("Lost")});',
        'svg.setAttribute("aria-label", "Board");',
        'make("button", {"aria-label": `Move ${number}`});',
        'const words = "It is over";',
        "const words = `${name} wins`;",
        'throw new Refused(500, "Broken");',
        'said.textContent = `${t("Step")} ${done ? "is done" : ""}`;',
    ],
)
def test_a_bare_text_in_a_script_is_found(source):
    assert list(unmarked.in_script(source))


def test_underscore_means_one_thing_in_a_function():
    """`name, _, rest = ...` hides the function that translates: a function either calls `_` or assigns to it."""
    wrong = []
    for file in messages.PACKAGE.rglob("*.py"):
        for scope in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | COMPREHENSION):
                parts = [scope, *own_parts(scope)]
                names = [part for part in parts if isinstance(part, ast.Name) and part.id == "_"]
                assigned = any(isinstance(name.ctx, ast.Store) for name in names)
                called = any(isinstance(name.ctx, ast.Load) for name in names)
                wrong += [f"{file.name}:{scope.lineno}"] * (assigned and called)
    assert wrong == []


COMPREHENSION = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def own_parts(scope):
    """What stands in a function or comprehension itself, not in those inside it."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        part = waiting.pop()
        yield part
        if not isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | COMPREHENSION):
            waiting += ast.iter_child_nodes(part)
