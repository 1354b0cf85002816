"""How the lab is run, and its limits."""

import ipaddress
import os
from dataclasses import dataclass, field
from pathlib import Path

from zermelo.files.folders import data_folder

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


def is_address(name: str) -> bool:
    """Is it an IP address, rather than a name?"""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class Settings:
    """What `zermelo serve` was told, and what a page may ask for at most."""

    host: str = "127.0.0.1"
    allowed_hosts: frozenset[str] = frozenset()  # names by which this machine is called, besides its addresses
    workshop: bool = True
    data: Path = field(default_factory=data_folder)
    searches: int = field(default_factory=lambda: max(2, os.cpu_count() or 2))  # that run at once
    waiting: int = 64  # that may wait for their turn
    most_seconds: float = 30.0  # of one search
    most_depth: int = 60
    most_nodes: int = 200_000_000
    most_memory: int = 64  # MB of one table
    most_plies: int = 1000  # of a game in a URL
    most_body: int = 1 << 20  # bytes of a request
    request_seconds: float = 20.0  # until the whole of a request has come
    most_incomplete: int = 200  # connections that wait for the rest of a request

    @property
    def is_loopback(self) -> bool:
        """Is it reached from this machine alone?"""
        return self.host in LOOPBACK_NAMES or (is_address(self.host) and ipaddress.ip_address(self.host).is_loopback)

    def is_our_name(self, name: str) -> bool:
        """A name that another site cannot point at this machine: loopback's, plain addresses, those we were given."""
        plain = name.lower().rstrip(".")
        return plain in LOOPBACK_NAMES or is_address(plain) or plain in {self.host.lower(), *self.allowed_hosts}

    @property
    def has_workshop(self) -> bool:
        """The workshop runs code on this machine: never for visitors from others."""
        return self.workshop and self.is_loopback

    @property
    def workshop_folder(self) -> Path:
        """The heuristics written in the page, a file each."""
        return self.data / "workshop"
