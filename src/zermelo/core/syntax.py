"""Syntax trees: that of a function, from its source as it was loaded, and the parts that rewriting.py adds to it."""

import ast
import linecache
import types as python_types
from typing import Any

from zermelo.core.worlds import source_as_loaded


def _text_of(function: Any) -> str:
    """The text of the file that a function comes from, as it was when it was loaded; empty if it is not known."""
    code = function.__code__
    loaded = source_as_loaded(function)
    if loaded is not None:
        return loaded
    text = "".join(linecache.getlines(code.co_filename, function.__globals__))
    try:
        is_same = code in _codes(compile(text, code.co_filename, "exec", dont_inherit=True))
    except (SyntaxError, ValueError):
        return ""
    return text if is_same else ""  # the file was edited since


def _codes(code: python_types.CodeType) -> list[python_types.CodeType]:
    inner = [part for part in code.co_consts if isinstance(part, python_types.CodeType)]
    return [code, *(deeper for part in inner for deeper in _codes(part))]


def keep_syntax(function: Any, tree: ast.FunctionDef) -> None:
    """Let syntax_of give this tree for a function that was made from it, and not from the text of a file."""
    function.__zermelo_syntax__ = tree


def syntax_of(function: Any) -> ast.FunctionDef | None:
    """The syntax tree of a function; None if its source is not known, or if it is not written with `def`."""
    kept = getattr(function, "__zermelo_syntax__", None)
    if isinstance(kept, ast.FunctionDef):
        return kept
    code, text = function.__code__, _text_of(function)
    try:
        tree = ast.parse(text, code.co_filename)
    except (SyntaxError, ValueError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if first == code.co_firstlineno:
                return node
    return None


# ------------------------------------------------------------------------------------------ making nodes


class Renaming(ast.NodeTransformer):
    def __init__(self, old: str, new: str):
        self.old, self.new = old, new

    def visit_Name(self, node: ast.Name) -> Any:
        return ast.copy_location(ast.Name(self.new, node.ctx), node) if node.id == self.old else node


def at(place: Any, node: Any) -> Any:
    return ast.copy_location(node, place)


def everywhere(place: Any, node: Any) -> Any:
    for part in ast.walk(node):
        if "lineno" in part._attributes:
            ast.copy_location(part, place)
    return node


def filled(text: str, place: Any, *values: Any) -> list[Any]:
    """Statements from a text, of which the first are assignments of these values."""
    statements = [everywhere(place, statement) for statement in ast.parse(text).body]
    for statement, value in zip(statements, values, strict=False):
        statement.value = value
    return statements


def load(name: str, place: Any) -> Any:
    return at(place, ast.Name(name, ast.Load()))


def assign(name: str, value: Any, place: Any) -> Any:
    return at(place, ast.Assign([at(place, ast.Name(name, ast.Store()))], at(place, value)))


def call(place: Any, name: str, arguments: list[Any]) -> Any:
    return at(place, ast.Call(load(name, place), arguments, []))


def loop_over(name: str, values: ast.expr) -> ast.comprehension:
    return ast.comprehension(at(values, ast.Name(name, ast.Store())), values, [], 0)


def names_stored(body: list[ast.stmt]) -> set[str]:
    return {
        part.id
        for statement in body
        for part in ast.walk(statement)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def names_bound_in(node: ast.FunctionDef) -> set[str]:
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return {argument.arg for argument in every} | names_stored(node.body)
