"""The documentation site builds offline without a warning, its links work, and it loads nothing from elsewhere."""

import doctest
import inspect
import os
import re
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import zermelo
from zermelo.games import game_names

pytest.importorskip("furo")

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
LOADED_BY = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src"}
BOARDS = tuple(page["name"] for page in tomllib.loads((DOCS / "play" / "site.toml").read_text())["page"])
LOADED_LINKS = {"stylesheet", "icon", "preload", "prefetch", "modulepreload", "preconnect", "manifest"}


class Page(HTMLParser):
    """What a page links to, what it loads, and where one can jump to in it."""

    def __init__(self, file):
        super().__init__()
        self.links, self.loaded, self.anchors = [], [], set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if given.get("id"):
            self.anchors.add(given["id"])
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag == "link" and set(given.get("rel", "").split()) & LOADED_LINKS:
            self.loaded.append(given["href"])
        if given.get(LOADED_BY.get(tag, "")):
            self.loaded.append(given[LOADED_BY[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built as `make docs` builds it: any warning, such as a page in no table of contents, is an error."""
    folder = tmp_path_factory.mktemp("site")
    for name in BOARDS:  # `make docs` publishes the real ones first
        (folder / "html" / "play" / name).mkdir(parents=True)
        (folder / "html" / "play" / name / "index.html").write_text("a board")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-d", str(folder / "doctrees")]
    offline = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
    done = subprocess.run(
        [*command, str(DOCS), str(folder / "html")], env=os.environ | offline, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return folder / "html"


@pytest.fixture(scope="module")
def pages(site):
    return {file.relative_to(site).as_posix(): Page(file) for file in sorted(site.rglob("*.html"))}


def local_target(page, link):
    """(page, anchor) that a link leads to within the site, or None if it leads out of it."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    path = os.path.normpath(os.path.join(os.path.dirname(page), unquote(parts.path))) if parts.path else page
    return path, unquote(parts.fragment)


def test_every_link_and_anchor_leads_somewhere(site, pages):
    for name, page in pages.items():
        for link in page.links:
            target = local_target(name, link)
            if target is None:
                continue
            path, anchor = target
            assert (site / path).exists(), f"{name}: {link}"
            if anchor and path in pages:
                assert anchor in pages[path].anchors, f"{name}: {link}"


def test_every_page_is_reached_from_the_first(pages):
    sources = {file.relative_to(DOCS).with_suffix(".html").as_posix() for file in DOCS.rglob("*.md")}
    reached, waiting = set(), ["index.html"]
    while waiting:
        name = waiting.pop()
        if name in reached or name not in pages:
            continue
        reached.add(name)
        targets = (local_target(name, link) for link in pages[name].links)
        waiting += [target[0] for target in targets if target is not None]
    assert sources <= reached


def test_all_that_is_loaded_is_there_and_nothing_from_another_host(site, pages):
    for name, page in pages.items():
        for address in page.loaded:
            parts = urlsplit(address)
            assert parts.scheme in ("", "data") and not parts.netloc, f"{name}: {address}"
            target = local_target(name, address)
            assert target is None or (site / target[0]).exists(), f"{name}: {address}"
    for file in site.rglob("*.css"):
        for address in re.findall(r"(?:url\(|@import\s+)[\"']?([^\"')\s]+)", file.read_text(encoding="utf-8")):
            assert not address.startswith(("http", "//")), f"{file.name}: {address}"


def test_boards_to_play_on_are_linked(pages):
    """Each game's page, the picture on the front page, and the tutorial beside its heuristics."""
    for name in (name for name in game_names() if "/" not in name):  # trees have no boards
        assert f"../play/{name}/index.html" in pages[f"games/{name}.html"].links
    assert "play/connect4-exact/index.html" in pages["index.html"].links
    assert "play/tutorial/index.html" in pages["tutorial.html"].loaded


def test_it_can_be_searched(site):
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert "pentanomi" in index or "pentanomial" in index
    assert (site / "search.html").exists()


def test_all_public_names_are_in_the_reference(pages):
    headings = pages["reference/python.html"].anchors
    missing = [name for name in zermelo.__all__ if name.strip("_").replace("_", "-").lower() not in headings]
    assert missing == ["__version__"]


def test_texts_are_marked_as_code_where_they_are_code(monkeypatch):
    monkeypatch.syspath_prepend(DOCS / "_site")
    import zermelo_site

    assert doctest.testmod(zermelo_site).failed == 0


def test_every_command_is_in_the_reference(site):
    from zermelo.cli.main import cli

    text = (site / "reference" / "command-line.html").read_text(encoding="utf-8")
    for name, command in cli.commands.items():
        assert command.hidden or f"zermelo-{name}" in text
    assert "zermelo analyse connect4 324443 --depth 8" in re.sub("<[^>]+>", "", text)


# ------------------------------------------------------------------------------------------ the pages of games

SECTIONS = [
    "How to play",
    "Rules",
    "Notation",
    "State",
    "What is known",
    "Heuristics",
    "The engine",
    "Solver",
    "Players",
    "Figures",
]
NEEDED = {"Rules", "Notation", "State", "What is known", "Heuristics"}
GAMES = sorted({name.partition("/")[0] for name in game_names()} & {file.stem for file in DOCS.glob("games/*.md")})


def test_every_game_of_ours_has_a_page():
    assert {folder.parent.name for folder in (ROOT / "src/zermelo/games").glob("*/__init__.py")} == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_pages_of_games_have_the_same_order(name):
    text = (DOCS / "games" / f"{name}.md").read_text(encoding="utf-8")
    found = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert found == [section for section in SECTIONS if section in found]
    assert set(found) >= NEEDED
    assert re.search(r"!\[.+\]\(\.\./images/\w+\.svg\)", text), "no drawing"


def game_options(game):
    parameters = inspect.signature(type(game)).parameters.values()
    return [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD and p.name != "variant"]


@pytest.mark.parametrize("name", GAMES)
def test_pages_of_games_name_their_heuristics_options_and_players(name):
    from zermelo.games import find_game
    from zermelo.players import named_players

    text = (DOCS / "games" / f"{name}.md").read_text(encoding="utf-8")
    game = find_game(next(full for full in game_names() if full.partition("/")[0] == name))
    written = [heuristic for heuristic in game.heuristics.values() if heuristic.name == heuristic.function.__name__]
    for heuristic in written:  # not those with learned weights, of which there will be more
        assert f"`{heuristic.name}`" in text
    for option in game_options(game):
        assert f"`{option}" in text
    for player in named_players(game):
        assert f"`{player}`" in text
