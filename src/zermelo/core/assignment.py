"""Variables that may have no value yet when they are read.

Python raises UnboundLocalError there; compiled code would silently read a zero. So for each variable that is not given
a value on every path, the function keeps a flag, and asks it before a statement that reads the variable.
"""

import ast
from collections.abc import Iterable

from zermelo.core.syntax import assign, at, call, load

Known = set[str] | None
"""The variables that certainly have a value; None where no path leads."""


def checked(body: list[ast.stmt], local_names: set[str], arguments: set[str]) -> list[ast.stmt]:
    """The body of a function, with flags and checks where they are needed; the same list if nowhere."""
    flow = _Flow(local_names)
    flow.block(body, set(arguments))
    if not flow.unsure:
        return body
    names = {name for _, name in flow.unsure}
    first = [assign(_flag(name), ast.Constant(False), body[0]) for name in sorted(names)]
    return [*first, *_Checks(names, flow.unsure).block(body)]


def _flag(name: str) -> str:
    return f"__has_{name}"


def _join(paths: Iterable[Known]) -> Known:
    known = [path for path in paths if path is not None]
    return set.intersection(*known) if known else None


class _Flow:
    """Goes through a function and finds the statements that read a variable which may have no value."""

    def __init__(self, local_names: set[str]):
        self.local_names = local_names
        self.unsure: set[tuple[int, str]] = set()  # (identity of the statement, name)

    def block(self, statements: list[ast.stmt], known: Known) -> Known:
        for statement in statements:
            if known is not None:
                known = self.statement(statement, known)
        return known

    def _read(self, statement: ast.stmt, node: ast.AST | None, known: set[str]) -> None:
        if node is None:
            return
        for name in names_read(node) & self.local_names - known:
            self.unsure.add((id(statement), name))

    def statement(self, node: ast.stmt, known: set[str]) -> Known:
        if isinstance(node, ast.If):
            self._read(node, node.test, known)
            known = known | _names_set(node.test)
            return _join([self.block(node.body, set(known)), self.block(node.orelse, set(known))])
        if isinstance(node, ast.For):
            self._read(node, node.iter, known)
            self.block(node.body, known | _names_set(node.target))
            return self.block(node.orelse, set(known))
        if isinstance(node, ast.While):
            self._read(node, node.test, known)
            self.block(node.body, known | _names_set(node.test))
            return self.block(node.orelse, set(known))
        if isinstance(node, (ast.Return, ast.Raise)):
            self._read(node, node, known)
            return None
        if isinstance(node, (ast.Break, ast.Continue)):
            return None
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Assert, ast.Delete)):
            self._read(node, node, known)
            return known | _names_set(node)
        # A try, with or match statement, or a function: what it gives values is taken to have them.
        return known | _names_set(node)


class _Checks:
    """Adds the flags and the checks."""

    def __init__(self, names: set[str], unsure: set[tuple[int, str]]):
        self.names, self.unsure = names, unsure

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in statements:
            made += [self._check(name, statement) for known, name in sorted(self.unsure) if known == id(statement)]
            made.append(statement)
            if isinstance(statement, ast.For):
                given = self._given(_names_set(statement.target), statement)
                statement.body = [*given, *self.block(statement.body)]
                statement.orelse = self.block(statement.orelse)
            elif isinstance(statement, (ast.If, ast.While)):
                statement.body, statement.orelse = self.block(statement.body), self.block(statement.orelse)
            elif not isinstance(statement, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
                made += self._given(_names_set(statement), statement)
        return made

    def _given(self, names: set[str], place: ast.stmt) -> list[ast.stmt]:
        return [assign(_flag(name), at(place, ast.Constant(True)), place) for name in sorted(names & self.names)]

    def _check(self, name: str, place: ast.stmt) -> ast.stmt:
        error = call(place, "UnboundLocalError", [at(place, ast.Constant(name))])
        unset = at(place, ast.UnaryOp(ast.Not(), load(_flag(name), place)))
        found: ast.stmt = at(place, ast.If(unset, [at(place, ast.Raise(error, None))], []))
        return found


def names_read(node: ast.AST) -> set[str]:
    """The names that an expression or statement reads; not those that belong to a comprehension or function in it."""
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Load) else set()
    if isinstance(node, (ast.Lambda, ast.FunctionDef)):
        return set()
    inner = set().union(*(names_read(child) for child in ast.iter_child_nodes(node)))
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        inner.add(node.target.id)
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
        inner -= set().union(*(_names_set(loop.target) for loop in node.generators))
    return inner


def _names_set(node: ast.AST) -> set[str]:
    """The variables that a statement, or one inside it, gives a value; not those of comprehensions."""
    if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
        return set()
    if isinstance(node, ast.FunctionDef):
        return {node.name}
    own = {node.id} if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)) else set()
    caught = (
        {str(node.name)} if isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name else set()
    )
    return own.union(caught, *(_names_set(child) for child in ast.iter_child_nodes(node)))
