"""What a proxy says about a request is believed only if it is one of ours."""

import pytest

from zermelo.errors import ZermeloError
from zermelo.web.proxies import Proxies, networks, of_household


def told(peer, headers, trusted=("127.0.0.1", "10.0.0.0/8", "::1"), scheme="http"):
    """The client, the scheme and the host of a request as the app sees it, and the headers that are left."""
    raw = [(b"host", b"127.0.0.1:8000"), *((name.encode(), value.encode()) for name, value in headers)]
    scope = {"type": "http", "scheme": scheme, "client": (peer, 5000), "headers": raw}
    seen = Proxies(None, networks(trusted)).told(scope)
    left = {name.decode(): value.decode() for name, value in seen["headers"]}
    return seen["client"][0], seen["scheme"], left.pop("host"), left


FORGED = [
    ("x-forwarded-for", "1.2.3.4"),
    ("x-forwarded-proto", "https"),
    ("x-forwarded-host", "evil.example"),
    ("forwarded", "for=1.2.3.4;proto=https"),
    ("x-real-ip", "1.2.3.4"),
]


@pytest.mark.parametrize("peer", ["192.168.1.7", "11.0.0.1", "::2", "127.0.0.2", "unix", ""])
def test_from_others_it_is_removed(peer):
    assert told(peer, FORGED) == (peer, "http", "127.0.0.1:8000", {})


def test_nobody_is_believed_unless_the_owner_names_a_proxy():
    assert told("127.0.0.1", FORGED, trusted=()) == ("127.0.0.1", "http", "127.0.0.1:8000", {})


@pytest.mark.parametrize("peer", ["127.0.0.1", "::1", "10.1.2.3", "::ffff:127.0.0.1"])
def test_our_proxies_are_believed(peer):
    headers = [("x-forwarded-for", "7.7.7.7"), ("x-forwarded-proto", "https"), ("x-forwarded-host", "arena.example")]
    assert told(peer, headers) == ("7.7.7.7", "https", "arena.example", {})
    assert told(peer, headers, scheme="ws")[1] == "wss"


@pytest.mark.parametrize(
    ("chain", "client"),
    [
        (["1.2.3.4, 7.7.7.7"], "7.7.7.7"),  # the sender wrote the first one
        (["1.2.3.4", "7.7.7.7, 10.0.0.5"], "7.7.7.7"),  # two proxies of ours, in two headers
        (["10.0.0.9, 10.0.0.5"], "10.0.0.9"),
        (["127.0.0.1"], "127.0.0.1"),
        (["nonsense, 10.0.0.5"], "10.0.0.5"),
        (["<script>"], "127.0.0.1"),
        ([""], "127.0.0.1"),
        (["7.7.7.7:4711"], "127.0.0.1"),
    ],
)
def test_the_sender_is_the_nearest_that_is_not_ours(chain, client):
    assert told("127.0.0.1", [("x-forwarded-for", one) for one in chain])[0] == client


def test_the_nearest_proxy_has_the_last_word():
    headers = [("x-forwarded-proto", "https, http"), ("x-forwarded-host", "evil.example, arena.example")]
    assert told("127.0.0.1", headers)[1:3] == ("http", "arena.example")


def test_a_proxy_that_is_not_an_address_is_an_error():
    with pytest.raises(ZermeloError, match=r"'nginx' is not an address"):
        networks(["nginx"])


def test_addresses_are_counted_by_household():
    assert of_household("7.7.7.7") == "7.7.7.7"
    assert of_household("2001:db8:1:2:3:4:5:6") == of_household("2001:db8:1:2:ffff::1") == "2001:db8:1:2::/64"
    assert of_household("::ffff:7.7.7.7") == "7.7.7.7"
    assert of_household("unix") == "unix"
