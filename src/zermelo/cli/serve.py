"""zermelo serve: the lab in a browser."""

import os
import socket
import sys
from typing import Any

import click

from zermelo.language import _

FIRST_PORT, PORTS = 8000, 20


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), help="Where to listen; 8000 or the next free one if not said.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Who may visit; 127.0.0.1: this machine alone.")
@click.option("--workshop/--no-workshop", default=True, help="Heuristics written in the page, which run code here.")
@click.option("--open/--no-open", "open_browser", default=False, help="Open the page in a browser.")
def serve(port: int | None, host: str, workshop: bool, open_browser: bool) -> None:
    """Run the lab as pages in a browser: play, analyse, see why, watch.

    \b
    zermelo serve --open
    zermelo serve --port 8080 --no-workshop
    """
    from zermelo.errors import ZermeloError

    try:
        import uvicorn

        from zermelo.web.app import SERVER_OPTIONS, create_app
        from zermelo.web.settings import Settings
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("zermelo"):
            raise
        raise ZermeloError(_("the lab needs {name}: pip install 'zermelo[web]'").format(name=error.name)) from None

    settings = Settings(host=host, workshop=workshop)
    listening = _listen(host, port)
    address = f"http://{_in_address(host)}:{listening.getsockname()[1]}"
    click.echo(_("The lab is at {address}   (Ctrl-C ends it)").format(address=address), err=True)
    if not settings.is_loopback:
        click.echo(_("Anybody who reaches this address can use it; the workshop is off."), err=True)
    if open_browser:
        _open(address)
    config = uvicorn.Config(create_app(settings), log_level="warning", timeout_graceful_shutdown=2, **SERVER_OPTIONS)
    try:
        uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        click.echo(_("closed"), err=True)


def _in_address(host: str) -> str:
    """A host as it stands in an address: `0.0.0.0` is everywhere, so also here."""
    return {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)


def _listen(host: str, port: int | None) -> socket.socket:
    """A listening socket: at the port asked for, or at the first free one."""
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
        _("cannot listen on {host}, {where}: {reason}; choose another with --port").format(
            host=host, where=where, reason=reason
        )
    )


def _open(address: str) -> None:
    """Open the user's browser, where there is a screen; a browser in the terminal would take it over."""
    has_screen = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if has_screen:
        import webbrowser

        webbrowser.open(address)
