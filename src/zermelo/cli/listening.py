"""Where our servers listen: their common options, their port, and the addresses at which others find them."""

import contextlib
import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import click

from zermelo.cli.options import option
from zermelo.language import _
from zermelo.web.addresses import addresses

FIRST_PORT, PORTS = 8000, 20


@dataclass(eq=False, repr=False)
class Listening:
    """Options of `zermelo serve` and `zermelo arena serve`."""

    port: int | None = option(
        "--port",
        type=click.IntRange(1, 65535),
        help="Port to listen on. The default is 8000, or the next free one.",
    )
    host: str = option(
        "--host",
        default="127.0.0.1",
        show_default=True,
        help="Address to listen on. 127.0.0.1 accepts connections from this machine only, 0.0.0.0 from the whole "
        "network.",
    )
    allowed: tuple[str, ...] = option(
        "--allow-host",
        multiple=True,
        metavar="NAME",
        help="Host name under which browsers may reach this machine, such as teacher.local. May be given several "
        "times.",
    )
    request_seconds: float = option(
        "--request-timeout",
        type=click.FloatRange(0.1, 3600),
        default=20.0,
        show_default=True,
        help="Time limit for receiving a whole request, in seconds. Connections that are slower are closed.",
    )

    @property
    def names(self) -> frozenset[str]:
        """The host names in their usual form."""
        return frozenset(name.lower().rstrip(".") for name in self.allowed)

    @property
    def settings(self) -> dict[str, Any]:
        """These options as a server's settings have them."""
        return {"host": self.host, "allowed_hosts": self.names, "request_seconds": self.request_seconds}

    def addresses(self, port: int) -> list[str]:
        """Where others find the server, by name first."""
        return addresses(self.host, self.names, port)


@contextlib.contextmanager
def needs_web() -> Iterator[None]:
    """Say what to install if a module of the extra `web` cannot be imported."""
    from zermelo.errors import ZermeloError

    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("zermelo"):
            raise
        raise ZermeloError(
            "the lab needs the package {name}; install it with pip install 'zermelo[web]'", name=error.name
        ) from None


def draw_code(address: str) -> None:
    """A QR code for phones, if this is a terminal."""
    if not sys.stderr.isatty():
        return
    try:
        import segno
    except ModuleNotFoundError:  # the address is printed anyway
        return
    with contextlib.suppress(UnicodeEncodeError):  # a terminal without block characters
        segno.make(address, error="l", micro=False).terminal(out=sys.stderr, border=2, compact=True)


def listen(host: str, port: int | None) -> socket.socket:
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
