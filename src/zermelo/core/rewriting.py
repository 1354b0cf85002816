"""Rewriting a user's function so that Numba can compile what people write.

Numba knows no generator expressions, so `sum(f(x) for x in xs)` becomes a call of a small function that loops; likewise
`any`, `all`, `max` and `min` (with `key` and `default`), `sorted` with a key, comprehensions, and loops that unpack the
rows of a table. Such a small function takes the local variables that it reads as its arguments. All code keeps its
line numbers and its file's name, so an error or a traceback names the line that the user wrote.
"""

import ast
import copy
import itertools
from collections.abc import Callable
from typing import Any

from zermelo.core.syntax import (
    Renaming,
    assign,
    at,
    call,
    filled,
    load,
    loop_over,
    names_bound_in,
    names_stored,
)
from zermelo.errors import marked

MISSING = object()
"""What the lookup of a name gives that is neither global nor built in."""

# ------------------------------------------------------------------------------------------ the rewriting


class Rewriter(ast.NodeTransformer):
    """Rewrites the body of one function. What it adds are functions in `lifted`, which stand at the top of a module."""

    def __init__(
        self,
        name: str,
        local_names: set[str],
        value_of: Callable[[str], Any],
        counter: "itertools.count[int] | None" = None,
    ):
        """value_of: the value of a global or built-in name, or MISSING. counter: numbers the names that it makes up."""
        self.name = name
        self.local_names = local_names
        self.value_of = value_of
        self.lifted: list[ast.FunctionDef] = []
        self.changed = False
        self._counter = counter or itertools.count(1)

    # -------------------------------------------------------------------------------- small matters

    def _fresh(self, what: str) -> str:
        return f"__{what}_{next(self._counter)}"

    def _calls(self, node: ast.AST, *names: str) -> str:
        """The name of the built-in function that a call calls, if it is one of these."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            known = name in names and name not in self.local_names
            if known and getattr(self.value_of(name), "__module__", "") == "builtins":
                return name
        return ""

    def _constant(self, node: ast.AST) -> Any:
        """The value of a global name, or MISSING for any other expression."""
        if isinstance(node, ast.Name) and node.id not in self.local_names:
            return self.value_of(node.id)
        return MISSING

    def _iterable(self, node: ast.expr) -> Any:
        """What a loop runs over: the keys of a dictionary by name, the reverse of a sequence as a slice."""
        if isinstance(self._constant(node), (dict, set, frozenset)):
            self.changed = True
            return at(node, ast.Call(at(node, ast.Attribute(node, "keys", ast.Load())), [], []))
        return node

    def _assign(self, target: ast.expr, value: ast.expr, needs_unpacking: bool = True) -> list[ast.stmt]:
        """Statements that give a value to a target, which may be a tuple of targets."""
        if not isinstance(target, (ast.Tuple, ast.List)) or not needs_unpacking:
            return [at(target, ast.Assign([target], value))]
        if not 2 <= len(target.elts) <= 4 or any(isinstance(part, ast.Starred) for part in target.elts):
            return [at(target, ast.Assign([target], value))]
        self.changed = True
        unpacked = call(value, f"__zermelo_{len(target.elts)}", [value])
        inner, after = [], []
        for part in target.elts:
            if isinstance(part, (ast.Tuple, ast.List)):
                name = self._fresh("part")
                self.local_names.add(name)
                inner.append(at(part, ast.Name(name, ast.Store())))
                after += self._assign(part, at(part, ast.Name(name, ast.Load())))
            else:
                inner.append(part)
        first = at(target, ast.Assign([at(target, ast.Tuple(inner, ast.Store()))], unpacked))
        return [first, *after]

    def _gives_tuples(self, node: ast.expr, target: ast.expr) -> bool:
        """Does a loop over this give tuples in any case, so that Numba unpacks them by itself?"""
        if not isinstance(target, (ast.Tuple, ast.List)):
            return True
        if any(isinstance(part, (ast.Tuple, ast.List)) for part in target.elts):
            return False
        if self._calls(node, "enumerate", "zip"):
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("items", "cells"):
            return True
        return isinstance(node, (ast.Tuple, ast.List)) and all(isinstance(part, ast.Tuple) for part in node.elts)

    # -------------------------------------------------------------------------------- statements

    def visit_Assign(self, node: ast.Assign) -> Any:
        self.generic_visit(node)
        target = node.targets[0]
        if len(node.targets) > 1 or not isinstance(target, (ast.Tuple, ast.List)):
            return node
        return [*self._assign(target, node.value, not isinstance(node.value, (ast.Tuple, ast.List)))]

    def visit_For(self, node: ast.For) -> Any:
        node.iter = self.visit(node.iter)
        node.body = self._body(node.body)
        node.orelse = self._body(node.orelse)
        node.iter = self._iterable(node.iter)
        if not self._gives_tuples(node.iter, node.target):
            name = self._fresh("item")
            self.local_names.add(name)
            unpacking = self._assign(node.target, at(node.target, ast.Name(name, ast.Load())))
            node.target = at(node.target, ast.Name(name, ast.Store()))
            node.body = [*unpacking, *node.body]
        return node

    def _body(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in statements:
            result = self.visit(statement)
            made += result if isinstance(result, list) else [result]
        return made

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        """A function inside the function: Numba inlines it where it is called."""
        outer = self.local_names
        self.local_names = outer | names_bound_in(node)
        node.body = self._body(node.body)
        self.local_names = outer
        return node

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        outer = self.local_names
        self.local_names = outer | {argument.arg for argument in node.args.args}
        self.generic_visit(node)
        self.local_names = outer
        return node

    # -------------------------------------------------------------------------------- expressions

    def visit_ListComp(self, node: ast.ListComp) -> Any:
        return self._collected(node, node.elt, node.generators, ast.List([], ast.Load()), "append")

    def visit_SetComp(self, node: ast.SetComp) -> Any:
        return self._collected(node, node.elt, node.generators, call(node, "set", []), "add")

    def _collected(self, node: Any, element: Any, generators: Any, start: Any, method: str) -> Any:
        def build(item: ast.expr) -> list[ast.stmt]:
            add = at(item, ast.Attribute(load("__made", item), method, ast.Load()))
            return [at(item, ast.Expr(at(item, ast.Call(add, [item], []))))]

        return self._lift(
            node, "listed", generators, element, [assign("__made", start, node)], build, load("__made", node)
        )

    def visit_Call(self, node: ast.Call) -> Any:
        name = self._calls(node, *_LIFTED)
        if name:
            made = getattr(self, f"_{name}")(node)
            if made is not None:
                self.changed = True
                return made
        if isinstance(node.func, ast.Attribute) and self._is_math_prod(node.func) and len(node.args) == 1:
            return self._folded(node, ast.Mult(), 1)
        self.generic_visit(node)
        if self._calls(node, "list", "set") and len(node.args) == 1:
            node.args = [self._iterable(node.args[0])]
        return node

    def _is_math_prod(self, node: ast.Attribute) -> bool:
        return node.attr == "prod" and getattr(self._constant(node.value), "__name__", "") == "math"

    def _float(self, node: ast.Call) -> Any:
        """float("inf") is a constant."""
        if len(node.args) == 1 and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
            try:
                return at(node, ast.Constant(float(node.args[0].value)))
            except ValueError:
                return None
        return None

    def _enumerate(self, node: ast.Call) -> Any:
        if len(node.keywords) == 1 and node.keywords[0].arg == "start" and len(node.args) == 1:
            node.args, node.keywords = [node.args[0], node.keywords[0].value], []
        elif not isinstance(self._constant(node.args[0]) if node.args else None, (dict, set, frozenset)):
            return None
        node.args[0] = self._iterable(node.args[0])
        self.generic_visit(node)
        return node

    def _zip(self, node: ast.Call) -> Any:
        if [keyword.arg for keyword in node.keywords] != ["strict"]:
            return None
        node.keywords = []
        self.generic_visit(node)
        return node

    def _reversed(self, node: ast.Call) -> Any:
        if len(node.args) != 1 or node.keywords:
            return None
        self.generic_visit(node)
        return call(node, "__zermelo_backwards", node.args)

    def _list(self, node: ast.Call) -> Any:
        if len(node.args) != 1 or not isinstance(node.args[0], ast.GeneratorExp):
            return None
        return self.visit(at(node, ast.ListComp(node.args[0].elt, node.args[0].generators)))

    def _set(self, node: ast.Call) -> Any:
        if len(node.args) != 1 or not isinstance(node.args[0], ast.GeneratorExp):
            return None
        return self.visit(at(node, ast.SetComp(node.args[0].elt, node.args[0].generators)))

    def _sum(self, node: ast.Call) -> Any:
        named = {keyword.arg: keyword.value for keyword in node.keywords}
        if not 1 <= len(node.args) <= 2 or set(named) - {"start"}:
            return None
        return self._folded(node, ast.Add(), 0, named.get("start", node.args[1] if len(node.args) == 2 else None))

    def _folded(self, node: ast.Call, operator: ast.operator, start: int, given: Any = None) -> Any:
        generators, element = self._generators(node.args[0])

        def build(item: ast.expr) -> list[ast.stmt]:
            return [assign("__made", at(item, ast.BinOp(load("__made", item), operator, item)), item)]

        first = [assign("__made", given or at(node, ast.Constant(start)), node)]
        return self._lift(node, "sum", generators, element, first, build, load("__made", node))

    def _any(self, node: ast.Call, stop: bool = True) -> Any:
        if len(node.args) != 1 or node.keywords:
            return None
        generators, element = self._generators(node.args[0])

        def build(item: ast.expr) -> list[ast.stmt]:
            met = item if stop else at(item, ast.UnaryOp(ast.Not(), item))
            answer = at(item, ast.Return(at(item, ast.Constant(stop))))
            return [at(item, ast.If(met, [answer], []))]

        return self._lift(node, "any", generators, element, [], build, at(node, ast.Constant(not stop)))

    def _all(self, node: ast.Call) -> Any:
        return self._any(node, stop=False)

    def _max(self, node: ast.Call, sign: str = ">") -> Any:
        named = {keyword.arg: keyword.value for keyword in node.keywords}
        if not node.args or set(named) - {"key", "default"} or (len(node.args) > 1 and "key" not in named):
            return None
        one = node.args[0]
        if len(node.args) > 1:
            one = at(node, ast.Tuple(node.args, ast.Load()))
        elif isinstance(one, ast.Starred):
            one = one.value
        generators, element = self._generators(one)
        key = named.get("key")
        if key is not None and not self._can_call(key):
            return None

        def build(item: ast.expr) -> list[ast.stmt]:
            text = (  # Numba wants the assignment to stand above the comparison
                "__item = 0\n__key = 0\n"
                "if not __found:\n    __found, __best_key, __made = True, __key, __item\n"
                f"elif __key {sign} __best_key:\n    __best_key, __made = __key, __item\n"
            )
            return filled(text, item, item, self._key_of(key, "__item", item))

        empty: ast.stmt = at(node, ast.Raise(call(node, "ValueError", [at(node, ast.Constant(_EMPTY))]), None))
        if "default" in named:
            empty = at(node, ast.Return(named["default"]))
        before = [assign("__found", at(node, ast.Constant(False)), node)]
        after = [at(node, ast.If(at(node, ast.UnaryOp(ast.Not(), load("__found", node))), [empty], []))]
        return self._lift(node, "best", generators, element, before, build, load("__made", node), after)

    def _min(self, node: ast.Call) -> Any:
        return self._max(node, "<")

    def _sorted(self, node: ast.Call) -> Any:
        """Sorting by insertion, which keeps the order of equal elements. Numba has `sorted` without a key."""
        named = {keyword.arg: keyword.value for keyword in node.keywords}
        if len(node.args) != 1 or set(named) - {"key", "reverse"}:
            return None
        key, reverse = named.get("key"), named.get("reverse")
        falls = reverse is not None
        if falls and not isinstance(reverse, ast.Constant):
            return None
        if key is not None and not self._can_call(key):
            return None
        generators, element = self._generators(node.args[0])
        sign = "<" if falls and reverse.value else ">"  # type: ignore[union-attr]

        def build(item: ast.expr) -> list[ast.stmt]:
            text = (
                "__item = 0\n__key = 0\n__place = len(__made)\n"
                "__made.append(__item)\n__keys.append(__key)\n"
                f"while __place > 0 and __keys[__place - 1] {sign} __key:\n"
                "    __made[__place] = __made[__place - 1]\n    __keys[__place] = __keys[__place - 1]\n"
                "    __place -= 1\n__made[__place] = __item\n__keys[__place] = __key\n"
            )
            return filled(text, item, item, self._key_of(key, "__item", item))

        before = [assign(name, at(node, ast.List([], ast.Load())), node) for name in ("__made", "__keys")]
        return self._lift(node, "sorted", generators, element, before, build, load("__made", node))

    # -------------------------------------------------------------------------------- lifting

    def _generators(self, node: ast.expr) -> tuple[list[ast.comprehension], ast.expr]:
        """An iterable as the loops and the element of a generator expression."""
        if isinstance(node, (ast.GeneratorExp, ast.ListComp)):
            return node.generators, node.elt
        name = self._fresh("x")
        if self._calls(node, "map") and len(node.args) == 2 and self._can_call(node.args[0]):  # type: ignore[attr-defined]
            function, values = node.args  # type: ignore[attr-defined]
            return [loop_over(name, values)], self._key_of(function, name, node)
        return [loop_over(name, node)], load(name, node)

    def _can_call(self, key: ast.expr) -> bool:
        """Can a key be called from another function? A name of a local function cannot."""
        if isinstance(key, ast.Lambda):
            return len(key.args.args) == 1 and not key.args.defaults
        return not (isinstance(key, ast.Name) and key.id in self.local_names)

    def _key_of(self, key: ast.expr | None, name: str, place: ast.expr) -> Any:
        """The key of the element of this name."""
        value = load(name, place)
        if key is None:
            return value
        if isinstance(key, ast.Lambda):
            renaming = Renaming(key.args.args[0].arg, name)
            return renaming.visit(copy.deepcopy(key.body))
        return at(place, ast.Call(key, [value], []))

    def _lift(
        self,
        node: ast.expr,
        what: str,
        generators: list[ast.comprehension],
        element: ast.expr,
        before: list[ast.stmt],
        build: Callable[[ast.expr], list[ast.stmt]],
        result: ast.expr,
        after: list[ast.stmt] | None = None,
    ) -> Any:
        """A call of a new function that runs the loops and, for each element, the statements that build() makes."""
        if any(isinstance(part, (ast.NamedExpr, ast.Await, ast.Yield)) for part in ast.walk(node)):
            return node
        self.changed = True
        given, outer = {}, generators[0].iter
        bound = {part.id for loop in generators for part in ast.walk(loop.target) if isinstance(part, ast.Name)}
        if any(isinstance(part, ast.Name) and part.id in bound & self.local_names for part in ast.walk(outer)):
            given["__outer"] = self.visit(outer)  # `x for x in x`: the last x is another one
            generators[0].iter = load("__outer", outer)
        statements = build(element)
        for loop in reversed(generators):
            for condition in reversed(loop.ifs):
                statements = [at(condition, ast.If(condition, statements, []))]
            statements = [at(loop.target, ast.For(loop.target, loop.iter, statements, []))]
        body = [*before, *statements, *(after or []), at(node, ast.Return(result))]
        stored = names_stored(body)
        read = {part.id for statement in body for part in ast.walk(statement) if isinstance(part, ast.Name)}
        given |= {argument: load(argument, node) for argument in sorted((read & self.local_names) - stored)}
        inner = Rewriter(self._fresh(f"{self.name}_{what}"), stored | given.keys(), self.value_of, self._counter)
        body = inner._body(body)
        self.lifted += inner.lifted
        parameters = ast.arguments([], [at(node, ast.arg(argument)) for argument in given], None, [], [], None, [])
        made = ast.FunctionDef(inner.name, parameters, body, [], None)
        if "type_params" in ast.FunctionDef._fields:
            made.type_params = []  # type: ignore[attr-defined, unused-ignore]
        self.lifted.append(at(node, made))
        return call(node, inner.name, list(given.values()))


_EMPTY = marked("there is nothing to choose from: the sequence is empty")
_LIFTED = ("sum", "any", "all", "max", "min", "sorted", "list", "set", "float", "enumerate", "zip", "reversed")
