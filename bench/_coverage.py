"""Coverage without the compiler for each folder, from the file that `coverage json` or pytest-cov writes.

python bench/_coverage.py build/checks/coverage.json
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

from zermelo.cli.common import print_table


def by_folder(file: Path) -> dict[str, tuple[int, int]]:
    """For each folder of the package, the number of lines of code and the number of those that were run."""
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name, told in json.loads(file.read_text(encoding="utf-8"))["files"].items():
        folder = str(Path(name.partition("zermelo/")[2]).parent)
        found[folder][0] += told["summary"]["num_statements"]
        found[folder][1] += told["summary"]["covered_lines"]
    return {folder: (lines, run) for folder, (lines, run) in sorted(found.items()) if lines}


def print_coverage(file: Path) -> None:
    folders = by_folder(file)
    folders["in all"] = (sum(lines for lines, _ in folders.values()), sum(run for _, run in folders.values()))
    rows = [[folder, str(lines), str(lines - run), f"{run / lines:.0%}"] for folder, (lines, run) in folders.items()]
    print_table(["folder", "lines", "not run", "run"], rows)


if __name__ == "__main__":
    print_coverage(Path(sys.argv[1]))
