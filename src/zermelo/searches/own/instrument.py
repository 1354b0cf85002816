"""Adding to a user's search the two calls by which the lab watches it: on arrival at a node, and on leaving it.

Only functions that search are changed: the entry, and those that call themselves, directly or through one another. So
a helper that orders moves or evaluates a position is left alone. The code keeps its line numbers.
"""

import ast
import copy
import types as python_types
from collections.abc import Callable, Iterator
from typing import Any

from zermelo.core.digest import named_values
from zermelo.core.preparing import users_function
from zermelo.core.syntax import syntax_of

ENTER, LEAVE, NODE = "__zermelo_enter", "__zermelo_leave", "__zermelo_node"


def searching_functions(entry: Any) -> set[Any]:
    """The code objects of the functions to watch: the entry, and all that can come back to themselves."""
    calls: dict[Any, set[Any]] = {}
    waiting = [entry]
    while waiting:
        function = waiting.pop()
        if function.__code__ in calls:
            continue
        called = [inner for _, value in named_values(function) if (inner := users_function(value)) is not None]
        calls[function.__code__] = {one.__code__ for one in called}
        waiting += called
    return {entry.__code__, *(code for code in calls if code in _reached(calls, code))}


def _reached(calls: dict[Any, set[Any]], start: Any) -> set[Any]:
    """What a function calls, directly or not."""
    reached: set[Any] = set()
    waiting = list(calls[start])
    while waiting:
        code = waiting.pop()
        if code not in reached:
            reached.add(code)
            waiting += calls.get(code, ())
    return reached


def watching(entry: Any) -> Callable[[Any, ast.FunctionDef], bool]:
    """What adds the two calls to the syntax trees of a search's functions, and says whether it did."""
    codes = searching_functions(entry)

    def add(function: Any, tree: ast.FunctionDef) -> bool:
        return function.__code__ in codes and watched(tree) is not None

    return add


def watched(tree: ast.FunctionDef) -> ast.FunctionDef | None:
    """The syntax tree of a function with the two calls; the tree that is given is changed. None if it takes no node."""
    if not tree.args.args or any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in _own_parts(tree)):
        return None
    names = {argument.arg for argument in (*tree.args.args, *tree.args.kwonlyargs)}
    first = tree.args.args[0].arg
    window = [
        _name("depth") if "depth" in names else ast.Constant(-1),
        _name("alpha") if "alpha" in names else ast.UnaryOp(ast.USub(), ast.Constant(float("inf"))),
        _name("beta") if "beta" in names else ast.Constant(float("inf")),
    ]
    arrival: list[ast.stmt] = [
        ast.Assign([ast.Name(NODE, ast.Store())], _name(first)),
        ast.Expr(ast.Call(_name(ENTER), [_name(first), *window], [])),
    ]
    start = 1 if ast.get_docstring(tree, clean=False) is not None else 0
    place = tree.body[start] if start < len(tree.body) else tree.body[0]
    for statement in arrival:
        for part in ast.walk(statement):
            ast.copy_location(part, place)
    tree.body = [*tree.body[:start], *arrival, *(_Returns(tree.name).visit(part) for part in tree.body[start:])]
    return tree


class _Returns(ast.NodeTransformer):
    """Lets every return of a function call LEAVE; a function inside it that calls itself is watched too."""

    def __init__(self, name: str):
        self.name = name

    def visit_Return(self, returned: ast.Return) -> ast.Return:
        if returned.value is not None:
            call = ast.Call(_name(LEAVE), [_name(NODE), returned.value], [])
            returned.value = ast.copy_location(call, returned.value)
            for part in (call.func, call.args[0]):
                ast.copy_location(part, call)
        return returned

    def visit_FunctionDef(self, inner: ast.FunctionDef) -> ast.FunctionDef:
        calls_itself = any(isinstance(part, ast.Name) and part.id == inner.name for part in ast.walk(inner))
        if calls_itself:
            watched(inner)
        return inner

    def visit_Lambda(self, inner: ast.Lambda) -> ast.Lambda:
        return inner


def _own_parts(tree: ast.FunctionDef) -> Iterator[ast.AST]:
    """The parts of a function's syntax tree, without those of functions inside it."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        part = waiting.pop()
        yield part
        if not isinstance(part, (ast.FunctionDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(part)


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def plain_copy(entry: Any, **names: Any) -> Any:
    """A copy of a search, with all its functions and the two calls, that runs as plain Python.

    names: what the added calls mean. A function whose source is not known is left as it is.
    """
    add = watching(entry)
    copies: dict[Any, Any] = {}

    def copied(function: Any) -> Any:
        if function.__code__ in copies:
            return copies[function.__code__]
        tree, code, closure = copy.deepcopy(syntax_of(function)), function.__code__, function.__closure__
        scope = dict(function.__globals__) | names
        if tree is not None and closure is None and add(function, tree):
            tree.decorator_list, tree.returns = [], None
            module = ast.fix_missing_locations(ast.Module([tree], []))
            whole = compile(module, code.co_filename, "exec", dont_inherit=True)
            code = next(part for part in whole.co_consts if isinstance(part, python_types.CodeType))
        made = python_types.FunctionType(code, scope, function.__name__, function.__defaults__, closure)
        made.__kwdefaults__ = function.__kwdefaults__
        copies[function.__code__] = made
        for name, value in named_values(function):
            inner = users_function(value)
            if inner is not None and scope.get(name) is value:
                scope[name] = copied(inner)
        return made

    return copied(entry)
