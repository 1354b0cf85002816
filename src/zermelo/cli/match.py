"""zermelo match: games between two players."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zermelo.cli.common import compiling_search, print_json, progress_bar, read_game, read_position
from zermelo.cli.options import FILE, Openings, game_argument, json_option, position_argument, takes
from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.match import Record
    from zermelo.position import Position


@click.command()
@game_argument
@position_argument
@click.option("--first", required=True, help="First player, such as alphabeta(depth=4).")
@click.option("--second", required=True, help="Second player, such as random.")
@click.option(
    "--games",
    type=click.IntRange(1),
    default=2,
    show_default=True,
    help="Number of games. The players take turns to move first.",
)
@takes("openings", Openings)
@click.option("--save", type=FILE, metavar="FILE", help="Append the games to this JSONL file.")
@json_option
def match(
    game: str,
    position: str | None,
    first: str,
    second: str,
    games: int,
    openings: Openings,
    save: Path | None,
    as_json: bool,
) -> None:
    """Play games between two players.

    Each opening is played twice, and the players swap sides between the two games. The confidence interval of the score
    counts such a pair of games as one sample.

    \b
    zermelo match connect4 --first "alphabeta(depth=4, heuristic=lines2)" --second random --games 20
    zermelo match connect4 --first "alphabeta(depth=4)" --second "minimax(depth=4)" --random-plies 4 --games 50
    """
    from zermelo.match import play_match, save_records
    from zermelo.players import find_player
    from zermelo.tournaments.intervals import paired_rate

    chosen = read_game(game)
    start = read_position(chosen, position)
    pair = (find_player(first, chosen), find_player(second, chosen))
    records, scores = [], []
    with compiling_search(chosen):
        for player in pair:
            player.prepare(chosen)
        with progress_bar(_("playing"), games) as step:
            for number in range(games):
                opening = _opening(start, openings.plies, openings.seed * 1_000_003 + number // 2)
                swapped = number % 2 == 1
                players = pair[::-1] if swapped else pair
                record = play_match(*players, opening)
                records.append(record)
                scores.append(1 - record.score if swapped else record.score)
                if save:
                    save_records([record], save)
                step()
    distinct = len({(r.start, tuple(m.move for m in r.moves), r.players) for r in records})
    rate = paired_rate(scores)
    wins, draws = scores.count(1.0), scores.count(0.5)
    if as_json:
        print_json(
            {
                "game": str(chosen),
                "first": str(pair[0]),
                "second": str(pair[1]),
                "games": games,
                "distinct_games": distinct,
                "wins": wins,
                "draws": draws,
                "losses": games - wins - draws,
                "score": rate.value,
                "interval": [rate.low, rate.high],
                "endings": dict(Counter(record.reason for record in records)),
            }
        )
        return
    click.echo(
        _("{first} against {second}: won {wins}, drawn {draws}, lost {losses} of {games}").format(
            first=pair[0], second=pair[1], wins=wins, draws=draws, losses=games - wins - draws, games=games
        )
    )
    click.echo(_("score {rate}").format(rate=rate))
    _tell_faults(records)
    if distinct < games:
        click.echo(
            _(
                "warning: only {distinct} of the {games} games are different, so the interval is too "
                "narrow; --random-plies makes them differ"
            ).format(distinct=distinct, games=games),
            err=True,
        )


def _tell_faults(records: "list[Record]") -> None:
    """Report games that a player lost by a fault rather than on the board."""
    from zermelo.match import reason_text

    usual = ("played out", "resigned", "unfinished")
    faults = Counter((r.players[2 - r.winner], r.reason) for r in records if r.winner and r.reason not in usual)
    for (player, reason), number in faults.items():
        click.echo(
            _("warning: {player} lost {number} of the {games} games by a fault: {reason}").format(
                player=player, number=number, games=len(records), reason=reason_text(reason)
            ),
            err=True,
        )


def _opening(start: "Position", plies: int, seed: int) -> "Position":
    """A position after this number of random plies, in which the game is not over."""
    from zermelo.tournaments.openings import draw

    found = draw(lambda playout: start, range(seed * 1000, seed * 1000 + 1000), plies, 1)
    if not found:
        raise click.UsageError(
            _("--random-plies {plies}: by then the game is nearly always over; use fewer").format(plies=plies)
        )
    return found[0]
