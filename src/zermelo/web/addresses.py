"""The addresses of this machine, at which others find a server that runs on it."""

import contextlib
import socket
from ipaddress import ip_address


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


def in_address(host: str) -> str:
    """A host as it is written in an address. `0.0.0.0` stands for all addresses, so also for this machine."""
    return {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)


def addresses(host: str, names: frozenset[str], port: int) -> list[str]:
    """Where others find a server that listens on this host and port, by name first."""
    everywhere = host in ("0.0.0.0", "::")
    own = own_addresses(socket.AF_INET6 if ":" in host else socket.AF_INET) if everywhere else [host]
    return [f"http://{in_address(one)}:{port}/" for one in [*sorted(names), *own]]
