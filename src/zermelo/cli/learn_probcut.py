"""zermelo learn probcut: how well a game's searches predict deeper ones, so that the engine can leave some out."""

from pathlib import Path

import click

from zermelo.cli.common import compiling_search, print_json, print_table, progress_bar, read_game, tell_written
from zermelo.cli.options import FILE, game_argument, json_option
from zermelo.language import _


@click.command()
@game_argument
@click.option("--heuristic", metavar="NAME", help="Heuristic of the searches. The default is the game's usual one.")
@click.option(
    "--positions",
    type=click.IntRange(30),
    default=600,
    show_default=True,
    help="Number of positions to search.",
)
@click.option(
    "--nodes",
    type=click.IntRange(1000),
    default=200_000,
    show_default=True,
    help="Number of nodes of each search. More nodes mean greater depths.",
)
@click.option(
    "--opening-plies",
    type=click.IntRange(0),
    default=6,
    show_default=True,
    help="Number of random moves with which the games begin.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the random generator.")
@click.option(
    "--out",
    type=FILE,
    metavar="FILE",
    help="File of the statistics. The default is in the game's folder, where the engine looks for it.",
)
@json_option
def probcut(
    game: str,
    heuristic: str | None,
    positions: int,
    nodes: int,
    opening_plies: int,
    seed: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Measure how well searches predict deeper ones.

    ProbCut leaves out a deep search where a shallow one shows that its score would almost certainly be outside the
    window of alpha-beta. How certain that is depends on the game and on the heuristic. This command searches positions
    of many games depth after depth, and fits a line and its error to each pair of depths. The engine uses the file for
    this heuristic with the option probcut, whose value is the number of standard deviations that it wants.

    \b
    zermelo learn probcut reversi
    zermelo learn probcut connect4 --heuristic lines2 --out lines2.json
    """
    from zermelo.evaluation.probcut_files import probcut_path, write_probcut
    from zermelo.games import find_heuristic
    from zermelo.learn.probcut import fit_probcut

    chosen = read_game(game)
    evaluation = find_heuristic(heuristic or chosen.default_heuristic, chosen)
    path = out or probcut_path(type(chosen).__module__, evaluation.name)
    with compiling_search(chosen), progress_bar(_("searching"), positions) as step:
        found = fit_probcut(
            chosen,
            evaluation,
            positions=positions,
            nodes=nodes,
            opening=opening_plies,
            seed=seed,
            progress=step,
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_probcut(path, found)
    tell_written(path)
    if as_json:
        checks = [vars(check) for check in found.checks]
        print_json({"file": str(path), "heuristic": found.heuristic, "checks": checks, "made": found.made})
        return
    heading = [_("stage"), _("depth"), _("from depth"), _("slope"), _("offset"), _("deviation")]
    rows = [
        [
            str(one.stage),
            str(one.depth),
            str(one.shallow),
            f"{one.slope:.3f}",
            f"{one.offset:.3f}",
            f"{one.deviation:.3f}",
        ]
        for one in found.checks
    ]
    print_table(heading, rows)
