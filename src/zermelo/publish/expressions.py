"""Python's expressions as JavaScript. What the operators mean is in static/python.js."""

import ast
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Protocol

OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.BitAnd: "band", ast.BitOr: "bor", ast.BitXor: "bxor", ast.LShift: "shl", ast.RShift: "shr",
}  # fmt: skip
COMPARISONS: dict[type[ast.AST], str] = {
    ast.Eq: "$.eq({}, {})", ast.NotEq: "!$.eq({}, {})", ast.Lt: "$.lt({}, {})", ast.LtE: "$.le({}, {})",
    ast.Gt: "$.gt({}, {})", ast.GtE: "$.ge({}, {})", ast.In: "$.in({}, {})", ast.NotIn: "!$.in({}, {})",
    ast.Is: "(({}) ?? null) === (({}) ?? null)", ast.IsNot: "(({}) ?? null) !== (({}) ?? null)",
}  # fmt: skip
RESERVED = frozenset(
    re.findall(
        r"\w+",
        "arguments await case catch class const continue debugger default delete do enum eval export extends false "
        "finally function implements import in instanceof interface let new null package private protected public "
        "return static super switch this throw true try typeof undefined var void while with yield",
    )
)
"""Names that JavaScript keeps for itself."""
LARGEST = 2**53 - 1


class Untranslatable(Exception):
    """A construct that has no translation; the text names it and its line in the function."""


class Names(Protocol):
    """What a writer asks about names that a function does not define itself."""

    def global_name(self, name: str) -> str:
        """The expression for a global name or a built-in."""

    def static_attribute(self, node: ast.Attribute) -> str | None:
        """The expression for an attribute of a module or a class that is known now; None for attributes of values."""

    def attribute(self, name: str) -> None:
        """Note that an attribute of this name is used."""

    def next_method(self, name: str) -> str:
        """The method that `super()` finds."""

    def error_kinds(self, node: ast.expr) -> list[str]:
        """The names of the exceptions that an except clause names."""

    def imported(self, node: ast.Import | ast.ImportFrom) -> None:
        """Take what a function imports itself."""


def local(name: str) -> str:
    """A name of a Python function as a name of JavaScript."""
    return f"{name}$" if name in RESERVED else name


def literal(value: Any) -> str:
    """A number, a text, a truth value or None."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, int):
        return str(value) if abs(value) <= LARGEST else f"{value}n"
    if isinstance(value, float):
        return "Infinity" if value == float("inf") else "-Infinity" if value == -float("inf") else repr(value)
    if isinstance(value, str):
        return json.dumps(value)
    raise Untranslatable(f"a constant of the type {type(value).__name__}")


def targets_in(node: ast.AST) -> set[str]:
    """The names that an assignment binds."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}


class Expressions(ABC):
    """Writes the expressions of one function."""

    def __init__(self, names: Names):
        self.names = names
        self.scopes: list[set[str]] = []

    @abstractmethod
    def function(self, node: ast.FunctionDef | ast.Lambda, name: str, defaults: dict[str, str] | None = None) -> str:
        """A function as an expression."""

    def refused(self, node: ast.AST, what: str) -> Untranslatable:
        """The error for a construct that has no translation."""
        return Untranslatable(f"{what} in line {getattr(node, 'lineno', '?')}")

    def pattern(self, target: ast.expr) -> str:
        """The target of an assignment that takes a value apart."""
        if isinstance(target, ast.Name):
            return local(target.id)
        if isinstance(target, ast.Attribute):
            return f"{self.expression(target.value)}.{target.attr}"
        if isinstance(target, ast.Starred):
            return f"...{self.pattern(target.value)}"
        if isinstance(target, (ast.Tuple, ast.List)):
            return f"[{', '.join(map(self.pattern, target.elts))}]"
        raise self.refused(target, "this target of an assignment")

    # -------------------------------------------------------------------------------- expressions

    def expression(self, node: ast.expr) -> str:
        method = getattr(self, f"_say_{type(node).__name__.lower()}", None)
        if method is None:
            raise self.refused(node, f"an expression of the kind {type(node).__name__}")
        return str(method(node))

    def test(self, node: ast.expr) -> str:
        """An expression of which only the truth matters."""
        if isinstance(node, ast.BoolOp):
            sign = " && " if isinstance(node.op, ast.And) else " || "
            return "(" + sign.join(map(self.test, node.values)) + ")"
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return f"!{self.test(node.operand)}"
        written = self.expression(node)
        return f"({written})" if isinstance(node, ast.Compare) else f"$.t({written})"

    def _say_constant(self, node: ast.Constant) -> str:
        try:
            return literal(node.value)
        except Untranslatable as error:
            raise self.refused(node, str(error)) from None

    def _say_name(self, node: ast.Name) -> str:
        if any(node.id in scope for scope in self.scopes):
            return local(node.id)
        return self.names.global_name(node.id)

    def _is_local(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Attribute):
            node = node.value
        return not isinstance(node, ast.Name) or any(node.id in scope for scope in self.scopes)

    def _say_attribute(self, node: ast.Attribute) -> str:
        known = None if self._is_local(node) else self.names.static_attribute(node)
        if known is not None:
            return known
        self.names.attribute(node.attr)
        return f"$.get({self.expression(node.value)}, {json.dumps(node.attr)})"

    def _say_call(self, node: ast.Call) -> str:
        given = self._arguments(node)
        called = node.func
        if isinstance(called, ast.Attribute):
            is_super = isinstance(called.value, ast.Call) and getattr(called.value.func, "id", "") == "super"
            if is_super:
                return f"{self.names.next_method(called.attr)}({', '.join(['self', *given])})"
            known = None if self._is_local(called) else self.names.static_attribute(called)
            if known is None:
                self.names.attribute(called.attr)
                return f"$.call({', '.join([self.expression(called.value), json.dumps(called.attr), *given])})"
            return f"{known}({', '.join(given)})"
        return f"{self.expression(called)}({', '.join(given)})"

    def _arguments(self, node: ast.Call) -> list[str]:
        given = [self.expression(one) for one in node.args]
        if node.keywords:
            pairs = [
                f"[{json.dumps(one.arg)}, {self.expression(one.value)}]"
                if one.arg
                else f"...$.pairs({self.expression(one.value)})"
                for one in node.keywords
            ]
            given.append(f"$.kw([{', '.join(pairs)}])")
        return given

    def _say_starred(self, node: ast.Starred) -> str:
        return f"...{self.expression(node.value)}"

    def _say_binop(self, node: ast.BinOp) -> str:
        return f"$.{OPERATORS[type(node.op)]}({self.expression(node.left)}, {self.expression(node.right)})"

    def _say_unaryop(self, node: ast.UnaryOp) -> str:
        if isinstance(node.op, ast.Not):
            return self.test(node)
        name = {ast.USub: "neg", ast.Invert: "invert", ast.UAdd: "float"}[type(node.op)]
        return f"$.{name}({self.expression(node.operand)})"

    def _say_boolop(self, node: ast.BoolOp) -> str:
        name = "and" if isinstance(node.op, ast.And) else "or"
        written = self.expression(node.values[-1])
        for one in reversed(node.values[:-1]):
            written = f"$.{name}({self.expression(one)}, () => {written})"
        return written

    def _say_compare(self, node: ast.Compare) -> str:
        forms = [COMPARISONS[type(one)] for one in node.ops]
        values = [self.expression(one) for one in (node.left, *node.comparators)]
        if len(forms) == 1:
            return forms[0].format(*values)
        names = [f"$c{at}" for at in range(len(values))]
        parts = [form.format(names[at], names[at + 1]) for at, form in enumerate(forms)]
        return f"(({', '.join(names)}) => {' && '.join(parts)})({', '.join(values)})"

    def _say_ifexp(self, node: ast.IfExp) -> str:
        return f"({self.test(node.test)} ? {self.expression(node.body)} : {self.expression(node.orelse)})"

    def _say_joinedstr(self, node: ast.JoinedStr) -> str:
        return "(" + " + ".join(['""', *map(self.expression, node.values)]) + ")"

    def _say_formattedvalue(self, node: ast.FormattedValue) -> str:
        value = self.expression(node.value)
        if node.conversion == ord("r"):
            value = f"$.repr({value})"
        return f"$.fmt({value}, {self.expression(node.format_spec) if node.format_spec else chr(34) * 2})"

    def _say_list(self, node: ast.List | ast.Tuple) -> str:
        return f"[{', '.join(map(self.expression, node.elts))}]"

    _say_tuple = _say_list

    def _say_set(self, node: ast.Set) -> str:
        return f"$.set([{', '.join(map(self.expression, node.elts))}])"

    def _say_dict(self, node: ast.Dict) -> str:
        pairs = [
            f"[{self.expression(key)}, {self.expression(value)}]" if key else f"...$.pairs({self.expression(value)})"
            for key, value in zip(node.keys, node.values, strict=True)
        ]
        return f"$.dict([{', '.join(pairs)}])"

    def _say_lambda(self, node: ast.Lambda) -> str:
        return f"({self.function(node, 'lambda')})"

    def _say_namedexpr(self, node: ast.NamedExpr) -> str:
        return f"({local(node.target.id)} = {self.expression(node.value)})"

    def _say_yield(self, node: ast.Yield) -> str:
        return f"(yield {self.expression(node.value) if node.value else 'null'})"

    def _say_yieldfrom(self, node: ast.YieldFrom) -> str:
        return f"(yield* {self.expression(node.value)})"

    def _say_subscript(self, node: ast.Subscript) -> str:
        value = self.expression(node.value)
        if isinstance(node.slice, ast.Slice):
            parts = (node.slice.lower, node.slice.upper, node.slice.step)
            ends = [self.expression(one) if one else "null" for one in parts]
            return f"$.slice({value}, {', '.join(ends)})"
        return f"$.item({value}, {self.expression(node.slice)})"

    # -------------------------------------------------------------------------------- comprehensions

    def _generator(self, generators: list[ast.comprehension], give: Callable[[], str]) -> str:
        """A generator; give() writes what it yields, within the scope of its variables."""
        head, tail = "", ""
        for one in generators:
            over = self.expression(one.iter)
            self.scopes.append(targets_in(one.target))
            tests = "".join(f"if (!{self.test(test)}) continue;\n" for test in one.ifs)
            head += f"for (const {self.pattern(one.target)} of {over}) {{\n{tests}"
            tail += "}\n"
        body = f"{head}yield {give()};\n{tail}"
        del self.scopes[len(self.scopes) - len(generators) :]
        return f"(function* () {{\n{body}}})()"

    def _say_generatorexp(self, node: ast.GeneratorExp) -> str:
        return self._generator(node.generators, lambda: self.expression(node.elt))

    def _say_listcomp(self, node: ast.ListComp) -> str:
        return f"[...{self._generator(node.generators, lambda: self.expression(node.elt))}]"

    def _say_setcomp(self, node: ast.SetComp) -> str:
        return f"$.set({self._generator(node.generators, lambda: self.expression(node.elt))})"

    def _say_dictcomp(self, node: ast.DictComp) -> str:
        def pair() -> str:
            return f"[{self.expression(node.key)}, {self.expression(node.value)}]"

        return f"$.dict({self._generator(node.generators, pair)})"
