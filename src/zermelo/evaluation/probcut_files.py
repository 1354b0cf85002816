"""ProbCut's statistics in files: how well a search predicts a deeper search, for one heuristic of a game.

{"format": 1, "game": "reversi", "heuristic": "learned", "weights": "5f0c...",
 "checks": [{"stage": 4, "depth": 8, "shallow": 4, "slope": 1.02, "offset": 0.1, "deviation": 2.4}, ...], "made": {...}}

`weights` is a digest of the heuristic's weights, so that one can see whether they have changed since. Offset and
deviation are in points. `zermelo learn probcut` writes such files.
"""

import functools
import hashlib
import json
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from zermelo.core import Heuristic
from zermelo.errors import FileError
from zermelo.files.checked import is_number
from zermelo.files.reading import cannot_read, check_format
from zermelo.files.whole import BAD_JSON, write_whole

FORMAT = 1
FOLDER = "probcut"  # in a game's folder `weights`


@dataclass(frozen=True)
class Check:
    """At a stage and a depth, the score is about slope * s + offset, with s the score at the depth `shallow`."""

    stage: int
    depth: int
    shallow: int
    slope: float
    offset: float
    deviation: float  # standard deviation of the error


@dataclass(frozen=True)
class ProbCut:
    """The checks for one heuristic of a game, and what is known about how they were made."""

    game: str
    heuristic: str
    weights: str
    checks: tuple[Check, ...]
    made: dict[str, Any] = field(default_factory=dict, hash=False, compare=False)


def digest_of_weights(heuristic: Heuristic) -> str:
    """Return a text that differs for heuristics with different weights."""
    return hashlib.sha256(heuristic.vector.tobytes()).hexdigest()[:16]


def write_probcut(path: Path, found: ProbCut) -> None:
    """Write statistics as JSON, with one line for each check."""
    head = {"format": FORMAT, "game": found.game, "heuristic": found.heuristic, "weights": found.weights}
    lines = ",\n".join("  " + json.dumps(asdict(check)) for check in found.checks)
    start = json.dumps(head | {"made": found.made}, indent=1, ensure_ascii=False).removesuffix("\n}")
    text = f'{start},\n "checks": [\n{lines}\n]}}\n'
    write_whole(path, lambda file: file.write(text.encode()))


def read_probcut(path: Path) -> ProbCut:
    """Read statistics. A FileError says what is wrong with the file."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise cannot_read(path, error) from None
    except BAD_JSON as error:
        raise FileError("{path} is not a file of ProbCut statistics: {error}", path=path, error=error) from None
    if not isinstance(data, dict) or not isinstance(data.get("checks"), list):
        raise FileError("{path} is not a file of ProbCut statistics: it contains no checks", path=path)
    check_format(path, data.get("format"), FORMAT)
    return ProbCut(
        str(data.get("game")),
        str(data.get("heuristic")),
        str(data.get("weights")),
        tuple(_check(path, one) for one in data["checks"]),
        data.get("made", {}),
    )


def _check(path: Path, one: Any) -> Check:
    names = Check.__dataclass_fields__
    if not isinstance(one, dict) or set(one) != set(names) or not all(is_number(one[name]) for name in names):
        raise FileError("{path}: {check} is not a check of ProbCut", path=path, check=json.dumps(one))
    made = Check(**one)
    if not (0 < made.shallow < made.depth and made.slope > 0 and made.deviation >= 0):
        raise FileError("{path}: {check} is not a check of ProbCut", path=path, check=json.dumps(one))
    return made


def probcut_path(package: str, heuristic: str) -> Path:
    """Return where the statistics of a heuristic are, in the folder of its game."""
    return Path(str(sys.modules[package].__file__)).parent / "weights" / FOLDER / f"{heuristic}.json"


@functools.cache
def shipped_probcut(package: str, heuristic: Heuristic) -> ProbCut | None:
    """Return the statistics that a game has for one of its heuristics; None if it has none, or weights were changed."""
    path = probcut_path(package, heuristic.name)
    if heuristic.__module__ != f"{package}.heuristics" or heuristic.weights != heuristic.defaults or not path.exists():
        return None
    return read_probcut(path)
