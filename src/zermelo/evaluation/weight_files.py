"""Tuned weights in files: JSON with the name of a heuristic, its new weights, and how they were found.

{"format": 1, "heuristic": "connect4/lines2", "weights": {"one": 2.5, "two": 4, "three": 11}, "made": {...}}
"""

import functools
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.core import Heuristic
from zermelo.core.parts import part_of
from zermelo.errors import FileError
from zermelo.files.checked import is_number
from zermelo.files.reading import cannot_read, check_format
from zermelo.files.trust import check_trust, digest_of, remember
from zermelo.files.whole import BAD_JSON, write_whole
from zermelo.language import _

FORMAT = 1


@dataclass(frozen=True)
class WeightFile:
    """A heuristic's weights, and what is known about how they were found."""

    heuristic: str  # connect4/lines2, or mine.py:corners
    weights: dict[str, float]
    made: dict[str, Any] = field(default_factory=dict)


def write_weights(path: Path, found: WeightFile) -> None:
    """Write weights as JSON."""
    data = {"format": FORMAT, "heuristic": found.heuristic, "weights": found.weights, "made": found.made}
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    write_whole(path, lambda file: file.write(text.encode()))
    if names_code(found.heuristic):
        remember(_digest(found))


def names_code(heuristic: str) -> bool:
    """Is it a function in a Python file? Others are in the catalogue, or in files that are checked themselves."""
    return ".py" in heuristic.partition("(")[0]


def _digest(found: WeightFile) -> str:
    return digest_of("weights", found.heuristic, found.weights)


def check_weights(found: WeightFile, where: str, trust: bool = False) -> None:
    """Raise UntrustedError if the weights name code that is neither the user's own nor trusted."""
    code = [_("the file {file} on this machine").format(file=found.heuristic)] if names_code(found.heuristic) else []
    check_trust(where, code, _digest(found), trust)


def read_weights(path: Path) -> WeightFile:
    """Read weights. A FileError says what is wrong with the file."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise cannot_read(path, error) from None
    except BAD_JSON as error:
        raise FileError("{path} is not a file of weights: {error}", path=path, error=error) from None
    if not isinstance(data, dict) or not isinstance(data.get("heuristic"), str):
        raise FileError("{path} is not a file of weights: it does not name a heuristic", path=path)
    check_format(path, data.get("format"), FORMAT)
    weights = data.get("weights")
    if not isinstance(weights, dict) or not weights:
        raise FileError("{path} contains no weights", path=path)
    for name, value in weights.items():
        if not is_number(value):
            raise FileError(
                "{path}: the weight {name} is {value}, which is not a number",
                path=path,
                name=name,
                value=json.dumps(value),
            )
    made = data.get("made", {})
    return WeightFile(data["heuristic"], weights, made if isinstance(made, dict) else {})


@functools.cache
def written_heuristics(package: str) -> dict[str, Heuristic]:
    """The heuristics in a game's package, then those with tuned weights: `weights/h2_tuned.json` holds h2_tuned's.

    Read once in a process: what belongs to a package does not change while it runs.
    """
    module = part_of(package, "heuristics")
    if module is None:
        return {}
    found = [value for value in vars(module).values() if isinstance(value, Heuristic)]
    named = {value.name: value for value in found if value.__module__ == module.__name__}
    folder = Path(str(sys.modules[package].__file__)).parent / "weights"
    return named | {path.stem: _with_tuned(path, named) for path in sorted(folder.glob("*.json"))}


def _with_tuned(path: Path, named: Mapping[str, Heuristic]) -> Heuristic:
    read = read_weights(path)
    return named[read.heuristic.rpartition("/")[2]].with_weights(**read.weights).renamed(path.stem)
