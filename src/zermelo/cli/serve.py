"""zermelo serve: the lab in a browser."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import click

from zermelo.cli.listening import Listening, draw_code, listen, needs_web
from zermelo.cli.options import takes
from zermelo.language import _
from zermelo.web.addresses import in_address


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@takes("listening", Listening)
@click.option(
    "--workshop/--no-workshop",
    default=True,
    help="Let the owner write heuristics in the page. They run as code on this machine.",
)
@click.option(
    "--warm/--no-warm",
    default=True,
    help="Compile what the usual players of all games need while the lab has nothing else to do.",
)
@click.option(
    "--sandbox", is_flag=True, help="Run the code of the workshop in a sandbox (bubblewrap), without rights or network."
)
@click.option("--open/--no-open", "open_browser", default=False, help="Open the lab in a browser.")
def serve(
    files: tuple[str, ...], listening: Listening, workshop: bool, warm: bool, sandbox: bool, open_browser: bool
) -> None:
    """Run the lab in a browser.

    There you can play, analyse, see why a search chose a move, write heuristics, and watch tournaments. Games of your
    own, each in a FILE.py, are added to the catalogue. The lab reads them once, when it starts.

    \b
    zermelo serve --open
    zermelo serve breakthrough.py
    zermelo serve --port 8080 --no-workshop
    zermelo serve --host 0.0.0.0 --allow-host teacher.local

    The command prints an address that contains a secret. Open it once in each browser that you use. With --host, other
    people can visit without the secret. They can play and analyse, but they cannot start or delete tournaments, and
    they cannot see your games.
    """
    with needs_web():
        import uvicorn

        from zermelo.games.sandboxed import limits_of
        from zermelo.web.app import create_app
        from zermelo.web.first_use import IDLE
        from zermelo.web.frame import server_options
        from zermelo.web.settings import Settings

    _add_games(files)
    limits_of(sandbox)  # an error says what is missing
    settings = Settings(
        workshop=workshop,
        sandbox=sandbox,
        plain_first=True,
        warm_after=IDLE if warm else None,
        **listening.settings,
    )
    app = create_app(settings)
    socket = listen(listening.host, listening.port)
    port = socket.getsockname()[1]
    address = f"http://{in_address(listening.host)}:{port}/?{urlencode({'secret': app.state.access.secret})}"
    click.echo(_("The lab is at {address}   (Ctrl-C ends it)").format(address=address), err=True)
    if not settings.is_loopback:
        _invite(listening.addresses(port))
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2, **server_options(settings))
    with _opened(address, settings.data) if open_browser else contextlib.nullcontext():
        try:
            uvicorn.Server(config).run(sockets=[socket])
        except KeyboardInterrupt:
            click.echo(_("closed"), err=True)


def _add_games(files: tuple[str, ...]) -> None:
    """Add games in files to the catalogue of this process and of those that it starts."""
    from zermelo.games import find_game
    from zermelo.games.catalogue import GAME_FILES, packages

    for file in files:
        find_game(file)  # a mistake in it is told now
    if files:
        os.environ[GAME_FILES] = os.pathsep.join(str(Path(file).expanduser().resolve()) for file in files)
        packages.cache_clear()


def _invite(addresses: list[str]) -> None:
    """Print where others find the lab, as text and as a QR code, and what they can do there."""
    click.echo(_("This address is for you alone, because it contains your secret."), err=True)
    if not addresses:
        click.echo(_("This machine has no network address, so nobody else can visit."), err=True)
        return
    click.echo(_("Visitors find it at {addresses}").format(addresses="  ".join(addresses)), err=True)
    click.echo(_("They can play and analyse. The workshop is closed, and only you can start tournaments."), err=True)
    draw_code(addresses[0])


@contextlib.contextmanager
def _opened(address: str, folder: Path) -> Iterator[None]:
    """Open the user's browser if there is a screen; a browser in the terminal would take the terminal over.

    Every user of a machine can see the arguments of a program, and the address contains the secret. So the browser is
    given a file that redirects to the address and that only this user can read.
    """
    has_screen = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if not has_screen:
        yield
        return
    import webbrowser

    file = folder / f"open-{os.getpid()}.html"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as text:
            text.write(f'<!doctype html><meta http-equiv="refresh" content="0; url={address}">')
        webbrowser.open(file.resolve().as_uri())
        yield
    finally:
        file.unlink(missing_ok=True)
