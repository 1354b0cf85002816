"""Find texts that users read but that cannot be translated, because the code does not mark them with `_("...")`.

tests/test_language.py uses this module. In Python, templates and scripts alike, a *sentence* (two words) counts as
such a text wherever it appears, unless it is known to be for programs or programmers. A single *word* counts only where
it is printed, drawn, raised or read out, because most words in a program are names.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, nodes

MARKS = {"_", "gettext", "ngettext", "marked", "Message"}
WORD = re.compile(r"[A-Za-z]{2}")
SENTENCE = re.compile(r"[A-Za-z]{2,}[,;:.)]* \(?(?:[A-Za-z]{2,}|\{)|\}['s,;:.)]* \(?[A-Za-z]{2,}|[A-Za-z]{2,}: \{")

# ------------------------------------------------------------------------------------------ Python

# Calls that print, draw, raise or read out texts, and which of their arguments do: by position and by name.
Places = tuple[slice, tuple[str, ...]]
SHOWN: dict[str, Places] = {
    "echo": (slice(None), ("message",)),
    "print_table": (slice(None), ()),
    "warn": (slice(1), ("message",)),
    "compiling": (slice(1), ()),
    "progress_bar": (slice(1), ("label",)),
    "show": (slice(1), ()),
    "text": (slice(1), ()),
    "title": (slice(1), ()),
    "picture": (slice(0), ("label",)),
    "tag": (slice(1, None), ("aria_label", "title", "alt")),
    "draw_tree": (slice(1, None), ()),
    "draw": (slice(0), ("label",)),
    "put": (slice(0), ("label",)),
    "glyph": (slice(0), ("label",)),
    "Picture": (slice(0), ("label",)),
    "bars": (slice(1), ()),
    "heat_map": (slice(1), ()),
    "intervals": (slice(1), ()),
    "curves": (slice(None), ()),
    "Bar": (slice(1), ()),
    "Mark": (slice(1), ()),
    "Fault": (slice(1), ()),
    "_fault": (slice(1), ()),
    "_note": (slice(1), ()),
    "Reason": (slice(1), ("reason",)),
    "problem": (slice(2, 3), ()),
    "page": (slice(2, None), ("heading", "text", "title")),
}
USER_ERRORS = {"UsageError", "ClickException", "BadParameter", "HTTPException", "TimeoutError", "ProcessEnded"}
PROGRAMMERS_ERRORS = {
    "ValueError",
    "TypeError",
    "AttributeError",
    "AssertionError",
    "TypingError",
    "RequireLiteralValue",
}

# Calls whose texts are not marked: help is collected from the commands; the others address programs or programmers.
NOT_READ = re.compile(
    r"^(click\.)?(option|argument|version_option|group)$|(Field|Query|FastAPI|Lost|Thread|exec|digest|varied_openings)$"
    r"|(router|log|re)\.\w+$|(tell|event|file_response|_ask|_stored_games|add_vary_header)$|_?execute(_many)?$"
)
FOR_PROGRAMS = re.compile(
    r"(CREATE|SELECT|INSERT|UPDATE|DELETE|PRAGMA|BEGIN|ORDER BY| AND|AND) "  # SQL
    r"|\s*<|\w+\(\w+=.*\)$|def |import |system-ui|event: |: still there"  # markup, calls, code
    r"|(public|private), max-age|attachment; |\{\}=\{\}; Path"  # headers
    r"|(game|first|second|start|winner|reason): \{\}$|zermelo: \{\}"  # the fields of a game's text; the program's name
    r"|[{}, ±]*(Elo|min|ms|h|s|null|minimax)[{}, ±]*(min)?$"  # words that are the same in all languages
    r"|default-src|g\.ended|http://|, tree/|@media "
)
# Other texts without a mark: values in files and records, which `_` translates when shown, and texts for machines.
KNOWN: dict[str, tuple[str, ...]] = {
    "core/explanations.py": (  # messages of Numba
        *("Untyped global", "NameError: ", "Variable '", "Unknown attribute", "No implementation of", "Cannot unify"),
        *("unsupported opcode", "Use of", "it must return", "'with ", "Exception matching", "type, assigned to"),
        *("Cannot bind", "a dictionary of", "runaway", "Invalid use", "No type info", "imprecise type"),
    ),
    # Names of mistakes, for programs; MISTAKES has the texts for people.
    "check/search_mistakes.py": (
        *("no negation", "window not", "beta before", "wrong ", "no end", "one deeper", "one less deep", "starts at 0"),
        *("last child", "last value", "reversed cut", "first child", "always maximum", "inner value"),
    ),
    "check/heuristics.py": ("a formatted string cannot be a key",),
    "cli/check.py": ("zermelo trace",),  # a command
    # Names of pieces of work, in the file that keeps them.
    "games/connect4/building.py": ("{} stones",),
    "games/onitama/__init__.py": ("{} endgame",),  # of which a random number is made
    "learn/rounds.py": ("round {}",),
    "learn/tuning.py": ("spsa {}",),
    "pieces/cluster.py": ("Sending large graph",),  # a warning of Dask
    "players/mcts.py": ("rollouts rollout_plies",),  # names of options
    "web/together/routes.py": ("zermelo serve",),  # a command
    "cli/exercise.py": ("zermelo exercise", " --difficulty", " --depth"),  # a command and its options
    "exercises/trees.py": ("{} share",),  # a seed of the random generator
    "core/compiled_grids.py": ("board of", "row of"),  # names of types
    "core/grids.py": ("the board has rows", "a cell holds"),  # errors of users' rules, raised by compiled code
    "core/numba_private.py": ("{} of {}", "SciPy is needed"),  # the name of a type; an error that Numba catches
    "evaluation/planes.py": ("{}, bit {}",),  # names of planes, for programs
    "game_files/class_rules.py": ("{}: class {}",),  # a source line
    "game_files/drawing.py": ("man {}",),  # the name of a glyph
    "game_files/game.py": ("has points",),  # a name
    "game_files/generic_rules.py": ("(state", "class {}"),  # source lines
    "game_files/shells.py": ("a position has more than", "has points"),
    "games/hex/planes.py": ("I join", "White may"),  # names of planes
    "games/onitama/planes.py": ("my ", "their ", "card at", "I am"),
    "games/parcheckers/planes.py": (
        "my ",
        "their ",
        "{}",
        "I ",
        "they have",
        "a bonus",
        "the turn",
        "turn of",
        "just captured",
    ),
    "notebook/scripts.py": ("const words", ".zermelo-widget"),  # script and style
    "players/nboard.py": ("nboard {}", "set depth", "set game", "ping {}"),  # lines of the protocol
    "protocols/gtp.py": (  # the answers of the specification, which programs read
        *("unknown ", "syntax error", "unacceptable size", "illegal move", "invalid color", "cannot "),
    ),
    "protocols/nboard.py": (  # lines of the protocol
        *("status ", "set myname", "pong {}", "there is no game", "nodestats ", "search {}", "analysis {}"),
    ),
    # Publishing: programs in the languages of LLVM and of browsers, names of parts of a module, and reasons for the
    # authors of a game's drawing, which name the Python that has no counterpart in a page.
    **dict.fromkeys(
        (
            *("publish/allocating.py", "publish/bundling.py", "publish/compiling.py", "publish/entries.py"),
            *("publish/expressions.py", "publish/javascript.py", "publish/linking.py", "publish/live.py"),
            *("publish/lowering.py", "publish/mathematics.py", "publish/pages.py", "publish/solver_entries.py"),
            "publish/translating.py",
        ),
        ("",),
    ),
    "publish/module.py": ("the module could not be compiled",),  # a bug of ours
    "publish/sites.py": ("zermelo publish", "const SITE"),
    "cli/publish.py": ("index.html",),
    "players/modules.py": ("array of",),
    "players/wasm.py": ("array {}",),
    "games/reversi/openings.py": ("",),  # names, the same in all languages
    "tournaments/faults.py": ("illegal move", "wrong answer"),  # kinds of faults in records
    "research/environments.py": ("render() does nothing",),  # for programmers
    "searches/own/running.py": ("make_node(",),  # a program
    "core/failures.py": ("free variable",),  # a message of Python
    "core/kinds.py": ("is not", "array|Array"),  # an operator; a pattern of Numba's types
    "core/rewriting.py": ("__item = 0",),  # a program
    "core/heuristic.py": (" (does it end somewhere",),  # a part of an explanation in that module
    "core/parts.py": ("{} is now {}",),
    "games/hex/rules.py": ("A position on boards",),  # a docstring
    "games/onitama/notation.py": ("bbBbb/",),
    "games/parcheckers/__init__.py": ("yellow and green", "blue and red"),  # a game's players are collected
    "games/parcheckers/players.py": ("AlphaBeta", "PodaProb", "Ordenacion", "runs:", "hunts:", "plans:"),
    "games/tree/__init__.py": ("Game tree",),  # a game's title is collected
    "learn/labels.py": ("the game's own points", "{} x points", "exact rows:"),  # in a dataset's description
    "cli/groups.py": ("Run code stored in files",),  # help of an option
    "cli/main.py": (".* is now",),  # a pattern
    "cli/options.py": ("Print JSON", "Draw the result"),  # help of options
    "cli/match.py": ("played out",),
    "cli/play.py": ("played out",),
    "core/digest.py": ("again", "overload"),  # parts of a digest
    "games/__init__.py": ("z.games() is now",),  # for programmers, like all warnings about old names
    "match.py": ("played out", "a draw after"),
    "old_names.py": ("{} is now {}",),
    "players/player.py": ("wrong answer", "illegal move"),
    "processes/guardian.py": ("\nimport os",),  # a program
    "tournaments/store.py": ("score",),
    "web/game_store.py": ("TEXT NOT NULL", "duplicate column"),
    # The arena: columns of files, flags, statements for the database, and events of the audit log, which
    # desk_results.py shows in the reader's language.
    "arena/class_list.py": ("full name", "nombre completo", "first name", "last name"),
    "arena/client.py": ("Bearer {}",),
    "arena/exports.py": ("handed in", "final rank"),
    "arena/faults.py": ("g.reason LIKE",),
    "arena/keeper.py": ("a formatted string cannot be a key",),
    "arena/making.py": ("made by",),
    "arena/names.py": ("Achernar",),
    "arena/people.py": ("student added", "student renamed", "student removed", "new link"),
    "arena/privacy.py": ("data is due",),
    "arena/records.py": ("WHERE ", "state IN", "arena submission", "handed in"),
    "arena/rounds.py": ("final ordered",),
    "arena/settings.py": ("two weeks",),  # as arena.toml has it
    "arena/tables.py": ("id, student", "name, number"),
    "arena/validation.py": ("position {}",),  # the name of a task
    "cli/arena_new.py": ("arena.toml",),
    "processes/orders.py": ("from zermelo",),  # a program
    "processes/seccomp.py": ("no filter of", "the filter of"),  # errors of the system, which sandbox.py explains
    "tournaments/distribute.py": ("no sandbox",),
    "tournaments/tallies.py": ("illegal move", "wrong answer", "g.reason LIKE"),
    "web/arena/desk.py": ("makes a new link",),
    "web/arena/desk_results.py": (
        *("student ", "new link", "makes a new link", "handed in", "final ordered"),
        *("text/csv", "text/html"),
    ),
    "web/security.py": (" --host", "zermelo serve"),  # commands
    "web/arena/signing.py": ("zermelo arena serve",),  # a command
    "evaluation/models.py": ("net",),  # a kind of model, as files name it
    "position.py": ("{}.{} overrides svg()",),  # a warning for programmers
    "tournaments/pages.py": ("played out",),
    "tournaments/plan.py": ("round robin",),
    "tournaments/quick.py": ("played out",),
    "tournaments/referee.py": ("played out", "wrong answer"),
    "tournaments/report.py": ("illegal move", "wrong answer"),
    "tournaments/run.py": ("round robin",),
    "tournaments/schedule.py": ("round robin",),
    # Texts in records are always English.
    "tournaments/asking.py": ("wrong answer", "its process answered"),
    "tournaments/guest.py": ("crash: {}",),
    "players/program_process.py": ("{}: SystemExit",),
    "processes/foreign.py": (
        *(
            "no answer within",
            "wrong answer",
            "its process",
            "a segmentation fault",
            "it was killed",
            "crash",
            "timeout",
        ),
    ),
    "tournaments/hall.py": ("crash: {}", "{} (not played"),
    "tournaments/tables.py": ("illegal move",),
    "web/tournament_orders.py": ("round robin",),
    "web/frame.py": ("Not Found", "Method Not Allowed"),
    "web/hub.py": ("board ",),
    "web/saved.py": ("played out",),
    "web/tournaments.py": ("round robin",),
    "web/views.py": ("played out",),
    "web/workshop_examples.py": ("import ",),
}


def error_names(package: Path) -> set[str]:
    """The names of ZermeloError, of all classes derived from it anywhere, and of other errors that users see."""
    bases: dict[str, set[str]] = {}
    for file in package.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                bases[node.name] = {_last(base) for base in node.bases}
    found = {"ZermeloError"} | USER_ERRORS
    while more := {name for name, known in bases.items() if known & found} - found:
        found |= more
    return found


def in_python(source: str, errors: set[str]) -> Iterator[tuple[int, str]]:
    """(line, text) for every text that a user may read and that is not marked."""
    tree = ast.parse(source)
    yield from _sentences(tree, errors - USER_ERRORS)
    for scope in ast.walk(tree):
        if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module):
            yield from _words(scope, errors)
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and _last(call.func) in MARKS:
            built = [part for part in ast.walk(call) if isinstance(part, ast.JoinedStr)]
            yield from ((part.lineno, f"a formatted string cannot be a key: {_text(part)}") for part in built)


def _last(node: ast.AST) -> str:
    """The last part of a name, such as `echo` for `click.echo`."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _text(node: ast.AST) -> str | None:
    """The text of a plain or formatted string, with {} for each inserted value; None if it is not a string."""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _sentences(node: ast.AST, errors: set[str]) -> Iterator[tuple[int, str]]:
    text = _text(node)
    if text is not None:
        if SENTENCE.search(text) and not FOR_PROGRAMS.match(text):
            yield node.lineno, text  # type: ignore[attr-defined]
        if isinstance(node, ast.JoinedStr):
            for part in node.values:
                if isinstance(part, ast.FormattedValue):
                    yield from _sentences(part.value, errors)
        return
    if isinstance(node, ast.Call):
        if _last(node.func) in MARKS | PROGRAMMERS_ERRORS or NOT_READ.search(ast.unparse(node.func)):
            return
        if _last(node.func) in errors and node.args and isinstance(node.args[0], ast.Constant):
            for argument in [*node.args[1:], *(one.value for one in node.keywords)]:
                yield from _sentences(argument, errors)
            return
    elif isinstance(node, ast.Expr) and _text(node.value) is not None:
        return  # a docstring
    elif isinstance(node, ast.arg) or (isinstance(node, ast.FunctionDef) and node.name == "__repr__"):
        return
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _sentences(child, errors)


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function or module itself, without those of functions inside it."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            waiting += ast.iter_child_nodes(node)


def _words(scope: ast.AST, errors: set[str]) -> Iterator[tuple[int, str]]:
    """Words that are passed to a call that shows them, directly or through a variable of the same function."""
    values: dict[str, list[ast.AST]] = {}
    for node in _own_nodes(scope):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    values.setdefault(target.id, []).append(node.value)
    for node in _own_nodes(scope):
        if not isinstance(node, ast.Call):
            continue
        name = _last(node.func)
        shown: Places = (slice(None), ()) if name in errors else SHOWN.get(name, (slice(0), ()))
        places, names = shown
        given = [*node.args[places], *(one.value for one in node.keywords if one.arg in names)]
        if name in errors - USER_ERRORS and given and isinstance(given[0], ast.Constant):
            del given[0]  # an error's text is translated when it is shown
        waiting, followed = [part for argument in given for part in _shown_parts(argument)], set()
        while waiting:
            part = waiting.pop()
            if isinstance(part, ast.Name) and part.id not in followed:
                followed.add(part.id)
                waiting += [inner for value in values.get(part.id, []) for inner in _shown_parts(value)]
            else:
                text = _text(part)
                if text is not None and WORD.search(re.sub(r"\{\w*\}", "", text)) and not FOR_PROGRAMS.match(text):
                    yield part.lineno, text  # type: ignore[attr-defined]


def _shown_parts(node: ast.AST) -> Iterator[ast.AST]:
    """The strings and names in an expression that become part of its value; no conditions, keys or arguments."""
    yield node
    if isinstance(node, ast.IfExp):
        children: list[ast.AST] = [node.body, node.orelse]
    elif isinstance(node, ast.Call):
        is_method_of_text = isinstance(node.func, ast.Attribute) and _last(node.func) in ("format", "ljust", "join")
        filled_in = [*node.args, *(one.value for one in node.keywords)]
        children = [node.func.value, *filled_in] if is_method_of_text else []  # type: ignore[attr-defined]
    elif isinstance(node, ast.JoinedStr):
        children = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
    elif isinstance(node, ast.BinOp | ast.BoolOp | ast.List | ast.Tuple | ast.Starred):
        children = list(ast.iter_child_nodes(node))
    else:
        children = []
    for child in children:
        yield from _shown_parts(child)


def all_python(package: Path) -> list[str]:
    """`file:line: text` for every unmarked text in the package."""
    errors, found = error_names(package), []
    for file in sorted(package.rglob("*.py")):
        name = str(file.relative_to(package))
        for line, text in in_python(file.read_text(encoding="utf-8"), errors):
            if not text.startswith(KNOWN.get(name, ("\0",))):
                found.append(f"{name}:{line}: {text}")
    return list(dict.fromkeys(found))


# ------------------------------------------------------------------------------------------ templates

READ_OUT = re.compile(r'\b(?:aria-label|title|alt|label|placeholder)="([^"]*)"')

# Examples of what users may write into a field, a name that is the same in every language, and parts of a tag.
EXAMPLES = re.compile(r"zermelo|\w+\(.*\)|\w+\.py|game: connect4.*|\w+\.(csv|jsonl)|Elo|class=\"\w+\"")


def in_template(source: str) -> Iterator[str]:
    """The unmarked texts, attributes that are read out, and strings in expressions of a template."""
    tree = Environment(extensions=["jinja2.ext.i18n"]).parse(source)
    plain = "\0".join(data.data for data in tree.find_all(nodes.TemplateData))
    texts = re.sub(r"<(kbd|code)>.*?</\1>|<[^>]*>", "\n", plain, flags=re.DOTALL).replace("\0", "\n").splitlines()
    for text in [*READ_OUT.findall(plain.replace("\0", "")), *texts]:
        if WORD.search(text) and not EXAMPLES.fullmatch(text.strip("·– ")):
            yield text.strip()
    for output in tree.find_all(nodes.Output):
        for expression in output.nodes:
            yield from _in_expression(expression)


def _in_expression(node: nodes.Node) -> Iterator[str]:
    if isinstance(node, nodes.TemplateData | nodes.Compare | nodes.Getitem | nodes.Filter):
        return
    if isinstance(node, nodes.Call) and not (isinstance(node.node, nodes.Getattr) and node.node.attr == "format"):
        return
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        # Attributes and their values, addresses, names of classes and of files.
        is_for_programs = re.match(
            r"\s*[\w-]+=|[?&/#]|(yes|no|true|false|(as|des)cending|quiet|(good|bad)-word)$", node.value
        )
        if WORD.search(node.value) and not is_for_programs:
            yield node.value
    children = [node.node] if isinstance(node, nodes.Call) else node.iter_child_nodes()
    if isinstance(node, nodes.CondExpr):
        children = [one for one in (node.expr1, node.expr2) if one is not None]
    for child in children:
        yield from _in_expression(child)


# ------------------------------------------------------------------------------------------ scripts

TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`", re.DOTALL)
SHOWN_BY_SCRIPTS = re.compile(
    r"(\b(text|textContent|title|label|alt|placeholder)(:| =) |\"(aria-label|title|alt|placeholder)\"(:|,) "
    r"|\b(notify|alert|confirm)\(|Refused\([^,]*, )[^,;([]*$"
)
NAMES_IN_SCRIPTS = re.compile(
    r"(class(Name)?(:| =) |\.closest\(|matchMedia\(|querySelector(All)?\(|TypeError\(|===? |Key = \(\) => )$"
)
CLASSES = re.compile(r"(number|more|quiet|small|middle)( (number|more|quiet|small|middle))*$")


def in_script(source: str, first_line: int = 1) -> Iterator[tuple[int, str]]:
    """(line, text) for the strings of a script that a user may read and that are not in `t("...")`."""
    for found in TOKEN.finditer(source):
        before = source[max(0, found.start() - 60) : found.start()]
        line = first_line + source.count("\n", 0, found.start())
        if found[0].startswith("/") or re.search(r"\bt\(\s*$", before) or NAMES_IN_SCRIPTS.search(before):
            continue
        text, inside = _template_parts(found[0])
        for part in inside:
            yield from in_script(part, line)
        is_key = source[found.end() : found.end() + 1] == ":" and re.search(r"[{,]\s*$", before)
        is_shown = SHOWN_BY_SCRIPTS.search(before) and WORD.search(text.replace("{}", ""))
        if (is_shown or SENTENCE.search(text)) and not (is_key or CLASSES.match(text) or FOR_PROGRAMS.match(text)):
            yield line, text


def _template_parts(token: str) -> tuple[str, list[str]]:
    """The text of a string with {} for each inserted value, and the inserted expressions."""
    text, inside, start, depth = "", [], 1, 0
    for place, letter in enumerate(token[:-1]):
        if token[0] != "`" or place == 0:
            continue
        if token[place : place + 2] == "${" and not depth:
            text, start, depth = f"{text}{token[start:place]}{{}}", place + 2, 1
        elif depth and place >= start:
            depth += (letter == "{") - (letter == "}")
            if not depth:
                inside.append(token[start:place])
                start = place + 1
    return text + token[start:-1], inside
