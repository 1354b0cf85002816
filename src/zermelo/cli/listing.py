"""zermelo games, heuristics and players: lists of what is available."""

import click

from zermelo.cli.common import print_json, print_table, read_game
from zermelo.cli.options import game_argument, json_option
from zermelo.language import _


@click.command()
@json_option
def games(as_json: bool) -> None:
    """List the games."""
    import inspect

    from zermelo.games import broken_games, find_game, game_names

    found = [find_game(name) for name in game_names()]
    rows = []
    for game in found:
        parameters = inspect.signature(type(game)).parameters.values()
        named = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD and p.name != "variant"]
        options = [p.name if p.default in ("", None) else f"{p.name}={p.default}" for p in named]
        rows.append([str(game), _(game.title), ", ".join(options), _((type(game).__doc__ or "").strip())])
    if as_json:
        keys = ("name", "title", "options", "about")
        print_json([dict(zip(keys, row, strict=True)) for row in rows])
    else:
        print_table([_("game"), _("title"), _("options"), _("about")], rows)
    for fault in broken_games():
        click.echo(_("this game is left out: {error}").format(error=fault), err=True)


@click.command()
@game_argument
@json_option
def heuristics(game: str, as_json: bool) -> None:
    """List the heuristics of a GAME, with their weights.

    Instead of a GAME, you can name a file of your own, FILE.py.
    """
    from pathlib import Path

    from zermelo.games import load_file

    found = load_file(Path(game)) if game.endswith(".py") else read_game(game).heuristics
    described = [(h.name, h.weights, map(_, (h.__doc__ or "").strip().splitlines()[:1])) for h in found.values()]
    if as_json:
        print_json([{"name": n, "weights": w, "about": " ".join(d)} for n, w, d in described])
    else:
        rows = [[n, ", ".join(f"{k}={v:g}" for k, v in w.items()), " ".join(d)] for n, w, d in described]
        print_table([_("heuristic"), _("weights"), _("about")], rows)


@click.command()
@click.argument("game", required=False)
@json_option
def players(game: str | None, as_json: bool) -> None:
    """List the kinds of players and their options. With a GAME, list its own named players too."""
    from zermelo.players import KINDS, named_players

    rows = []
    for kind, cls in KINDS.items():
        options = [f"{name}={value}" if value is not None else name for name, value in cls.defaults().items()]
        rows.append([kind, ", ".join(options), _(str(cls.__doc__))])
    for name, text in (named_players(read_game(game)) if game else {}).items():
        rows.append([name, "", text])
    if as_json:
        print_json([{"name": n, "options": o, "about": d} for n, o, d in rows])
    else:
        print_table([_("player"), _("options"), _("about")], [[n, o, d.partition("\n")[0]] for n, o, d in rows])
