"""zermelo engine: a player as a program for other people's front ends."""

import io
import sys
import threading
from typing import TYPE_CHECKING

import click

from zermelo.cli.common import compiling_search, read_game, usual_game
from zermelo.language import _, marked

if TYPE_CHECKING:
    from zermelo.position import Game

PROTOCOLS = {"gtp": "GTP", "nboard": "NBoard"}
NO_GAME = {
    "gtp": marked("no game of the catalogue is known to GTP"),
    "nboard": marked("no game of the catalogue is known to NBoard"),
}


@click.command()
@click.argument("game", required=False)
@click.option(
    "--protocol",
    type=click.Choice(list(PROTOCOLS)),
    required=True,
    help="Language that the front end speaks: gtp (Hex and Reversi) or nboard (Reversi).",
)
@click.option("--player", default="engine", show_default=True, help="Player that answers, such as engine(seconds=2).")
def engine(game: str | None, protocol: str, player: str) -> None:
    """Run a player as an engine for another program.

    The program reads commands on standard input and answers on standard output, so that front ends, match managers and
    other laboratories can use it. It ends with the command quit, or when standard input ends. Without GAME, it plays
    the first game of the catalogue that the protocol knows.

    \b
    zermelo engine --protocol nboard                                    a Reversi engine for NBoard
    zermelo engine reversi --protocol gtp --player "engine(seconds=1)"  a Reversi engine for GTP
    zermelo engine "hex(size=11)" --protocol gtp                        a Hex engine for HexGui
    """
    from zermelo.players import HumanPlayer, find_player
    from zermelo.players.notations import gtp_notation, knows, nboard_notation
    from zermelo.protocols.gtp import GtpServer
    from zermelo.protocols.nboard import NBoardServer
    from zermelo.protocols.serving import serve

    chosen: Game = read_game(game) if game else usual_game(lambda one: knows(one, protocol), _(NO_GAME[protocol]))
    (gtp_notation if protocol == "gtp" else nboard_notation)(chosen)  # an error if the protocol does not know it
    answering = find_player(player, chosen)
    if isinstance(answering, HumanPlayer):
        raise click.UsageError(_("--player: a person cannot answer here, because the terminal belongs to the protocol"))
    with compiling_search(chosen):
        answering.prepare(chosen)
    writing = threading.Lock()

    def write(text: str) -> None:
        with writing:
            sys.stdout.write(text + "\n")
            sys.stdout.flush()

    lines = sys.stdin
    if isinstance(lines, io.TextIOWrapper):
        lines.reconfigure(encoding="utf-8", errors="replace")
    server = (GtpServer if protocol == "gtp" else NBoardServer)(chosen, answering, write)
    with compiling_search(chosen):  # of solvers, which are compiled when they are needed
        serve(server, lines)
