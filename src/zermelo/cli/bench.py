"""zermelo bench: how fast, as ratios against peers measured in the same run."""

import subprocess
import sys
from pathlib import Path

import click

from zermelo.cli.common import json_option
from zermelo.errors import FileError
from zermelo.language import _


def bench_folder() -> Path:
    """The benchmarks live in the source tree, not in the package."""
    for tree in (Path(__file__).parents[3], Path.cwd()):
        folder = tree / "bench"
        if (folder / "_common.py").is_file() and (tree / "src" / "zermelo").is_dir():  # ours, not another project's
            return folder
    raise FileError(
        _("the benchmarks come with the source tree, not with the installed package: clone it, then `make bench`")
    )


@click.command()
@click.argument("names", nargs=-1)
@click.option("--list", "only_list", is_flag=True, help="Only name the benchmarks.")
@json_option
def bench(names: tuple[str, ...], only_list: bool, as_json: bool) -> None:
    """Measure speed as ratios against the peers that are installed (the `bench` dependency group).

    Without NAMES, all of them. A figure holds only within its own run: machines differ, and are noisy. The status is
    1 if a ratio is below the one that must be reached. --json prints one line for each benchmark.
    """
    folder = bench_folder()
    known = sorted(file.stem for file in folder.glob("*.py") if not file.stem.startswith("_"))
    unknown = [name for name in names if name not in known]
    if unknown:
        raise click.UsageError(
            _("there is no benchmark {unknown!r}; there are {known}").format(unknown=unknown[0], known=", ".join(known))
        )
    if only_list:
        click.echo("\n".join(known))
        return
    statuses = []
    for name in names or known:
        command = [sys.executable, str(folder / f"{name}.py"), *(["--json"] if as_json else [])]
        statuses.append(subprocess.run(command, check=False).returncode)
    if any(statuses):
        sys.exit(1)
