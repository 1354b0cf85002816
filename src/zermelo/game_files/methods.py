"""The methods of a class of rules, rewritten as functions that Numba can compile.

Numba knows nothing of `self`. A rule keeps nothing in it (the board is all that a position is), so `self.rows` is a
constant and `self.helper(board)` is a call of another function. The syntax tree of each method is changed to say that:
`self` goes, and each `self.name` becomes a global name. Lines keep their numbers, so errors still name the right one.
"""

import ast
import copy
import inspect
import types as python_types
from typing import Any

from zermelo.core.preparing import prepared
from zermelo.core.syntax import keep_syntax, syntax_of
from zermelo.core.worlds import source_of
from zermelo.errors import GameError
from zermelo.language import gettext

MARK = "self."
"""Begins the global names of what a class holds. No name in a file can begin so."""


def place(code: python_types.CodeType, line: int | None = None) -> str:
    """A line of a function as the first line of an error message: file, number and source."""
    number = line or code.co_firstlineno
    lines = (source_of(code.co_filename) or "").splitlines()
    source = lines[number - 1].strip() if 0 < number <= len(lines) else ""
    return f"{code.co_filename}:{number}: {source}".rstrip(": ")


class _WithoutSelf(ast.NodeTransformer):
    def __init__(self, own: str, known: set[str], code: python_types.CodeType):
        self.own, self.known, self.code = own, known, code

    def _fail(self, node: Any, reason: str) -> GameError:
        return GameError(f"{place(self.code, node.lineno)}\n    {reason}")

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if not (isinstance(node.value, ast.Name) and node.value.id == self.own):
            return self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            told = gettext("rules cannot keep anything in {own}: declare a field of the board, {name}: int = 0")
            raise self._fail(node, told.format(own=self.own, name=node.attr))
        if node.attr not in self.known:
            raise self._fail(node, gettext("the class has no {name!r}").format(name=node.attr))
        return ast.copy_location(ast.Name(MARK + node.attr, node.ctx), node)

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id == self.own:
            raise self._fail(node, gettext("{own} can only be used as {own}.name here").format(own=self.own))
        return node


def members(cls: type) -> dict[str, Any]:
    """What a class and the classes that it is based on define, by name; without what Python adds."""
    found: dict[str, Any] = {}
    for part in reversed(cls.__mro__[:-1]):
        found |= {name: value for name, value in vars(part).items() if not name.startswith("__")}
    return found


def _function_of(member: Any) -> Any:
    function = member.__func__ if isinstance(member, (staticmethod, classmethod)) else member
    return function if isinstance(function, python_types.FunctionType) else None


def is_method(member: Any) -> bool:
    """Is what a class defines a method?"""
    return _function_of(member) is not None


def functions_of(cls: type, constants: dict[str, Any]) -> dict[str, Any]:
    """The methods of a class as njit functions without `self`. constants: what else `self.name` can be."""
    own = members(cls)
    found = {name: _function_of(member) for name, member in own.items() if is_method(member)}
    made: dict[str, Any] = {}
    scopes: dict[int, dict[str, Any]] = {}
    for name, function in found.items():
        scope = scopes.setdefault(id(function.__globals__), dict(function.__globals__))
        made[name] = _plain(function, {*found, *constants}, scope, isinstance(own[name], staticmethod))
        made[name].__qualname__ = f"{cls.__qualname__}.{name}"
    for scope in scopes.values():
        scope |= {MARK + name: value for name, value in {**constants, **made}.items()}
    return {name: prepared(function) for name, function in made.items()}


def _plain(function: Any, known: set[str], scope: dict[str, Any], is_static: bool) -> Any:
    """A method as a function without `self`, which reads its global names from this scope."""
    code = function.__code__
    tree: Any = copy.deepcopy(syntax_of(function))
    if tree is None or code.co_freevars:
        raise GameError(f"{place(code)}\n    " + gettext("a class of rules stands by itself in a file"))
    tree.decorator_list, tree.returns = [], None
    for argument in [*tree.args.posonlyargs, *tree.args.args]:
        argument.annotation = None
    if not is_static:
        parameters = list(inspect.signature(function).parameters)
        if not parameters:
            told = gettext("the first parameter of a method is self: def {name}(self, ...)")
            raise GameError(f"{place(code)}\n    " + told.format(name=function.__name__))
        (tree.args.posonlyargs or tree.args.args).pop(0)
        changer = _WithoutSelf(parameters[0], known, code)
        tree.body = [changer.visit(statement) for statement in tree.body]
    space: dict[str, Any] = {}
    whole = ast.fix_missing_locations(ast.Module([tree], []))
    exec(compile(whole, code.co_filename, "exec", dont_inherit=True), scope, space)
    made = space[function.__name__]
    keep_syntax(made, tree)
    return made
