"""A digest of everything that compiled code is made from.

A file may have been edited since it was loaded, and then its text says nothing about the code that runs. So the digest
is taken of the objects in memory: of a function's byte-code and of everything that the function can reach by a name
(functions, constants, whole arrays, classes, modules in modules, defaults, closures, overloads). The versions of Numba,
NumPy, Python and this package are part of it. Objects that are named but not used count too. That may cost a needless
compilation, but it never gives a wrong result.
"""

import builtins
import enum
import functools
import hashlib
import os
import sys
import sysconfig
import threading
import types as python_types
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import types

from zermelo.core import numba_private
from zermelo.core.constants import Table
from zermelo.core.state import StateMeta

_CORE = Path(__file__).parent
_BOARDS = _CORE.parent / "boards"
_TAKEN_WHOLE = (_CORE, _BOARDS)
"""The folders whose files count for every compiled function. Overloads of operators and methods stand there. If they
were taken one by one, the digest of every function would depend on which of these modules happen to be imported."""
_PLAIN = (int, float, complex, str, bytes, type(None), type(Ellipsis), range, slice)
_INSIDE = (*numba_private.FUNCTION_ATTRIBUTES, "__wrapped__", "__func__", "fget", "_dispatcher")
"""The names under which objects that Numba, functools and this package make of a function keep that function."""


def _core_digest() -> bytes:
    """The digest of what every compiled function depends on: some versions, and the files of two folders."""
    versions = f"{numba.__version__} {np.__version__} {sys.version} {sys.modules['zermelo'].__version__}"
    digest = hashlib.sha256(versions.encode())
    for folder in _TAKEN_WHOLE:
        for file in sorted(folder.glob("*.py")):
            digest.update(file.read_bytes())
    return digest.digest()


_CORE_DIGEST = _core_digest()  # taken now, since the files may be edited before anything is compiled
_KNOWN_BY_VERSION = tuple(
    str(folder) + os.sep
    for folder in (Path(numba.__file__).parent, Path(np.__file__).parent, Path(sysconfig.get_path("stdlib")))
)


def state_classes(kind: Any) -> set[type]:
    """The classes of states and boards that a Numba type or signature mentions."""
    if isinstance(kind, (tuple, list)):
        return {cls for part in kind for cls in state_classes(part)}
    arguments = numba_private.argument_types(kind)
    if arguments is not None:
        return state_classes(arguments)
    named = getattr(kind, "classes", None)  # those of a board (see zermelo.boards)
    if isinstance(named, tuple):
        return set(named)
    cls = numba_private.tuple_class(kind)
    return set() if cls is None else {cls}


@functools.cache
def is_known_by_version(file: str) -> bool:
    """Is a file part of Numba, NumPy or Python itself? Then its contents follow from their versions."""
    for folder in _KNOWN_BY_VERSION:
        if file.startswith(folder):
            return "site-packages" not in file.removeprefix(folder)  # other packages may lie inside Python's folder
    return False


@functools.cache
def _is_core(file: str) -> bool:
    return Path(file).parent in _TAKEN_WHOLE


# ------------------------------------------------------------------------------------------ names in functions


@functools.lru_cache(maxsize=4096)
def names_in(code: python_types.CodeType) -> frozenset[str]:
    """Every global name and attribute that a function mentions, and those that the functions inside it mention."""
    inner = [names_in(constant) for constant in code.co_consts if isinstance(constant, python_types.CodeType)]
    return frozenset(code.co_names).union(*inner)


def named_values(function: Any) -> list[tuple[str, Any]]:
    """The values of the names in a function: globals, built-ins, closed-over names, attributes of modules.

    A chain such as `package.helpers.TABLE` is followed through all its modules.
    """
    names = sorted(names_in(function.__code__))
    scope = function.__globals__
    values = [(name, scope[name]) for name in names if name in scope]
    values += [(name, getattr(builtins, name)) for name in names if name not in scope and hasattr(builtins, name)]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            values.append((name, cell.cell_contents))
        except ValueError:  # it has no value yet
            values.append((name, None))
    waiting = [value for _, value in values]
    seen = set()
    while waiting:
        module = waiting.pop()
        if isinstance(module, python_types.ModuleType) and module.__name__ not in seen:
            seen.add(module.__name__)
            inside = [(f"{module.__name__}.{name}", vars(module)[name]) for name in names if name in vars(module)]
            values += inside
            waiting += [value for _, value in inside]
    return values


# ------------------------------------------------------------------------------------------ overloads


class _Overloads:
    """All that was registered with @overload and its relatives outside Numba, this folder and that of the boards."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.read = [0, 0]
        self.named: dict[int, list[Any]] = {}  # by the identity of the function that they stand for
        self.nameless: list[Any] = []  # of operators, attributes and methods, to which no name in a function leads

    def refresh(self) -> None:
        with self.lock:
            for kind, registered in enumerate(numba_private.registered_templates()):
                for template in registered[self.read[kind] :]:
                    self._add(template, is_function=kind == 0)
                self.read[kind] = len(registered)

    def _add(self, template: Any, is_function: bool) -> None:
        code = getattr(numba_private.overloading_function(template), "__code__", None)
        if code is None or is_known_by_version(code.co_filename) or _is_core(code.co_filename):
            return
        key = numba_private.overloaded(template)  # kept alive by the template, so no other object gets the same id
        if is_function and callable(key) and getattr(key, "__module__", "") not in ("_operator", "operator"):
            self.named.setdefault(id(key), []).append(template)
        else:
            self.nameless.append(template)


_overloads = _Overloads()


def has_overloads(function: Any) -> bool:
    """Does compiled code know this function through @overload or @register_jitable?"""
    _overloads.refresh()
    return id(function) in _overloads.named


def _world(function: Any) -> Any:
    """The world (see worlds.py) that a function was loaded in, if any."""
    return function.__globals__.get("__zermelo_world__")


# ------------------------------------------------------------------------------------------ the digest

_code_digests: dict[int, tuple[python_types.CodeType, bytes]] = {}  # by identity: comparing code takes longer


def _code_digest(code: python_types.CodeType) -> bytes:
    """A digest of a function's byte-code, and of its line numbers, which error messages contain."""
    known = _code_digests.get(id(code))
    if known is None:
        digest = hashlib.sha256(code.co_code)
        flags = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags, code.co_firstlineno)
        names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_name)
        digest.update(repr((flags, names)).encode("utf-8", "surrogatepass"))
        digest.update(code.co_linetable)
        known = _code_digests[id(code)] = code, digest.digest()
    return known[1]


def _file_of(thing: Any) -> str:
    """The file of the module that a class says it is from."""
    module = sys.modules.get(getattr(thing, "__module__", None) or "")
    return getattr(module, "__file__", None) or ""


def _by_name(classes: set[Any]) -> list[Any]:
    return sorted(classes, key=lambda cls: (cls.__module__, cls.__qualname__))


class _Digest:
    """Takes in values one after another. A value that it has met before is only referred to."""

    def __init__(self, classes: set[type], world: Any):
        self.digest = hashlib.sha256(_CORE_DIGEST)
        self.classes = _by_name(classes)  # of the states at hand, by which generic functions choose
        self.generics: list[Any] = []
        self.world = world
        self.seen: dict[int, tuple[int, Any]] = {}  # by id; the value is kept so that its id stays its own

    def text(self, *parts: Any) -> None:
        self.digest.update("\1".join(map(str, parts)).encode("utf-8", "surrogatepass") + b"\0")

    def value(self, value: Any) -> None:
        """Take in a value of any kind."""
        if isinstance(value, _PLAIN) and not isinstance(value, enum.Enum):
            self.text(type(value).__name__, repr(value))
        elif id(value) in self.seen:
            self.text("again", self.seen[id(value)][0])
        else:
            self.seen[id(value)] = len(self.seen), value
            self.text(type(value).__module__, type(value).__qualname__)
            self._content(value)
            for template in _overloads.named.get(id(value), ()):
                self.overload(template)

    def _content(self, value: Any) -> None:
        if isinstance(value, (np.ndarray, np.generic)):
            self._array(np.asarray(value))
        elif isinstance(value, (tuple, list)):
            self.text(len(value), getattr(value, "_fields", ""))
            for part in value:
                self.value(part)
        elif isinstance(value, Mapping):
            self.text(len(value))
            for key, part in value.items():
                self.value(key)
                self.value(part)
        elif isinstance(value, (set, frozenset)):
            self.text(*sorted(map(repr, value)))
        elif isinstance(value, Table):
            self.value(value.keys)
            self.value(value.values)
        elif isinstance(value, enum.Enum):
            self.text(value.name)
            self.value(value.value)
        elif isinstance(value, type):
            self._class(value)
        elif isinstance(value, python_types.ModuleType):
            self.text(value.__name__)
        elif isinstance(value, (types.Type, np.dtype)):
            self.text(repr(value))
            for cls in _by_name(state_classes(value)):
                self.value(cls)
        elif isinstance(value, python_types.CodeType):
            self._code(value)
        elif isinstance(value, python_types.FunctionType):
            self._function(value)
        else:
            self._made_of_functions(value)

    def _array(self, array: Any) -> None:
        self.text(repr(array.dtype), array.shape, array.flags.c_contiguous, array.flags.f_contiguous)
        if array.dtype.hasobject:
            for part in array.flat:
                self.value(part)
        else:
            self.digest.update(array.tobytes())

    def _class(self, cls: Any) -> None:
        self.text(cls.__module__, cls.__qualname__)
        if isinstance(cls, StateMeta):
            self.text(cls._fields, [repr(getattr(kind, "numba", kind)) for kind in cls.kinds])  # type: ignore[attr-defined]
            self.value(cls._field_defaults)  # type: ignore[attr-defined]
            self.text(getattr(cls, "layout", None))  # (see grids.py)
        elif issubclass(cls, enum.Enum):
            for name, member in cls.__members__.items():
                self.text(name)
                self.value(member.value)
        elif (parts := numba_private.jitclass_parts(cls)) is not None:
            for part in parts:
                self.value(part)
        elif cls.__module__ != "builtins" and not is_known_by_version(_file_of(cls)):
            for name, part in sorted(vars(cls).items()):
                if name not in ("__dict__", "__weakref__", "__module__"):
                    self.text(name)
                    self.value(part)

    def _code(self, code: python_types.CodeType) -> None:
        self.digest.update(_code_digest(code))
        for constant in code.co_consts:
            self.value(constant)

    def _function(self, function: Any) -> None:
        file = function.__code__.co_filename
        self.text(function.__qualname__)
        if is_known_by_version(file):
            return
        self.value(function.__defaults__)
        self.value(function.__kwdefaults__)
        if _is_core(file):  # already in the digest of its folder, except for what its closures hold
            for cell in function.__closure__ or ():
                self.value(cell.cell_contents)
            return
        self._code(function.__code__)
        for name, value in named_values(function):
            self.text(name)
            self.value(value)
            if isinstance(value, StateMeta) and value not in self.classes:
                self.classes.append(value)  # a function may make states of classes that are not among its arguments

    def _made_of_functions(self, value: Any) -> None:
        """Take in a dispatcher, generic, intrinsic, heuristic or the like. Of any other object only the type counts."""
        if isinstance(getattr(type(value), "implementation", None), python_types.FunctionType):
            self.generics.append(value)
            return
        if isinstance(getattr(type(value), "digested", None), python_types.FunctionType):
            self.value(value.digested())
            return
        if isinstance(value, (np.ufunc, python_types.BuiltinFunctionType)):
            self.text(value.__name__)
            return
        held = getattr(value, "__dict__", {})
        self.text(sorted(numba_private.options_of(value).items()) if "targetoptions" in held else [])
        for name in _INSIDE:
            if name in held or hasattr(type(value), name):
                self.text(name)
                self.value(getattr(value, name, None))

    def overload(self, template: Any) -> None:
        attribute, inlined, options = numba_private.overload_options(template)
        self.text("overload", attribute, inlined)
        self.value(options)
        self.value(numba_private.overloading_function(template))

    def implementations(self) -> None:
        """Take in what each generic function does for each class met so far, until that leads to no more of either."""
        chosen: set[tuple[int, Any]] = set()
        met = -1
        while met != len(chosen):
            met = len(chosen)
            for generic in list(self.generics):
                for cls in list(self.classes) or [None]:
                    if (id(generic), cls) not in chosen:
                        chosen.add((id(generic), cls))
                        self.text(generic.__name__, cls)
                        self.value(generic.implementations.get(cls, generic.default))

    def nameless_overloads(self) -> None:
        """Take in the overloads of operators and methods. Those from other users' files do not count."""
        for template in _overloads.nameless:
            if _world(numba_private.overloading_function(template)) in (None, self.world):
                self.overload(template)


def digest_of(function: Any, signature: Any) -> str:
    """A digest of everything that compiling this function for these types reads."""
    _overloads.refresh()
    made = _Digest(state_classes(signature), _world(function))
    for cls in list(made.classes):
        made.value(cls)
    made.value(function)
    made.nameless_overloads()
    made.implementations()
    return made.digest.hexdigest()
