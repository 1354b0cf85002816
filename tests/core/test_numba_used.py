"""One module alone, core/numba_private.py, uses what Numba does not promise to keep."""

import ast
from pathlib import Path

import zermelo

PACKAGE = Path(zermelo.__file__).parent
PUBLIC = {"numba", "numba.types", "numba.extending", "numba.experimental"}
PRIVATE_NAMES = {
    "_cache",
    "_defn",
    "_final_module",
    "_overload_func",
    "_pyfunc",
    "_rebuild",
    "_reduce",
    "_unique_ids",
    "add_overload",
    "disable_compile",
    "get_compile_result",
    "has_dynamic_globals",
    "insert_user_function",
    "instance_class",
    "magic_tuple",
    "targetctx",
    "targetoptions",
}
"""Attributes of Numba's objects that no other module may ask for (except of itself)."""
PRIVATE_TYPES = {"BaseTuple.from_types", "Dispatcher", "Function", "NamedTupleClass"}


def private_uses(tree: ast.AST) -> set[str]:
    """What a module uses of Numba beyond its promises."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if is_private(alias.name)}
        elif isinstance(node, ast.ImportFrom) and is_private(node.module or ""):
            found.add(str(node.module))
        elif isinstance(node, ast.ImportFrom) and node.module == "numba":
            found |= {f"numba.{alias.name}" for alias in node.names if alias.name in ("core", "misc", "np")}
        elif isinstance(node, ast.Attribute):
            text = ast.unparse(node)
            if is_private(text) and text.split(".")[1] in ("core", "misc", "np"):
                found.add(text)
            if node.attr in PRIVATE_NAMES and not text.startswith("self."):
                found.add(text)
            if text in {f"types.{name}" for name in PRIVATE_TYPES}:
                found.add(text)
    return found


def is_private(module: str) -> bool:
    return module.startswith("numba.") and module not in PUBLIC


def test_no_other_module_uses_private_parts_of_numba():
    files = [file for file in sorted(PACKAGE.rglob("*.py")) if file.name != "numba_private.py"]
    used = {str(file.relative_to(PACKAGE)): private_uses(ast.parse(file.read_text(encoding="utf-8"))) for file in files}
    assert {file: names for file, names in used.items() if names} == {}


def test_the_search_for_private_parts_finds_them():
    code = """
from numba import njit
from numba.core import types
import numba.misc.appdirs
f._cache = 1
self._cache = numba.core.x
numba.njit(f)
"""
    assert private_uses(ast.parse(code)) == {"numba.core", "numba.misc.appdirs", "f._cache", "numba.core.x"}


def test_every_function_of_that_module_has_a_contract_test():
    tree = ast.parse((PACKAGE / "core/numba_private.py").read_text(encoding="utf-8"))
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    functions = {name for name in defined if not name.startswith("_")}  # the others are parts of these
    tests = Path(__file__).with_name("test_numba_private.py").read_text(encoding="utf-8")
    untested = {name for name in functions if f"numba_private.{name}(" not in tests}
    assert untested == {"compile_quickly", "register_metaclass"}  # which run when the package is loaded
