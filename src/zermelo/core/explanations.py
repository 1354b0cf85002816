"""Why a heuristic cannot be compiled, or how it fails: every message of the compiler in words, so a long module.

No name of a Numba type may reach a user: what Numba says is matched here, and put in the words of Python. What matches
nothing gets a general sentence.
"""

import builtins
import difflib
import dis
import inspect
import linecache
import re
import traceback
import types as python_types
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.core.digest import named_values
from zermelo.core.kinds import OPERATORS, kind_of, kinds_of
from zermelo.core.numba_private import error_line
from zermelo.core.preparing import is_users
from zermelo.core.state import StateMeta
from zermelo.errors import Message, ZermeloError

MOST_NAMES = 16
"""The greatest number of attributes that a message lists."""


@dataclass(frozen=True)
class Finding:
    """What is wrong, where."""

    file: str
    line: int
    reason: Message
    is_mistake: bool = False  # it would be wrong in plain Python, too
    name: str = ""  # of the function, which is shown if the line is not known

    @property
    def place(self) -> Message:
        """File, line and source line, as `mine.py:7: return x`."""
        return place_text(self.file, self.line, self.name)


def place_text(file: str, line: int, name: str) -> Message:
    """A line of a file with its source, or the name of the function if there is no source."""
    linecache.checkcache(file)
    while (source := linecache.getline(file, line).strip()).startswith("@"):  # a function begins with its decorators
        line += 1
    if not source:
        return Message("{file}:{line}: in {name}", file=file, line=line, name=name)
    return Message("{file}:{line}: {source}", file=file, line=line, source=source)


def explain(function: Any, error: Exception) -> Finding:
    """Why Numba could not compile a function."""
    functions = reached(function)
    text = str(error)
    missing = _undefined_name(functions)
    if missing is not None:
        return missing
    where, line = failing_place(function, functions, error)
    reason, is_mistake = _reason(text, where, error)
    if reason is _ANY_LINE and line == where.__code__.co_firstlineno:
        reason = Message(
            "something in {name} cannot be compiled: use numbers, lists, tuples and loops", name=where.__name__
        )
    return Finding(where.__code__.co_filename, line, reason, is_mistake, where.__name__)


def reached(function: Any) -> list[Any]:
    """The function and all functions of users that it calls, directly or not."""
    found, waiting = [], [function]
    while waiting:
        one = waiting.pop(0)
        one = getattr(one, "py_func", one)
        if is_users(one) and one not in found:
            found.append(one)
            waiting += [value for _, value in named_values(one)]
    return found


# ------------------------------------------------------------------------------------------ names


def nearest(name: str, known: Iterable[str]) -> Message | str:
    """A question whether the author meant one of the known names; empty if none is like this one."""
    public = [one for one in known if not one.startswith("_") and one != name]
    close = difflib.get_close_matches(name, public, 1, 0.6)
    return Message("; did you mean {name}?", name=close[0]) if close else ""


def _undefined_name(functions: list[Any]) -> Finding | None:
    """A name that is neither local nor global nor built in."""
    for function in functions:
        scope = function.__globals__
        line = function.__code__.co_firstlineno
        for instruction in dis.get_instructions(function.__code__):
            line = _line_of(instruction) or line
            name = instruction.argval
            if instruction.opname != "LOAD_GLOBAL" or name in scope or hasattr(builtins, name):
                continue
            reason = undefined(name, [*function.__code__.co_varnames, *scope])
            return Finding(function.__code__.co_filename, line, reason, True, function.__name__)
    return None


def _line_of(instruction: Any) -> Any:
    positions = getattr(instruction, "positions", None)
    return positions.lineno if positions is not None else instruction.starts_line


def undefined(name: str, known: Iterable[str]) -> Message:
    """A name that nobody has given a value."""
    close = nearest(name, [*known, *dir(builtins)])
    if close:
        return Message("{name} is not defined{nearest}", name=name, nearest=close)
    return Message("{name} is not defined: define or import it above", name=name)


def no_attribute(thing: Any, name: str) -> Message:
    """An object of Python that has no attribute of this name."""
    if isinstance(thing, python_types.ModuleType):
        return Message(
            "the module {module} has no {name}{nearest}",
            module=thing.__name__,
            name=name,
            nearest=nearest(name, dir(thing)),
        )
    ours = getattr(thing, "_for_programs", ())
    fields = [one for one in dir(thing) if not one.startswith("_") and one not in ours]
    kind = type(thing).__name__ if not isinstance(thing, type) else thing.__name__
    return _lacks(kind, name, getattr(thing, "_fields", fields))


def _lacks(kind: str, name: str, known: Iterable[str]) -> Message:
    told = {"kind": kind, "name": name, "nearest": nearest(name, known)}
    shown = [one for one in known if not one.startswith("_")]
    if not 0 < len(shown) <= MOST_NAMES:
        return Message("{kind} has no {name!r}{nearest}", **told)
    return Message("{kind} has no {name!r}{nearest} (it has {known})", **told, known=", ".join(shown))


# ------------------------------------------------------------------------------------------ reasons


def _reason(text: str, function: Any, error: Exception) -> tuple[Message, bool]:
    """What is wrong in the user's words, and whether it is a mistake in plain Python too."""
    if isinstance(error, AttributeError) and error.obj is not None and error.name is not None:
        return no_attribute(error.obj, error.name), True
    for pattern, tell in _REASONS:
        found = re.search(pattern, text, re.DOTALL)
        if found:
            return tell(found, function)
    return _ANY_LINE, False


_ANY_LINE = Message("something in this line cannot be compiled: use numbers, lists, tuples and loops")
Told = tuple[Message, bool]
Teller = Callable[["re.Match[str]", Any], Told]


def _saying(message: Message, is_mistake: bool = False) -> Teller:
    return lambda found, function: (message, is_mistake)


def _naming(tell: Callable[[str], Message]) -> Teller:
    return lambda found, function: (tell(found[1]), False)


def _global_of_class(found: "re.Match[str]", function: Any) -> Told:
    name, cls = found[1], found[2].rpartition(".")[2]
    if cls == "type":
        return Message("{name} is a class, and compiled code does not know classes of your own", name=name), False
    if cls == "list":
        return Message("{name} is a list whose elements are of different kinds", name=name), False
    if cls == "dict":
        return Message("{name} is a dictionary whose values are not numbers, texts or lists", name=name), False
    return Message(
        "{name} is an object of the class {cls}, which compiled code does not know", name=name, cls=cls
    ), False


_CLASSES: dict[str, type] = {}


def describe(kind: str, cls: type) -> None:
    """Compiled values whose type has this name have the attributes that this class has in plain Python."""
    _CLASSES[kind] = cls


def _attribute(found: "re.Match[str]", function: Any) -> Told:
    name, kind = found[1], found[2]
    known = _CLASSES.get(kind.partition("(")[0])
    if known is not None and not hasattr(known, name):
        return no_attribute(known, name), True
    module = re.match(r"Module\(<module '([\w.]+)'", kind)
    if module:
        return Message("{module}.{name} cannot be compiled", module=module[1], name=name), False
    state = re.match(r"(\w+)\([\w ,]+\)", kind)
    if state and state[1] not in ("Tuple", "UniTuple", "array", "list", "set"):
        classes = [cls for cls in function.__globals__.values() if isinstance(cls, StateMeta)]
        fields = next((cls._fields for cls in classes if cls.__name__ == state[1]), ())  # type: ignore[attr-defined]
        return _lacks(state[1], name, fields), True
    if name in ("append", "extend", "insert", "pop", "remove", "clear", "add", "update", "setdefault"):
        return Message(
            "compiled code cannot change a list or dictionary at the top of the file, as .{name} does", name=name
        ), False
    return Message("{kind} has no .{name} in compiled code", kind=kind_of(kind), name=name), False


def _unlike(found: "re.Match[str]", function: Any) -> Told:
    return Message(
        "{name} is sometimes {first} and sometimes {second}: use two names, or always the same kind of value",
        name=found[3],
        first=kind_of(found[1]),
        second=kind_of(found[2]),
    ), False


def _arguments(found: "re.Match[str]", function: Any) -> Told:
    called = re.search(r"CPUDispatcher\(<function (\w+)", found.string)
    name = called[1] if called else function.__name__
    missing = re.search(r"missing a required argument: '(\w+)'", found[1])
    unexpected = re.search(r"unexpected keyword argument '(\w+)'", found[1])
    if missing:
        return Message("{name}() also needs the argument {argument}", name=name, argument=missing[1]), True
    if unexpected:
        return Message("{name}() has no argument {argument}", name=name, argument=unexpected[1]), True
    return Message("{name}() is called with too many arguments", name=name), True


def _operation(found: "re.Match[str]", function: Any) -> Told:
    name, kinds = found[1].rpartition(".")[2], kinds_of(found[2] or "")
    if name == "getitem" and kinds:
        return Message("{kind} cannot be indexed with [...] like this", kind=kinds[0]), False
    if name == "setitem" and kinds:
        return Message("compiled code cannot store {value} in {kind} here", kind=kinds[0], value=kinds[-1]), False
    sign = OPERATORS.get(name)
    if sign and len(kinds) == 2:
        return Message(
            "compiled code has no {sign} between {first} and {second}", sign=sign, first=kinds[0], second=kinds[1]
        ), False
    if sign and len(kinds) == 1:
        return Message("compiled code has no {sign} of {kind}", sign=sign, kind=kinds[0]), False
    if len(kinds) == 1:
        return Message("{name}() of {kind} cannot be compiled", name=name, kind=kinds[0]), False
    return Message("{name}() cannot be compiled with these values", name=name), False


def _returned(found: "re.Match[str]", function: Any) -> Told:
    if "OptionalType" in found[1] or found[1].startswith("none"):
        return Message(
            "it can end without a number: give every path a return, for example return 0 as the last line"
        ), True
    return Message("it must return a number, not {kind}", kind=kind_of(found[1])), True


def _loop(found: "re.Match[str]", function: Any) -> Told:
    kind = kind_of(found[1])
    if re.match(r"Literal\[int\]|u?int", found[1]):
        return Message("{kind} cannot be looped over: write range(...) around it", kind=kind), False
    return Message("compiled code cannot loop over {kind}", kind=kind), False


_REASONS: list[tuple[str, Teller]] = [  # a pattern of what Numba says, and what it means
    (
        r"f-strings|FORMAT|BUILD_STRING",
        _saying(Message("compiled code cannot write numbers into texts, as in f'...'")),
    ),
    (
        r"unsupported opcode \(IMPORT_\w+\)",
        _saying(Message("compiled code cannot import: put the import at the top of the file")),
    ),
    (
        r"unsupported opcode \((?:STORE|DELETE)_GLOBAL\)",
        _saying(Message("compiled code cannot change a global variable")),
    ),
    (
        r"unsupported opcode \(UNPACK_EX\)",
        _saying(Message("compiled code cannot unpack with a star, as in a, *b = ...")),
    ),
    (
        r"'with \(context manager\)|SETUP_WITH|BEFORE_WITH",
        _saying(Message("compiled code does not know with")),
    ),
    (
        r"CALL_FUNCTION_EX|star-args|\*args",
        _saying(Message("compiled code cannot pass arguments with a star")),
    ),
    (
        r"yield",
        _saying(Message("compiled code cannot use a generator here: write a loop")),
    ),
    (
        r"Exception matching is limited",
        _saying(
            Message(
                "compiled code cannot catch one kind of error: test for the case with if, or write except Exception"
            )
        ),
    ),
    (
        r"unsupported opcode",
        _saying(_ANY_LINE),
    ),
    (
        r"Use of unsupported NumPy function '([\w.]+)'",
        _naming(lambda name: Message("{name} cannot be compiled", name=name)),
    ),
    (
        r"Untyped global name '(\w+)'.*?<class '([\w.]+)'>",
        _global_of_class,
    ),
    (
        r"type, assigned to variable '(\w+)' in globals",
        _naming(lambda name: Message("{name} is a value that compiled code does not know", name=name)),
    ),
    (
        r"Cannot bind .*? due to \"TypeError: ([^\"]+)\"",
        _arguments,
    ),
    (
        r"a dictionary of different kinds",
        _saying(Message("the keys or the values of the dictionary are of different kinds")),
    ),
    (
        r"Unknown attribute '(\w+)' of type (.+?)\n",
        _attribute,
    ),
    (
        r"Cannot unify (.+?) and (.+?) for '(\w+?)(?:\.\d+)*'",
        _unlike,
    ),
    (
        r"Variable '(\w+)' (?:referenced before assignment|is not defined)",
        _naming(lambda name: Message("{name} may be used before it has a value", name=name)),
    ),
    (
        r"it must return a number, not (.+)",
        _returned,
    ),
    (
        r"runaway recursion",
        _saying(Message("the function calls itself, and no path returns a value without doing so")),
    ),
    (
        r"Invalid use of getiter with parameters \((.+?)\)\n",
        _loop,
    ),
    (
        r"No type info available for (.+?) as a callable",
        _naming(lambda kind: Message("{kind} cannot be called like a function", kind=kind_of(kind))),
    ),
    (
        r"imprecise type|untyped list|Cannot infer the type of variable",
        _saying(Message("what kind of values a list in this line holds cannot be told")),
    ),
    (
        r"No implementation of function Function\(<?(?:built-in function |function |class '|intrinsic |ufunc ')?"
        r"([\w.]+).*?>>> \w+\((.*?)\)\s*\n",
        _operation,
    ),
]


# ------------------------------------------------------------------------------------------ the line


def loading_failure(error: Exception, path: Path) -> str:
    """Two lines about an error in a file that was loaded: the line with its source, and what is wrong there."""
    file, line = str(path), 1
    for frame in traceback.extract_tb(error.__traceback__):
        if Path(frame.filename).is_relative_to(path.parent):
            file, line = frame.filename, frame.lineno or 1
    if isinstance(error, ZermeloError):  # our decorator was called for the function below it
        is_told = re.match(r"\S.*\.py:\d+: ", str(error))
        return str(error) if is_told else f"{place_text(file, line, path.stem)}\n    {error}"
    linecache.checkcache(file)
    source, reason = linecache.getline(file, line), str(error)
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        file, line, source, reason = error.filename, error.lineno, error.text or "", error.msg
    return f"{file}:{line}: {source.strip()}\n    {type(error).__name__}: {reason}"


def failing_place(function: Any, functions: list[Any], error: Exception) -> tuple[Any, int]:
    """The innermost function of the user that an error of Numba is about, and the line of its file."""
    told = re.findall(r'(?:File "|Raised from |typing of [\w -]+ at )([^"\n(]+?)"?(?:, line | \()(\d+)', str(error))
    for file, number in told:
        for one in functions:
            if _last_part(one.__code__.co_filename) == _last_part(file) and int(number) in _lines(one):
                return one, int(number)
    known = error_line(error, function.__code__.co_filename)
    if known:
        return function, known
    if isinstance(error, AttributeError):  # raised by Python, which does not know the line that Numba was reading
        wanted = rf"\b{re.escape(error.name or '')}\b"
        for one in functions:
            for number, line in enumerate(_source(one), one.__code__.co_firstlineno):
                if re.search(wanted, line):
                    return one, number
    return function, int(function.__code__.co_firstlineno)


def _source(function: Any) -> list[str]:
    try:
        return inspect.getsource(function).splitlines()
    except (OSError, TypeError):  # the function was typed into a terminal
        return []


def _lines(function: Any) -> range:
    """The lines of a function, from its decorator to its end."""
    code, lines = function.__code__, [0]
    waiting = [code]
    while waiting:
        one = waiting.pop()
        lines += [line for _, _, line in one.co_lines() if line]
        waiting += [part for part in one.co_consts if isinstance(part, python_types.CodeType)]
    return range(code.co_firstlineno, max(lines) + 1)


def _last_part(path: str) -> str:
    """The name of a file without its folder, since Numba gives an absolute path, a relative one or none."""
    return path.replace("\\", "/").rsplit("/", 1)[-1]
