"""The settings of the lab, and its limits."""

import ipaddress
import os
from dataclasses import dataclass, field
from pathlib import Path

from zermelo.files.folders import data_folder

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


def is_address(name: str) -> bool:
    """Whether it is an IP address, not a name."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class Settings:
    """The options of `zermelo serve`, and the most that a page may ask for."""

    host: str = "127.0.0.1"
    allowed_hosts: frozenset[str] = frozenset()  # names of this machine, besides its addresses
    workshop: bool = True
    sandbox: bool = False  # whether code of the workshop runs in a sandbox
    plain_first: bool = False  # whether plain Python answers while code is compiled in another process
    warm_after: float | None = None  # seconds without a request after which what usual players need is compiled
    data: Path = field(default_factory=data_folder)
    searches: int = field(default_factory=lambda: max(2, os.cpu_count() or 2))  # number that run at once
    waiting: int = 64  # number of searches that may wait for their turn
    most_seconds: float = 30.0  # of one search
    most_depth: int = 60
    most_nodes: int = 200_000_000
    most_memory: int = 64  # MB of one table
    kept_memory: int = 64  # MB of all search trees that are kept for the next moves of games, apart from the newest
    most_plies: int = 1000  # of a game in an address
    most_body: int = 1 << 20  # bytes of a request
    request_seconds: float = 20.0  # in which a whole request must arrive
    most_incomplete: int = 200  # number of connections that wait for the rest of a request
    idle_seconds: int = 130  # for which a connection stays open between two requests; Caddy keeps its own for 120
    most_idle: int = 500  # number of connections between two requests

    @property
    def is_loopback(self) -> bool:
        """Whether the lab can be reached only from this machine."""
        return self.host in LOOPBACK_NAMES or (is_address(self.host) and ipaddress.ip_address(self.host).is_loopback)

    def is_our_name(self, name: str) -> bool:
        """Whether this name is safe: loopback, an address, or an allowed host, which no other site can direct here."""
        plain = name.lower().rstrip(".")
        return plain in LOOPBACK_NAMES or is_address(plain) or plain in {self.host.lower(), *self.allowed_hosts}

    @property
    def has_workshop(self) -> bool:
        """Whether there is a workshop. It runs code on this machine, so visitors from other machines never get one."""
        return self.workshop and self.is_loopback

    @property
    def workshop_folder(self) -> Path:
        """The folder of the files that are written in the workshop."""
        return self.data / "workshop"
