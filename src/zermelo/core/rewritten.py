"""The new code of a user's function: checked for variables without a value, rewritten, and compiled to byte-code."""

import ast
import copy
import inspect
import types as python_types
from collections.abc import Callable
from typing import Any

from zermelo.core.assignment import checked
from zermelo.core.rewriting import Rewriter
from zermelo.core.syntax import syntax_of

Before = Callable[[Any, ast.FunctionDef], bool]
"""Changes the syntax tree of a function before it is rewritten, and says whether it did."""


def rewritten(
    function: Any, value_of: Callable[[str], Any], before: Before | None = None
) -> dict[str, python_types.CodeType] | None:
    """The code of a function in a form that Numba knows, and that of new functions which it calls, by their names.

    The function's own code is under its own name. None if nothing need be rewritten or the source is not known.
    before: what to do to the function's syntax tree first, if anything.
    """
    tree = syntax_of(function)
    if tree is None:
        return None
    code = function.__code__
    tree = copy.deepcopy(tree)
    changed = before is not None and before(function, tree)
    own = set(code.co_varnames) | set(code.co_cellvars)
    rewriter = Rewriter(code.co_name, own, value_of)
    body = checked(tree.body, own, set(inspect.signature(function).parameters))
    rewriter.changed = changed or body is not tree.body
    tree.body = rewriter._body(body)
    if not rewriter.changed:
        return None
    tree.decorator_list, tree.returns = [], None
    for argument in ast.walk(tree.args):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    module = ast.fix_missing_locations(ast.Module([*rewriter.lifted, tree], []))
    whole = compile(module, code.co_filename, "exec", dont_inherit=True)
    return {part.co_name: part for part in whole.co_consts if isinstance(part, python_types.CodeType)}
