"""Which functions are the package's own, and so are compiled without checks."""

import zermelo
from zermelo.core.cache import is_ours
from zermelo.searches.perft import perft


def test_other_packages_whose_names_begin_like_ours_are_not_ours():
    home = zermelo.__path__[0]
    for file, ours in [("/rules.py", True), ("_go/rules.py", False), (".py", False), ("_file.py", False)]:
        code = compile("def f(): pass", home + file, "exec")
        space: dict = {}
        exec(code, space)
        assert is_ours(space["f"]) == ours, file
    assert is_ours(getattr(perft, "__wrapped__", perft))
