"""zermelo serve: the lab in a browser."""

import contextlib
import os
import socket
import sys
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import click

from zermelo.language import _

FIRST_PORT, PORTS = 8000, 20


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help="Port to listen on. The default is 8000, or the next free one.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on. 127.0.0.1 accepts connections from this machine only, 0.0.0.0 from the whole network.",
)
@click.option(
    "--allow-host",
    "allowed",
    multiple=True,
    metavar="NAME",
    help="Host name under which browsers may reach this machine, such as teacher.local. May be given several times.",
)
@click.option(
    "--workshop/--no-workshop",
    default=True,
    help="Let the owner write heuristics in the page. They run as code on this machine.",
)
@click.option("--open/--no-open", "open_browser", default=False, help="Open the lab in a browser.")
@click.option(
    "--request-timeout",
    "request_seconds",
    type=click.FloatRange(0.1, 3600),
    default=20.0,
    show_default=True,
    help="Time limit for receiving a whole request, in seconds. Connections that are slower are closed.",
)
def serve(
    files: tuple[str, ...],
    port: int | None,
    host: str,
    allowed: tuple[str, ...],
    workshop: bool,
    open_browser: bool,
    request_seconds: float,
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
    from zermelo.errors import ZermeloError

    try:
        import uvicorn

        from zermelo.web.app import create_app
        from zermelo.web.frame import server_options
        from zermelo.web.settings import Settings
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("zermelo"):
            raise
        raise ZermeloError(
            "the lab needs the package {name}; install it with pip install 'zermelo[web]'", name=error.name
        ) from None

    _add_games(files)
    names = frozenset(name.lower().rstrip(".") for name in allowed)
    settings = Settings(host=host, allowed_hosts=names, workshop=workshop, request_seconds=request_seconds)
    app = create_app(settings)
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    address = f"http://{_in_address(host)}:{port}/?{urlencode({'secret': app.state.access.secret})}"
    click.echo(_("The lab is at {address}   (Ctrl-C ends it)").format(address=address), err=True)
    if not settings.is_loopback:
        _invite(host, port, sorted(names))
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2, **server_options(settings))
    with _opened(address, settings.data) if open_browser else contextlib.nullcontext():
        try:
            uvicorn.Server(config).run(sockets=[listening])
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


def _in_address(host: str) -> str:
    """A host as it is written in an address. `0.0.0.0` stands for all addresses, so also for this machine."""
    return {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)


def _invite(host: str, port: int, names: list[str]) -> None:
    """Print where others find the lab, as text and as a QR code, and what they can do there."""
    click.echo(_("This address is for you alone, because it contains your secret."), err=True)
    everywhere = host in ("0.0.0.0", "::")
    hosts = [*names, *(own_addresses(socket.AF_INET6 if ":" in host else socket.AF_INET) if everywhere else [host])]
    addresses = [f"http://{_in_address(one)}:{port}/" for one in hosts]
    if not addresses:
        click.echo(_("This machine has no network address, so nobody else can visit."), err=True)
        return
    click.echo(_("Visitors find it at {addresses}").format(addresses="  ".join(addresses)), err=True)
    click.echo(_("They can play and analyse. The workshop is closed, and only you can start tournaments."), err=True)
    if sys.stderr.isatty():
        _draw_code(addresses[0])


def own_addresses(family: socket.AddressFamily) -> list[str]:
    """The addresses of this machine in its networks, the one used for outside connections first."""
    found: dict[str, None] = {}
    far = ["2001:db8::1"] if family == socket.AF_INET6 else ["192.0.2.1", "10.255.255.255", "192.168.255.255"]
    for one in far:  # nothing is sent; the system only looks up from which of its addresses it would send
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((one, 9))
            found[probe.getsockname()[0]] = None
    with contextlib.suppress(OSError):
        found |= {str(entry[4][0]): None for entry in socket.getaddrinfo(socket.gethostname(), None, family)}
    usable = [one for one in found if "%" not in one]
    return [one for one in usable if not (ip_address(one).is_loopback or ip_address(one).is_unspecified)]


def _draw_code(address: str) -> None:
    """A QR code for phones, in the terminal."""
    try:
        import segno
    except ModuleNotFoundError:  # the address is printed anyway
        return
    with contextlib.suppress(UnicodeEncodeError):  # a terminal without block characters
        segno.make(address, error="l", micro=False).terminal(out=sys.stderr, border=2, compact=True)


def _listen(host: str, port: int | None) -> socket.socket:
    """A listening socket at the given port, or at the first free one."""
    from zermelo.errors import ResourceError

    reason: Any = ""
    for candidate in [port] if port else range(FIRST_PORT, FIRST_PORT + PORTS):
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            return socket.create_server((host, candidate), family=family, backlog=512)
        except OSError as error:
            reason = error.strerror or error
    where = (
        _("port {port}").format(port=port)
        if port
        else _("ports {first} to {last}").format(first=FIRST_PORT, last=FIRST_PORT + PORTS - 1)
    )
    raise ResourceError(
        "cannot listen on {host}, {where}: {reason}; choose another port with --port",
        host=host,
        where=where,
        reason=reason,
    )


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
