"""The protection of the arena: other sites, forged headers, limits, texts of others, and its API against its schema."""

import re
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
import schemathesis
import schemathesis.specs.openapi.checks as checks
from fastapi.routing import APIRoute
from hypothesis import HealthCheck, Phase, settings

from web.arena.conftest import GOOD, Arena
from web.test_api import all_routes
from zermelo.arena.settings import ArenaSettings
from zermelo.web.arena.app import create_arena_app
from zermelo.web.arena.forms import form
from zermelo.web.arena.hand_in import token_or_key
from zermelo.web.arena.settings import Rates, ServerSettings
from zermelo.web.limits import Counter, Rate
from zermelo.web.security import SECURITY_HEADERS, require_token

SENT = {"filename": "mine.py", "text": GOOD}


def test_every_answer_has_the_security_headers(arena, anna):
    for path in ("/", "/me", "/enter?key=x", "/join", "/nothing", "/api/submissions/77", "/static/x"):
        answer = anna.http.get(path)
        for name, value in SECURITY_HEADERS.items():
            if name != "Referrer-Policy":
                assert answer.headers[name] == value, path


ELSEWHERE = [
    {"Host": "evil.example"},
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"X-Zermelo-Token": ""},
    {"X-Zermelo-Token": "wrong"},
    {"Authorization": "Basic x", "X-Zermelo-Token": ""},
]


def test_other_sites_hand_in_nothing(arena, anna):
    for headers in ELSEWHERE:
        assert anna.http.post("/api/submissions", json=SENT, headers=headers).status_code in (400, 403), headers
    assert arena.records.submissions() == []


def test_whatever_is_no_get_needs_the_token_or_a_key(arena):
    routes = [one for one in all_routes(arena.app) if isinstance(one, APIRoute) and one.methods - {"GET", "HEAD"}]
    assert len(routes) >= 3
    for route in routes:
        calls = {dependency.call for dependency in route.dependant.dependencies}
        assert calls & {require_token, token_or_key, form}, route.path


def test_a_wrong_name_of_the_host_is_explained(arena, anna):
    answer = anna.http.get("/", headers={"Host": "teacher.local"})
    assert answer.status_code == 400 and "zermelo arena serve" in answer.text and "--allow-host" in answer.text


# ------------------------------------------------------------------------------------------ behind a proxy


@pytest.fixture
def proxied(tmp_path):
    """An arena behind a proxy on this machine, under a name of its own."""
    server = ServerSettings(data=tmp_path, proxies=("127.0.0.1",), allowed_hosts=frozenset({"arena.example"}))
    started = Arena(tmp_path, server=server)
    yield started
    started.close()


def test_behind_a_proxy_cookies_are_secure_and_links_are_right(proxied):
    told = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "7.7.7.7", "Host": "arena.example"}
    with proxied.client(headers=told) as http:
        page = http.get("/join", params={"key": proxied.keys["join"]}).text
        token = re.search('name="token" value="([^"]+)"', page)[1]
        data = {"token": token, "key": proxied.keys["join"], "name": "Zoë"}
        assert http.post("/join", data=data, headers={"Origin": "https://evil.example"}).status_code == 403
        answer = http.post("/join", data=data, headers={"Origin": "https://arena.example"})
        assert "; Secure" in answer.headers["set-cookie"]
        assert 'value="https://arena.example/enter?key=' in answer.text
        assert http.get("/", headers={"X-Forwarded-Host": "evil.example"}).status_code == 400


def test_without_a_proxy_forged_headers_change_nothing(arena):
    forged = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "7.7.7.7", "X-Forwarded-Host": "evil.example"}
    with arena.client(headers=forged) as http:
        answer = http.get("/enter", params={"key": arena.keys["teacher"]})
        assert answer.status_code == 200 and "Secure" not in answer.headers["set-cookie"]


# ------------------------------------------------------------------------------------------ limits


def limited(tmp_path, **rates):
    return Arena(
        tmp_path,
        server=ServerSettings(
            data=tmp_path,
            proxies=("127.0.0.1",),
            rates=replace(Rates(), **{name: Rate(number, 1e-9) for name, number in rates.items()}),
        ),
    )


def test_an_address_cannot_ask_for_ever(tmp_path):
    arena = limited(tmp_path, address=10)
    try:
        with arena.client() as http:
            answers = [http.get("/", headers={"X-Forwarded-For": "7.7.7.7"}) for _ in range(12)]
            assert [one.status_code for one in answers] == [403] * 10 + [429] * 2
            assert int(answers[-1].headers["retry-after"]) > 0 and "Too many requests" in answers[-1].text
            assert http.get("/", headers={"X-Forwarded-For": "8.8.8.8"}).status_code == 403
    finally:
        arena.close()


def test_a_student_cannot_ask_for_ever_wherever_from(tmp_path):
    arena = limited(tmp_path, person=5)
    try:
        anna, ben = arena.student("Anna"), arena.student("Ben")
        statuses = [anna.http.get("/me", headers={"X-Forwarded-For": f"7.7.7.{n}"}).status_code for n in range(7)]
        assert statuses == [200] * 5 + [429] * 2
        assert ben.http.get("/me").status_code == 200
    finally:
        arena.close()


def test_keys_cannot_be_tried_for_ever_nor_classes_filled(tmp_path):
    arena = limited(tmp_path, wrong_keys=3, joining=2)
    try:
        with arena.client() as http:
            tried = [http.get("/enter", params={"key": f"wrong{number}"}).status_code for number in range(5)]
            assert tried == [403] * 3 + [429] * 2
        joined = []
        for name in ("a", "b", "c"):
            data = {"token": arena.token, "key": arena.keys["join"], "name": name}
            joined.append(httpx.post(f"{arena.address}/join", data=data).status_code)
        assert joined == [200, 200, 429]
    finally:
        arena.close()


def test_handing_in_too_fast_is_refused_in_words(arena, anna):
    answers = [
        anna.http.post("/api/submissions", json={"filename": "mine.py", "text": f"{GOOD}# {number}\n"})
        for number in range(8)
    ]
    assert {one.status_code for one in answers} == {201, 429} and answers[-1].json()["error"]


def test_the_counts_are_bounded_and_come_back():
    time = [0.0]
    counter = Counter(Rate(2, 0.5), most=100, clock=lambda: time[0])
    assert [counter.wait("a") for _ in range(4)] == [0, 0, 2, 2]
    time[0] = 2.0
    assert [counter.wait("a") for _ in range(2)] == [0, 2]
    time[0] = -1000.0  # a clock that jumps
    assert counter.wait("a") == 2
    for number in range(1000):
        counter.wait(str(number))
    assert len(counter) == 100


# ------------------------------------------------------------------------------------------ without a sandbox


def test_without_a_sandbox_every_page_warns(tmp_path):
    arena = Arena(tmp_path, server=ServerSettings(data=tmp_path, trusts_everyone=True))
    try:
        anna = arena.student("Anna")
        for path in ("/", "/me", "/rounds", "/projector", "/final"):
            assert "without a sandbox" in anna.http.get(path).text, path
    finally:
        arena.close()


def test_with_a_sandbox_no_page_warns(anna):
    assert "without a sandbox" not in anna.http.get("/").text


# ------------------------------------------------------------------------------------------ the schema


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    started = Arena(tmp_path_factory.mktemp("arena"), quota=10_000)
    started.anna = started.student("Anna")
    started.anna.http.post("/api/submissions", json=SENT)
    yield started
    started.close()


CHECKS = [
    schemathesis.checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]

# The schema does not depend on the records. What the lab has, too, is tried there.
schema = schemathesis.openapi.from_dict(create_arena_app(ArenaSettings(Path(), "", "tictactoe"), None).openapi())
schema = schema.include(path_regex="^/api/(submissions|ladder|session|games)")


@schema.parametrize()
@settings(
    max_examples=6, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate]
)
def test_the_api_keeps_to_its_schema(case, filled):
    case.headers = {**(case.headers or {}), "Authorization": f"Bearer {filled.anna.key}"}
    case.call_and_validate(base_url=filled.address, checks=CHECKS, timeout=120)
