"""zermelo play: a game at the terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from zermelo.cli.common import compiling_search, read_game, read_position
from zermelo.cli.options import game_argument, position_argument
from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.match import Host
    from zermelo.players.player import Choice, Player
    from zermelo.position import Position


@click.command()
@game_argument
@position_argument
@click.option(
    "--first", default="human", show_default=True, help="Player who moves first, such as human or mcts(seconds=1)."
)
@click.option("--second", help="Player who moves second. The default is alphabeta(depth=8).")
def play(game: str, position: str | None, first: str, second: str | None) -> None:
    """Play a game at the terminal.

    \b
    zermelo play connect4
    zermelo play connect4 --first "alphabeta(depth=6)" --second human
    zermelo play tictactoe --first random --second "minimax(depth=9)"
    """
    from zermelo.match import play_out, reason_text
    from zermelo.players import HumanPlayer, find_player

    chosen = read_game(game)
    here = read_position(chosen, position)
    players = (find_player(first, chosen), find_player(second or "alphabeta(depth=8)", chosen))
    with compiling_search(chosen):
        for player in players:
            player.prepare(chosen)
    if any(isinstance(player, HumanPlayer) for player in players):
        click.echo(
            _("{title}. Type a move, ? to list the legal moves, u to take a move back, or q to resign.\n").format(
                title=_(chosen.title)
            )
        )
    record = play_out(players, (str(players[0]), str(players[1])), here, _terminal())
    if record.reason == "played out":
        click.echo(
            _("a draw")
            if record.winner is None
            else _("{player} wins").format(player=_(chosen.players[record.winner - 1]))
        )
        return
    assert record.winner is not None
    loser = _(chosen.players[2 - record.winner])
    if record.reason == "resigned":
        click.echo(_("{player} resigns.").format(player=loser))
        return
    click.echo(_("{player} loses: {reason}").format(player=loser, reason=reason_text(record.reason)))
    if record.error:
        click.echo(record.error, err=True)


def _terminal() -> "Host":
    """A host that prints the board, and what programs say about their moves."""
    from zermelo.match import Host
    from zermelo.players import HumanPlayer

    class Terminal(Host):
        def show(self, position: "Position") -> None:
            click.echo(position.board() + "\n")

        def choose(self, player: "Player", position: "Position") -> "tuple[Choice, Position]":
            if isinstance(player, HumanPlayer):
                return super().choose(player, position)
            with compiling_search(position.game):
                choice, following = super().choose(player, position)
            name = _(position.game.players[position.to_move - 1])
            click.echo(
                _("{player} plays {move}   ({details})\n").format(
                    player=name, move=choice.move, details=", ".join(_details(choice))
                )
            )
            return choice, following

        def nothing_to_take_back(self) -> None:
            click.echo(_("there is no move to take back"))

    return Terminal()


def _details(choice: "Choice") -> Iterator[str]:
    if choice.solved:
        yield _("solved: {score}").format(score=choice.score)
    else:
        if choice.score is not None:
            yield choice.score.text
        if choice.depth is not None:
            yield _("depth {depth}").format(depth=choice.depth)
        if choice.nodes is not None:
            yield _("{nodes:,} nodes").format(nodes=choice.nodes)
    yield f"{choice.seconds:.2f} s"
