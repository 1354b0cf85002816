"""zermelo arena serve: the server of a class, and the worker that plays."""

import contextlib
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from zermelo.cli.arena_options import Working
from zermelo.cli.interrupts import time_to_save
from zermelo.cli.listening import Listening, draw_code, listen, needs_web
from zermelo.cli.options import FOLDER, option, takes
from zermelo.language import _
from zermelo.web.addresses import in_address

if TYPE_CHECKING:
    from zermelo.arena.records import Records
    from zermelo.arena.settings import ArenaSettings


@dataclass(eq=False, repr=False)
class Reaching:
    """How the class reaches the server."""

    url: str | None = option(
        "--url",
        metavar="URL",
        help="Address at which the class finds the server, for links, such as https://arena.example.org.",
    )
    proxies: tuple[str, ...] = option(
        "--behind-proxy",
        multiple=True,
        metavar="ADDRESS",
        help="Address or network of a reverse proxy, such as 127.0.0.1, whose X-Forwarded headers are believed. May be "
        "given several times.",
    )

    @property
    def names(self) -> frozenset[str]:
        """The host name in the URL."""
        name = urlsplit(self.url).hostname if self.url else None
        return frozenset([name] if name else [])

    def check(self) -> None:
        """An error if the URL is not one."""
        parts = urlsplit(self.url or "http://x")
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
            raise click.UsageError(
                _("--url {url} should be like https://arena.example.org, without a path").format(url=self.url)
            )


@click.command()
@click.argument("folder", type=FOLDER, default=".", metavar="[ARENA]")
@takes("listening", Listening)
@takes("reaching", Reaching)
@takes("working", Working)
def serve(folder: Path, listening: Listening, reaching: Reaching, working: Working) -> None:
    """Run the arena in a folder, with its worker.

    The command prints the teacher's link, the link by which students join, and a QR code of it. Each link opens the
    arena without a password, so keep the teacher's to yourself. Ctrl-C ends the server and its worker; nothing is lost,
    and the next start continues.

    \b
    zermelo arena serve reversi-2026 --host 0.0.0.0
    zermelo arena serve reversi-2026 --behind-proxy 127.0.0.1 --url https://arena.example.org

    What students hand in runs only in a sandbox. Where there is none, the arena does not start.
    """
    with needs_web():
        import uvicorn

        from zermelo.arena.keeper import LAST_SECONDS
        from zermelo.web.arena.app import create_arena_app
        from zermelo.web.arena.settings import ServerSettings
        from zermelo.web.frame import server_options

    reaching.check()
    arena = working.settings(folder)
    with _records(arena) as records:
        socket = listen(listening.host, listening.port)
        port = socket.getsockname()[1]
        own = f"http://{in_address(listening.host)}:{port}"
        others = [reaching.url] if reaching.url else listening.addresses(port)
        options = listening.settings | {"allowed_hosts": listening.names | reaching.names}
        settings = ServerSettings(
            data=folder,
            proxies=reaching.proxies,
            public=(others[0] if others else own).rstrip("/"),
            trusts_everyone=working.trust_everyone,
            **options,
        )
        app = create_arena_app(arena, records, settings)
        _tell(arena, records, own, settings.public)
        if settings.is_loopback and not reaching.url:
            click.echo(_("Only this machine can reach it. For a class, start it with --host 0.0.0.0."), err=True)
        if working.trust_everyone:
            click.echo(_("Warning: what students hand in runs without a sandbox, with your rights."), err=True)
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2, **server_options(settings))
        with time_to_save(LAST_SECONDS + 5, says=None), _worker(working, folder, records):
            try:
                uvicorn.Server(config).run(sockets=[socket])
            except KeyboardInterrupt:
                click.echo(_("closing; the games under way are played again later"), err=True)


@contextlib.contextmanager
def _records(arena: "ArenaSettings") -> Iterator["Records"]:
    """The records of the arena, which only one server may use at a time."""
    from zermelo.arena.records import Records
    from zermelo.errors import ResourceError
    from zermelo.tournaments.store import open_store

    store = open_store(arena.database)
    try:
        if not store.hold("arena server"):
            raise ResourceError("another server is already running the arena in {folder}", folder=arena.folder)
        try:
            yield Records(store)
        finally:
            store.let_go("arena server")
    finally:
        store.close()


def _tell(arena: "ArenaSettings", records: "Records", own: str, public: str) -> None:
    """Print the links, and a code of the join link. The teacher's link is best opened on this machine."""
    from zermelo.arena.links import link_key

    teacher, join, watch = (link_key(records, arena.folder, kind) for kind in ("teacher", "join", "watch"))
    said = {
        _("The arena {title} is at {address}   (Ctrl-C ends it)"): {"title": arena.title, "address": public},
        _("Your link, for the teacher alone: {link}"): {"link": f"{own}/enter?key={teacher}"},
        _("For the projector: {link}"): {"link": f"{public}/enter?key={watch}"},
        _("Students join at: {link}"): {"link": f"{public}/join?key={join}"},
    }
    for text, values in said.items():
        click.echo(text.format(**values), err=True)
    draw_code(f"{public}/join?key={join}")


@contextlib.contextmanager
def _worker(working: Working, folder: Path, records: "Records") -> Iterator[None]:
    """A worker beside the server, which is started again when it dies. What happens to it is published."""
    from zermelo.arena.keeper import Keeper

    logging.basicConfig(format="zermelo: %(message)s", level=logging.WARNING)
    keeper = Keeper(working.order(folder), lambda state: _publish(records, state))
    keeper.start()
    try:
        yield
    finally:
        keeper.stop()


def _publish(records: "Records", state: dict[str, object]) -> None:
    records.publish("worker", state)
