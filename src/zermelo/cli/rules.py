"""zermelo rules: how a game is played."""

from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.common import print_json, read_game
from zermelo.cli.options import game_argument, json_option
from zermelo.language import _

if TYPE_CHECKING:
    from zermelo.games.how_to_play import HowToPlay, Part


@click.command()
@game_argument
@json_option
def rules(game: str, as_json: bool) -> None:
    """Explain how a game is played.

    The text has the aim, the moves, the notation, and a first lesson of a few moves, with pictures of the board.
    The page of the game in the lab has the same text, and there the moves of the lesson can be played.

    \b
    zermelo rules hex
    zermelo rules "hex(size=5)"
    """
    from zermelo.games.how_to_play import how_to_play

    found = how_to_play(read_game(game))
    if as_json:
        print_json(_as_json(found))
        return
    _print(found)


def _as_json(found: "HowToPlay") -> dict[str, Any]:
    return {
        "game": str(found.game),
        "title": found.game.title,
        "language": found.language,
        "is_written": found.is_written,
        "parts": [_part(part) for part in found.parts],
    }


def _part(part: "Part") -> dict[str, Any]:
    told: dict[str, Any] = {"kind": part.kind, "text": part.text}
    if part.position is not None:
        told |= {"game": str(part.position.game), "position": str(part.position)}
    if part.steps:
        told["steps"] = [
            {"ask": step.ask, "moves": list(step.moves), "said": step.said, "replies": list(step.replies)}
            for step in part.steps
        ]
    return told


def _print(found: "HowToPlay") -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(highlight=False)

    def write(text: str) -> None:
        with console.capture() as captured:
            console.print(Markdown(text))
        click.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))

    write(f"# {_(found.game.title)}")
    if not found.is_written:
        write(_("There is no text about this game yet. This is what its code says about it."))
    for part in found.parts:
        click.echo("")
        if part.kind == "text":
            write(part.text)
            continue
        assert part.position is not None
        click.echo(part.position.board())
        if part.text:
            write(f"*{part.text}*")
        for number, step in enumerate(part.steps, 1):
            moves = ", ".join(f"`{move}`" for move in step.moves[:6]) + (", …" if len(step.moves) > 6 else "")
            replies = _(" The opponent replies {moves}.").format(moves=" ".join(f"`{move}`" for move in step.replies))
            write(f"{number}. {step.ask} → {moves}. {step.said}{replies if step.replies else ''}")
    click.echo("")
    write(_("Play it: `zermelo play {game}`").format(game=found.game))
