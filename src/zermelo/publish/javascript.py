"""One Python function as JavaScript. What its operators and built-in functions mean is in static/python.js.

The subset is that of code which draws boards and writes moves: expressions, loops, comprehensions, generators, nested
functions, exceptions. What is outside of it is an Untranslatable error, which names the line.
"""

import ast
import json
from collections.abc import Iterator
from typing import Any

from zermelo.publish.expressions import OPERATORS, Expressions, Names, local, targets_in

Functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
Comprehensions = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _within(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function's own body, not those of functions and classes in it."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, (*Functions, ast.ClassDef)):
            yield from _within(child)


def _local_names(body: list[ast.stmt]) -> set[str]:
    """The names that a function's body binds. Those of comprehensions are their own."""
    found: set[str] = set()
    outside: set[str] = set()

    def look(node: ast.AST) -> None:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Nonlocal):
            outside.update(node.names)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        if isinstance(node, (*Functions, ast.ClassDef)):
            return
        if isinstance(node, Comprehensions):  # only what `:=` binds in it belongs to the function
            for part in ast.walk(node):
                if isinstance(part, ast.NamedExpr):
                    found.update(targets_in(part.target))
            return
        for child in ast.iter_child_nodes(node):
            look(child)

    for statement in body:
        look(statement)
    return found - outside


class Writer(Expressions):
    """Writes one function, and those nested in it."""

    def __init__(self, names: Names):
        super().__init__(names)
        self.temporary = 0

    # -------------------------------------------------------------------------------- functions

    def function(self, node: ast.FunctionDef | ast.Lambda, name: str, defaults: dict[str, str] | None = None) -> str:
        """The function; defaults: the expressions of its default values, if they are known already."""
        given = node.args
        names = [one.arg for one in (*given.posonlyargs, *given.args)]
        only = [one.arg for one in given.kwonlyargs]
        usual = self._defaults(node) if defaults is None else defaults
        body: list[ast.stmt] = [ast.Return(node.body)] if isinstance(node, ast.Lambda) else node.body
        rest = [[one.arg] if one else [] for one in (given.vararg, given.kwarg)]
        bound = [*names, *rest[0], *only, *rest[1]]
        inner = _local_names(body) - set(bound)
        self.scopes.append({*bound, *inner})
        own = (part for one in body if not isinstance(one, Functions) for part in _within(one))
        is_generator = any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in own)
        lines = []
        if bound:
            told = f"{json.dumps(names)}, {'true' if given.vararg else 'false'}, {json.dumps(only)}, "
            told += f"{'true' if given.kwarg else 'false'}, {{{', '.join(f'{k}: {v}' for k, v in usual.items())}}}"
            lines.append(f"let [{', '.join(map(local, bound))}] = $.bind($a, {told}, {json.dumps(name)});")
        if inner:
            lines.append(f"let {', '.join(f'{local(one)} = null' for one in sorted(inner))};")
        lines += [self.statement(one) for one in body]
        if not is_generator:
            lines.append("return null;")
        self.scopes.pop()
        star = "*" if is_generator else ""
        return f"function{star} {name}(...$a) {{\n" + "\n".join(line for line in lines if line) + "\n}"

    def _defaults(self, node: ast.FunctionDef | ast.Lambda) -> dict[str, str]:
        given = node.args
        ordered = [one.arg for one in (*given.posonlyargs, *given.args)]
        pairs = list(zip(ordered[len(ordered) - len(given.defaults) :], given.defaults, strict=True))
        pairs += [(one.arg, value) for one, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value]
        return {name: self.expression(value) for name, value in pairs}

    # -------------------------------------------------------------------------------- statements

    def statement(self, node: ast.stmt) -> str:
        method = getattr(self, f"_do_{type(node).__name__.lower()}", None)
        if method is None:
            raise self.refused(node, f"a statement of the kind {type(node).__name__}")
        return str(method(node))

    def _block(self, body: list[ast.stmt]) -> str:
        return "{\n" + "\n".join(self.statement(one) for one in body) + "\n}"

    def _do_functiondef(self, node: ast.FunctionDef) -> str:
        if node.decorator_list:
            raise self.refused(node, "a decorator on a nested function")
        return f"{local(node.name)} = {self.function(node, local(node.name))};"

    def _do_return(self, node: ast.Return) -> str:
        return f"return {self.expression(node.value) if node.value else 'null'};"

    def _do_expr(self, node: ast.Expr) -> str:
        return "" if isinstance(node.value, ast.Constant) else f"{self.expression(node.value)};"

    def _do_pass(self, node: ast.Pass) -> str:
        return ""

    def _do_assert(self, node: ast.Assert) -> str:
        return ""

    def _do_nonlocal(self, node: ast.Nonlocal) -> str:
        return ""

    def _do_break(self, node: ast.Break) -> str:
        return "break;"

    def _do_continue(self, node: ast.Continue) -> str:
        return "continue;"

    def _do_import(self, node: ast.Import) -> str:
        self.names.imported(node)
        return ""

    _do_importfrom = _do_import

    def _do_assign(self, node: ast.Assign) -> str:
        value = self.expression(node.value)
        if len(node.targets) == 1:
            return self._store(node.targets[0], value)
        name = self._new_name()
        return f"const {name} = {value};\n" + "\n".join(self._store(one, name) for one in node.targets)

    def _do_annassign(self, node: ast.AnnAssign) -> str:
        return self._store(node.target, self.expression(node.value)) if node.value else ""

    def _do_augassign(self, node: ast.AugAssign) -> str:
        target: Any = node.target
        before = type(target)(**{key: value for key, value in vars(target).items() if key != "ctx"}, ctx=ast.Load())
        operator = "grow" if isinstance(node.op, ast.Add) else OPERATORS[type(node.op)]
        return self._store(target, f"$.{operator}({self.expression(before)}, {self.expression(node.value)})")

    def _store(self, target: ast.expr, value: str) -> str:
        if isinstance(target, ast.Name):
            return f"{local(target.id)} = {value};"
        if isinstance(target, ast.Attribute):
            self.names.attribute(target.attr)
            return f"{self.expression(target.value)}.{target.attr} = {value};"
        if isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
            return f"$.put({self.expression(target.value)}, {self.expression(target.slice)}, {value});"
        if isinstance(target, (ast.Tuple, ast.List)):
            if any(isinstance(part, ast.Subscript) for part in target.elts):
                name = self._new_name()
                parts = [self._store(part, f"{name}[{at}]") for at, part in enumerate(target.elts)]
                return f"const {name} = [...{value}];\n" + "\n".join(parts)
            return f";({self.pattern(target)} = {value});"
        raise self.refused(target, "an assignment to a slice")

    def _new_name(self) -> str:
        self.temporary += 1
        return f"$t{self.temporary}"

    def _do_for(self, node: ast.For) -> str:
        if node.orelse:
            raise self.refused(node, "an else after a loop")
        name = self._new_name()
        body = [self._store(node.target, name), *(self.statement(one) for one in node.body)]
        return f"for (const {name} of {self.expression(node.iter)}) {{\n" + "\n".join(body) + "\n}"

    def _do_while(self, node: ast.While) -> str:
        if node.orelse:
            raise self.refused(node, "an else after a loop")
        return f"while ({self.test(node.test)}) {self._block(node.body)}"

    def _do_if(self, node: ast.If) -> str:
        other = f" else {self._block(node.orelse)}" if node.orelse else ""
        return f"if ({self.test(node.test)}) {self._block(node.body)}{other}"

    def _do_delete(self, node: ast.Delete) -> str:
        parts = []
        for target in node.targets:
            if not isinstance(target, ast.Subscript):
                raise self.refused(node, "deleting anything but an item")
            parts.append(f"$.drop({self.expression(target.value)}, {self.expression(target.slice)});")
        return "\n".join(parts)

    def _do_raise(self, node: ast.Raise) -> str:
        return f"throw {self.expression(node.exc)};" if node.exc else "throw $error;"

    def _do_try(self, node: ast.Try) -> str:
        if node.orelse or node.finalbody or len(node.handlers) != 1 or node.handlers[0].type is None:
            raise self.refused(node, "a try with anything but one except")
        handler = node.handlers[0]
        assert handler.type is not None
        kinds = json.dumps(self.names.error_kinds(handler.type))
        bound = f"{local(handler.name)} = $error;\n" if handler.name else ""
        body = "\n".join(self.statement(one) for one in handler.body)
        return f"try {self._block(node.body)} catch ($error) {{\n$.caught($error, {kinds});\n{bound}{body}\n}}"
