"""Python that draws boards and writes moves, as JavaScript: a game's functions and all that they reach, and no more.

A game describes its pictures and its notation once, in Python. A page without a server has no Python, so these
functions are translated, together with the functions, classes and constants that they use, as they are in memory now.
What a page does itself (the rules, which are compiled; words in another language) is put in the place of ours.
"""

import ast
import builtins
import dataclasses
import functools
import importlib
import inspect
import re
import sys
import types
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

import numpy as np

from zermelo.core.generic import Generic
from zermelo.core.state import StateMeta
from zermelo.drawing.svg import Element
from zermelo.publish.expressions import Untranslatable, literal
from zermelo.publish.javascript import Writer
from zermelo.publish.live import (
    IGNORED_BASES,
    defaults_of,
    flags_text,
    found_in,
    is_filled,
    is_method,
    is_ours,
    javascript_pattern,
    tree_of,
)
from zermelo.publish.replacements import replacements

SIMPLE = (bool, int, float, str, type(None))
FOREIGN = frozenset(sys.stdlib_module_names) | {"numpy", "numba", "llvmlite"}
NAME = re.compile(r"\b\w+\$\d+")


class Program:
    """What is translated: functions by name, classes with the methods that are used, and constants."""

    def __init__(self, state_class: type, names: Iterable[str] = ()):
        self.state_class = state_class
        self.replacements = replacements()
        self.functions: dict[str, str] = {}
        self.failures: dict[str, str] = {}
        self.constants: list[str] = []
        self.texts: set[str] = set()
        self.used: set[str] = set(names)
        self._names: dict[int, str] = {}
        self._kept: list[Any] = []  # so that no id is used twice
        self._classes: dict[str, type] = {}
        self._written: set[tuple[str, str]] = set()  # the attributes of classes and objects that are written
        self._objects: dict[str, Any] = {}
        self._waiting: list[tuple[str, Any, type | None]] = []
        self._methods: dict[str, str] = {}  # all methods of a name
        self._made: set[str] = set()  # classes whose objects the program makes itself
        self._later: list[str] = []  # methods and attributes, after the constants

    # -------------------------------------------------------------------------------- the whole

    def text(self, exports: Mapping[str, Any], needed: Iterable[str] = ()) -> str:
        """The program. exports: the values that it offers, by name; needed: methods that must not fail."""
        offered = {name: self.value(value) for name, value in exports.items()}
        while self._finish_functions() or self._finish_classes() or self._finish_objects():
            pass
        for value in (*offered.values(), *(self._methods.get(name, "") for name in needed)):
            self._check(value)
        parts = [*self.functions.values(), *self.constants, *self._later]
        ends = [f"{name}: {value}" for name, value in offered.items()]
        return "\n".join([*parts, f"return {{{', '.join(ends)}}};"])

    def _finish_functions(self) -> bool:
        some = bool(self._waiting)
        while self._waiting:
            name, function, owner = self._waiting.pop()
            try:
                self.functions[name] = self._function_text(name, function, owner)
            except Untranslatable as error:
                self.failures[name] = str(error)
                self.functions[name] = f"const {name} = $.missing({literal(str(error))});"
        return some

    def _check(self, start: str) -> None:
        """Untranslatable if something that failed is reached from this expression by name."""
        waiting, seen = re.findall(NAME, start), set()
        while waiting:
            name = waiting.pop()
            if name in self.failures:
                raise Untranslatable(self.failures[name])
            if name not in seen:
                seen.add(name)
                waiting += re.findall(NAME, self.functions.get(name, ""))

    def _finish_classes(self) -> bool:
        some = False
        for js, cls in list(self._classes.items()):
            methods: list[str] = []
            getters: list[str] = []
            for name in sorted(self.used):
                if (js, name) in self._written or (name == "__init__" and (js not in self._made or is_filled(cls))):
                    continue
                owner, found = found_in(cls, name)
                if owner is None:
                    continue
                self._written.add((js, name))
                written = self._method(owner, found)
                if written is None:
                    continue
                some = True
                self._methods[name] = self._methods.get(name, "") + written
                (getters if isinstance(found, (property, functools.cached_property)) else methods).append(
                    f"{name}: {written}"
                )
            if methods or getters:
                self._later.append(f"$.methods({js}, {{{', '.join(methods)}}}, {{{', '.join(getters)}}});")
        return some

    def _finish_objects(self) -> bool:
        some = False
        for js, thing in list(self._objects.items()):
            for name in sorted(self.used):
                if (js, name) in self._written:
                    continue
                self._written.add((js, name))
                found = vars(thing).get(name, thing) if hasattr(thing, "__dict__") else thing
                if found is thing:
                    owner, found = found_in(type(thing), name)
                    if owner is None or isinstance(found, (property, functools.cached_property)) or is_method(found):
                        continue
                try:
                    self._later.append(f"{js}.{name} = {self.value(found)};")
                    some = True
                except Untranslatable:
                    continue  # if it is needed after all, the page says which attribute is missing
        return some

    def _method(self, owner: type, found: Any) -> str | None:
        function = found
        if isinstance(found, property):
            function = found.fget
        elif isinstance(found, functools.cached_property):
            function = found.func
        elif isinstance(found, staticmethod):
            return f"((self, ...given) => {self.function(found.__func__)}(...given))"
        if not isinstance(function, types.FunctionType):
            return None
        try:
            return self.function(function, owner)
        except Untranslatable as error:  # found by its name only, and perhaps not meant
            return f"$.missing({literal(str(error))})"

    # -------------------------------------------------------------------------------- functions

    def function(self, function: Any, owner: type | None = None) -> str:
        """The name under which a function is translated."""
        known = self._names.get(id(function))
        if known is not None:
            return known
        plain = inspect.unwrap(getattr(function, "py_func", function))
        if not isinstance(plain, types.FunctionType):
            raise Untranslatable(f"{function!r} is not written in Python")
        if (plain.__module__ or "").partition(".")[0] in FOREIGN:
            raise Untranslatable(f"{plain.__module__}.{plain.__qualname__} has no counterpart in a page")
        name = self._name(function, plain.__name__)
        tree_of(plain)  # which says at once if there is no source
        self._waiting.append((name, plain, owner))
        return name

    def _function_text(self, name: str, function: types.FunctionType, owner: type | None) -> str:
        node = tree_of(function)
        scope = Scope(self, function, owner)
        usual = dict(zip(*defaults_of(function), strict=True))
        defaults = {key: self.value(value) for key, value in (usual | (function.__kwdefaults__ or {})).items()}
        self.texts |= {
            one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)
        }
        try:
            return Writer(scope).function(node, name, defaults)
        except Untranslatable as error:
            where = f"{function.__module__}.{function.__qualname__}"
            raise Untranslatable(f"{where}: {error}") from None

    def _name(self, thing: Any, hint: str) -> str:
        name = f"{re.sub('[^A-Za-z0-9_]', '', hint) or 'thing'}${len(self._names)}"
        self._names[id(thing)] = name
        self._kept.append(thing)
        return name

    # -------------------------------------------------------------------------------- values

    def value(self, value: Any) -> str:
        """The expression for a value that exists now."""
        replaced = self.replacements.get(id(value))
        if replaced is not None:
            return replaced
        if isinstance(value, str) and not hasattr(value, "attributes"):
            self.texts.add(str(value))
        if type(value) in SIMPLE:
            return literal(value)
        if isinstance(value, re.RegexFlag):
            return literal(flags_text(value))
        if isinstance(value, np.generic):
            return f"{int(value)}n" if isinstance(value, np.uint64) else literal(value.item())
        known = self._names.get(id(value))
        if known is not None:
            self._made.add(known)
            return known
        if isinstance(value, Generic):
            return self.value(value.implementation(self.state_class))
        if isinstance(value, type):
            name = self._class(value)
            self._made.add(name)
            return name
        if isinstance(value, types.MethodType):
            function, owner = self.function(value.__func__, type(value.__self__)), self.value(value.__self__)
            return f"((...given) => {function}({owner}, ...given))"
        if isinstance(value, functools.partial):
            return self._partial(value)
        if callable(value) and (hasattr(value, "py_func") or isinstance(inspect.unwrap(value), types.FunctionType)):
            return self.function(value)
        return self._constant(value)

    def _partial(self, value: Any) -> str:
        given = [self.value(one) for one in value.args]
        if value.keywords:
            raise Untranslatable("functools.partial with named arguments")
        return f"((...given) => {self.value(value.func)}({', '.join([*given, '...given'])}))"

    def _constant(self, value: Any) -> str:
        written = self._container(value)
        if written is None:
            return self._object(value)
        name = self._name(value, "constant")
        self.constants.append(f"const {name} = {written};")
        return name

    def _container(self, value: Any) -> str | None:
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, re.Pattern):
            return f"$.regex({literal(javascript_pattern(value.pattern))}, {literal(flags_text(value.flags))})"
        if isinstance(value, Element):
            parts = ", ".join(map(self.value, value.content))
            return f"$z.Element({literal(value.name)}, {self.value(dict(value.attributes))}, [{parts}])"
        if isinstance(value, tuple) and hasattr(type(value), "_fields"):
            return f"{self.value(type(value))}({', '.join(map(self.value, value))})"
        if isinstance(value, (tuple, list)):
            return f"[{', '.join(map(self.value, value))}]"
        if isinstance(value, (set, frozenset)):
            return f"$.set([{', '.join(map(self.value, sorted(value, key=repr)))}])"
        if isinstance(value, Mapping):
            return f"$.dict([{', '.join(f'[{self.value(k)}, {self.value(v)}]' for k, v in value.items())}])"
        if isinstance(value, range):
            return f"[{', '.join(map(str, value))}]"
        return None

    def _array(self, value: Any) -> str:
        if value.ndim > 1:
            return f"[{', '.join(self._array(row) for row in value)}]"
        return f"[{', '.join(self.value(one) for one in value)}]"

    def _object(self, value: Any) -> str:
        if isinstance(value, types.ModuleType) or not hasattr(type(value), "__module__"):
            raise Untranslatable(f"the value {value!r:.80}")
        cls = type(value)
        if cls.__module__ in ("builtins", "numba", "typing"):
            raise Untranslatable(f"a value of the type {cls.__name__}")
        name = self._name(value, cls.__name__)
        self.constants.append(f"const {name} = $.object({self._class(cls)});")
        self._objects[name] = value
        return name

    # -------------------------------------------------------------------------------- classes

    def _class(self, cls: type) -> str:
        known = self._names.get(id(cls))
        if known is not None:
            return known
        if issubclass(cls, BaseException):
            kinds = ", ".join(literal(one.__name__) for one in cls.__mro__ if one is not object)
            return f"((...given) => $.error([{kinds}], $z.gettext, given))"
        if issubclass(cls, Enum):
            raise Untranslatable(f"the enumeration {cls.__name__}")
        name = self._name(cls, cls.__name__)
        above = [self._class(base) for base in cls.__mro__[1:] if base not in IGNORED_BASES and is_ours(base)]
        kind, fields, usual = self._fields(cls)
        given = ", ".join(f"{field}: {value}" for field, value in usual.items())
        self.constants.append(
            f"const {name} = $.type_({literal(cls.__name__)}, {literal(kind)}, [{', '.join(map(literal, fields))}], "
            f"{{{given}}}, [{', '.join(above)}]);"
        )
        self._classes[name] = cls
        self.used |= {"__init__", "__str__", "__getitem__", "__len__", "__contains__", "__eq__"}
        return name

    def _fields(self, cls: type) -> tuple[str, list[str], dict[str, str]]:
        """The kind of a class, its fields, and functions that give their default values."""
        if hasattr(cls, "_fields"):
            usual = getattr(cls, "_field_defaults", {})
            if isinstance(cls, StateMeta):
                usual = {}  # states come from the rules
            return "tuple", list(cls._fields), {name: f"() => {self.value(value)}" for name, value in usual.items()}
        if dataclasses.is_dataclass(cls):
            usual = {}
            for field in dataclasses.fields(cls):
                if field.default is not dataclasses.MISSING:
                    usual[field.name] = f"() => {self.value(field.default)}"
                elif field.default_factory is not dataclasses.MISSING:
                    usual[field.name] = f"() => {self.value(field.default_factory)}()"
            return "data", [field.name for field in dataclasses.fields(cls)], usual
        return "plain", [], {}


class Scope:
    """The names that one function finds outside of itself."""

    def __init__(self, program: Program, function: types.FunctionType, owner: type | None):
        self.program, self.owner, self.function = program, owner, function
        closed = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        self.known = {name: cell.cell_contents for name, cell in closed if name != "__class__"}

    def find(self, name: str) -> Any:
        if name in self.known:
            return self.known[name]
        if name in self.function.__globals__:
            return self.function.__globals__[name]
        if hasattr(builtins, name):
            return getattr(builtins, name)
        raise Untranslatable(f"the name {name} is not known")

    def global_name(self, name: str) -> str:
        return self.program.value(self.find(name))

    def static_attribute(self, node: ast.Attribute) -> str | None:
        try:
            holder = self._static(node.value)
        except LookupError:
            return None
        if not isinstance(holder, (types.ModuleType, type)):
            return None
        if isinstance(holder, type) and id(holder) in self.program.replacements:
            return f"$.get({self.program.value(holder)}, {literal(node.attr)})"
        return self.program.value(getattr(holder, node.attr))

    def _static(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Name):
            return self.find(node.id)
        if isinstance(node, ast.Attribute):
            holder = self._static(node.value)
            if isinstance(holder, (types.ModuleType, type)):
                return getattr(holder, node.attr)
        raise LookupError

    def attribute(self, name: str) -> None:
        self.program.used.add(name)

    def next_method(self, name: str) -> str:
        assert self.owner is not None
        for cls in self.owner.__mro__[1:]:
            if name in vars(cls):
                return self.program.function(vars(cls)[name], cls)
        raise Untranslatable(f"super() has no {name}")

    def error_kinds(self, node: ast.expr) -> list[str]:
        parts = node.elts if isinstance(node, ast.Tuple) else [node]
        return [self._static(part).__name__ for part in parts]

    def imported(self, node: ast.Import | ast.ImportFrom) -> None:
        for one in node.names:
            if isinstance(node, ast.ImportFrom):
                if node.level or not node.module:
                    raise Untranslatable("a relative import within a function")
                found = getattr(importlib.import_module(node.module), one.name)
            else:
                found = importlib.import_module(one.name)
            self.known[one.asname or one.name] = found
