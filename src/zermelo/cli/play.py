"""zermelo play: a game at the terminal."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from zermelo.cli.common import compiling, game_argument, position_argument, read_game, read_position
from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.players.player import Choice, Player
    from zermelo.position import Position


@click.command()
@game_argument
@position_argument
@click.option("--first", default="human", show_default=True, help="Player 1.")
@click.option("--second", help="Player 2; alpha-beta, looking 8 plies ahead, if not said.")
def play(game: str, position: str | None, first: str, second: str | None) -> None:
    """Play a game at the terminal.

    \b
    zermelo play connect4
    zermelo play connect4 --first "alphabeta(depth=6)" --second human
    zermelo play tictactoe --first random --second "minimax(depth=9)"
    """
    from zermelo.match import reason_text
    from zermelo.players import HumanPlayer, Resigned, find_player
    from zermelo.players.player import Fault

    chosen = read_game(game)
    here = read_position(chosen, position)
    players = [find_player(text, chosen) for text in (first, second or "alphabeta(depth=8)")]
    with compiling(_("the {title} search").format(title=_(chosen.title))):
        for player in players:
            player.prepare(chosen)
    if any(isinstance(player, HumanPlayer) for player in players):
        click.echo(
            _("{title}. Type a move, or ? for the legal ones, u to take back, q to give up.\n").format(
                title=_(chosen.title)
            )
        )
    while not here.is_over:
        click.echo(here.board() + "\n")
        player = players[here.to_move - 1]
        try:
            here = _ask(player, here, players) if isinstance(player, HumanPlayer) else _answer(player, here)
        except Resigned:
            click.echo(_("{player} gives up.").format(player=_(chosen.players[here.to_move - 1])))
            return
        except Fault as fault:
            loser = _(chosen.players[here.to_move - 1])
            click.echo(_("{player} loses: {reason}").format(player=loser, reason=reason_text(fault.reason)))
            if fault.said:
                click.echo(fault.said, err=True)
            return
    click.echo(here.board() + "\n")
    click.echo(
        _("a draw") if here.winner is None else _("{player} wins").format(player=_(chosen.players[here.winner - 1]))
    )


def _answer(player: "Player", here: "Position") -> "Position":
    """The position after the move of a player who is no person; what it knows of it is printed."""
    from zermelo.match import choose_move

    with compiling(_("the {title} search").format(title=_(here.game.title))):
        choice, following = choose_move(player, here)
    click.echo(
        _("{player} plays {move}   ({details})\n").format(
            player=_(here.game.players[here.to_move - 1]), move=choice.move, details=", ".join(_details(choice))
        )
    )
    return following


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


def _ask(player: "Player", here: "Position", players: "Sequence[Player]") -> "Position":
    """The position after a person's move, or earlier after a take-back."""
    from zermelo.players import HumanPlayer, TakeBack

    try:
        return here.play(player.think(here).move)
    except TakeBack:
        back = here.parent
        while back is not None and not isinstance(players[back.to_move - 1], HumanPlayer):
            back = back.parent
        if back is None:
            click.echo(_("nothing to take back"))
            return here
        return back
