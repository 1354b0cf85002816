"""zermelo bench: speed, as ratios to other programs measured in the same run."""

import sys
from pathlib import Path

import click

from zermelo.cli.options import json_option
from zermelo.errors import FileError
from zermelo.language import _


def bench_folder() -> Path:
    """The folder of the benchmarks, which are in the source tree and not in the package."""
    for tree in (Path(__file__).parents[3], Path.cwd()):
        folder = tree / "bench"
        if (folder / "_common.py").is_file() and (tree / "src" / "zermelo").is_dir():  # ours, not another project's
            return folder
    raise FileError(
        "the benchmarks are not part of the installed package; clone the source tree and run `make bench` there"
    )


@click.command()
@click.argument("names", nargs=-1)
@click.option("--list", "only_list", is_flag=True, help="List the names of the benchmarks, and measure nothing.")
@json_option
def bench(names: tuple[str, ...], only_list: bool, as_json: bool) -> None:
    """Measure speed, as ratios to other programs.

    It runs the benchmarks with these NAMES, or all of them, and compares with the programs that are installed (the
    dependency group `bench`). Compare figures only within one run, because machines differ and are noisy. The exit
    status is 1 if a ratio is lower than it must be. With --json, each benchmark prints one line.
    """
    folder = bench_folder()
    known = sorted(file.stem for file in folder.glob("*.py") if not file.stem.startswith("_"))
    unknown = [name for name in names if name not in known]
    if unknown:
        raise click.UsageError(
            _("there is no benchmark {unknown!r}; the benchmarks are {known}").format(
                unknown=unknown[0], known=", ".join(known)
            )
        )
    if only_list:
        click.echo("\n".join(known))
        return
    import subprocess  # here, since the help of all commands would pay for it

    statuses = []
    for name in names or known:
        command = [sys.executable, str(folder / f"{name}.py"), *(["--json"] if as_json else [])]
        statuses.append(subprocess.run(command, check=False).returncode)
    if any(statuses):
        sys.exit(1)
