"""What a reverse proxy says about a request: who sent it, whether it was encrypted, and for which host.

Anybody can write `X-Forwarded-For` into a request, so these headers are believed only if the connection comes from an
address that the owner has named. From anywhere else they are removed.
"""

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from zermelo.errors import ZermeloError
from zermelo.web.settings import is_address

FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-forwarded-port", "x-real-ip")
ENCRYPTED = {"http": "https", "ws": "wss"}

Network = IPv4Network | IPv6Network


def networks(texts: Sequence[str]) -> tuple[Network, ...]:
    """Addresses and networks as the owner writes them, such as 127.0.0.1, 10.0.0.0/8 or ::1."""
    found: list[Network] = []
    for text in texts:
        try:
            found.append(ip_network(text, strict=False))
        except ValueError:
            raise ZermeloError(
                "{text!r} is not an address or a network; write for example 127.0.0.1 or 10.0.0.0/8", text=text
            ) from None
    return tuple(found)


class Proxies:
    """The outermost layer of an app that may stand behind proxies."""

    def __init__(self, app: ASGIApp, trusted: Sequence[Network]):
        self.app, self.trusted = app, trusted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            scope = self.told(scope)
        await self.app(scope, receive, send)

    def told(self, scope: Scope) -> Scope:
        """The request as the proxy received it. What others than our proxies say is left out."""
        headers, client = Headers(scope=scope), scope.get("client")
        kept = [(name, value) for name, value in scope["headers"] if name.decode("latin-1") not in FORWARDED]
        changed = {**scope, "headers": kept}
        if client is None or not self.is_ours(client[0]):
            return changed
        sender = self.sender(client[0], ",".join(headers.getlist("x-forwarded-for")))
        changed["client"] = (sender, 0 if sender != client[0] else client[1])
        if nearest(headers, "x-forwarded-proto").lower() == "https":
            changed["scheme"] = ENCRYPTED.get(scope["scheme"], scope["scheme"])
        host = nearest(headers, "x-forwarded-host")
        if host:
            changed["headers"] = [
                *((name, value) for name, value in kept if name != b"host"),
                (b"host", host.encode("latin-1")),
            ]
        return changed

    def sender(self, nearest_proxy: str, chain: str) -> str:
        """The nearest address in the chain of proxies that is not one of ours: what stands beyond it may be made up."""
        found = nearest_proxy
        for text in reversed([part.strip() for part in chain.split(",") if part.strip()]):
            if not is_address(text):
                break
            found = text
            if not self.is_ours(text):
                break
        return found

    def is_ours(self, address: str) -> bool:
        """Is it the address of a trusted proxy?"""
        if not is_address(address):
            return False
        number = ip_address(address)
        number = getattr(number, "ipv4_mapped", None) or number
        return any(number in network for network in self.trusted)


def nearest(headers: Headers, name: str) -> str:
    """What the nearest proxy says. The values that stand before it came from farther away."""
    return ",".join(headers.getlist(name)).rpartition(",")[2].strip()


def of_household(address: str) -> str:
    """What stands for one sender: an IPv4 address, or an IPv6 network of 64 bits, in which each can choose freely."""
    if not is_address(address):
        return address
    number = ip_address(address)
    if number.version == 4:
        return address
    return str(number.ipv4_mapped or ip_network((int(number) >> 64 << 64, 64)))
