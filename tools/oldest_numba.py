"""Print the oldest release of Numba that pyproject.toml allows and that exists for this Python."""

import re
import sys
import tomllib
from pathlib import Path

FIRST_FOR = {(3, 13): (0, 61), (3, 14): (0, 63)}
"""For newer versions of Python, the first release of Numba that supports them."""


def oldest() -> str:
    """The major and minor version numbers, in the form that pip accepts."""
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
    bounds = [re.match(r"numba>=(\d+)\.(\d+)", text) for text in project["project"]["dependencies"]]
    (bound,) = filter(None, bounds)
    allowed = int(bound[1]), int(bound[2])
    known = [release for python, release in FIRST_FOR.items() if python <= sys.version_info[:2]]
    return "{}.{}".format(*max([allowed, *known]))


if __name__ == "__main__":
    print(oldest())
