"""A site: what it has, read from a TOML file or from the command line, and the files that it is made of.

title = "Our games"

[[page]]
game = "connect4"
players = ["engine(heuristic=mine.py:mine)", "alphabeta(depth=4)"]

[[tournament]]
store = "results.db"
name = "cup"
"""

import functools
import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from zermelo.errors import FileError, PublishError, ZermeloError
from zermelo.files.whole import BAD_JSON
from zermelo.games import find_game, read_game
from zermelo.language import LANGUAGES, _, marked
from zermelo.position import Game
from zermelo.publish.bundling import bundle
from zermelo.publish.drawn import drawn_game, words_for
from zermelo.publish.module import Module, leaves_solver_out, published
from zermelo.publish.pages import (
    TEXTS,
    Frame,
    GamePage,
    PublishedPlayer,
    as_json,
    game_main,
    icon,
    named,
    page_script,
    player_script,
    style,
)
from zermelo.puzzles import Puzzle, puzzles_of
from zermelo.searches.growing import NODES_PER_SIMULATION

USUAL_PLAYER = marked("Engine"), "engine(seconds=0.5)"
"""Its title, which a page says in its reader's language, and its text."""
MARK = "site.json"
"""The file by which a former site is recognised; it lists the files of the site."""
MADE_BY = "zermelo publish"
DEPTHS = {marked("Beginner"): {"depth": 1}, marked("Easy"): {"depth": 2}, marked("Medium"): {"depth": 4}}
SIMULATIONS = {marked("Beginner"): 10, marked("Easy"): 60, marked("Medium"): 400}
"""The same for Monte Carlo tree search, which has no depth: the number of simulations."""
TIMES = {marked("Strong"): {"milliseconds": 300}, marked("Strongest"): {"milliseconds": 2000}}
OWN = marked("As published")
UNLIMITED = {"milliseconds": 1000}
"""For a player that has no budget of its own."""

Tell = Callable[[str], None]


@dataclass(frozen=True)
class PagePlan:
    """The page of a game, not yet compiled."""

    game: Game
    players: tuple[tuple[str, str], ...]
    """(title, the player as text)"""
    title: str = ""
    name: str = ""
    about: str = ""
    analysis: bool = False
    puzzles: bool = False
    """Does the page show the game's puzzles?"""
    is_lenient: bool = False
    """Are players that cannot be published left out, with a note?"""


@dataclass(frozen=True)
class ReportPlan:
    """A report that the site archives. html(above) writes it, with some HTML above the results."""

    title: str
    name: str
    html: Callable[[str], str]
    play: PagePlan | None = None
    """The page on which its contestants can be played against."""


@dataclass(frozen=True)
class SitePlan:
    """A whole site."""

    title: str
    pages: tuple[PagePlan, ...]
    reports: tuple[ReportPlan, ...] = ()
    notes: tuple[str, ...] = ()
    """What could not be published, and why."""


@dataclass
class Site:
    """The files of a site, by their paths, and what it has."""

    files: dict[str, bytes] = field(default_factory=dict)
    pages: list[dict[str, Any]] = field(default_factory=list)

    def add(self, path: str, text: str | bytes) -> None:
        self.files[path] = text.encode() if isinstance(text, str) else text


# ------------------------------------------------------------------------------------------ plans


def read_site(path: Path, reports: Mapping[str, Callable[[Mapping[str, Any], Path], ReportPlan]]) -> SitePlan:
    """The plan in a TOML file. reports: how the tables other than `page` are read, by their names."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FileError("{path}: cannot be read: {reason}", path=path, reason=error.strerror) from None
    except BAD_JSON as error:
        raise FileError("{path}: this is not a TOML file: {reason}", path=path, reason=error) from None
    unknown = set(data) - {"title", "page", *reports}
    if unknown:
        raise FileError(
            "{path}: {name!r} is not known; a site has title and the tables {known}",
            path=path, name=min(unknown), known=", ".join(f"[[{name}]]" for name in ("page", *reports)),
        )  # fmt: skip
    pages = [_page(one, path) for one in _tables(data, "page", path)]
    found = [read(one, path) for name, read in reports.items() for one in _tables(data, name, path)]
    if not pages and not found:
        raise FileError("{path}: it has no [[page]]", path=path)
    return SitePlan(str(data.get("title", marked("Games"))), tuple(pages), tuple(found))


def _tables(data: Mapping[str, Any], name: str, path: Path) -> Sequence[Mapping[str, Any]]:
    found = data.get(name, [])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise FileError("{path}: write [[{name}]] for each {name}", path=path, name=name)
    return found


def _page(table: Mapping[str, Any], path: Path) -> PagePlan:
    kinds = {"game": str, "players": list, "title": str, "name": str, "about": str, "scores": bool, "puzzles": bool}
    rights = {str: '"..."', list: '["...", "..."]', bool: "true / false"}
    for key, value in table.items():
        if key not in kinds:
            raise FileError(
                "{path}: {name!r} is not known in [[page]]; it takes {known}",
                path=path, name=key, known=", ".join(kinds),
            )  # fmt: skip
        if not isinstance(value, kinds[key]):
            raise FileError(
                "{path}: {name} in [[page]] is {value!r}; write {name} = {right}",
                path=path, name=key, value=value, right=rights[kinds[key]],
            )  # fmt: skip
    if "game" not in table:
        raise FileError("{path}: a [[page]] needs a game", path=path)
    return page_plan(
        table["game"],
        [str(one) for one in table.get("players", [])],
        title=table.get("title", ""),
        name=table.get("name", ""),
        about=table.get("about", ""),
        analysis=table.get("scores", False),
        puzzles=table.get("puzzles", False),
    )


def page_plan(game: str | Game, players: Sequence[str] = (), **told: Any) -> PagePlan:
    """The plan of a page. A player may have a title: `Our best = engine(heuristic=mine.py:mine)`."""
    found = game if isinstance(game, Game) else read_game(game)
    return PagePlan(found, tuple(map(titled, players)) or (USUAL_PLAYER,), **told)


def titled(text: str) -> tuple[str, str]:
    """The title of a player, and its text."""
    named = re.fullmatch(r"\s*([^=()]*[^=()\s])\s*=\s*(\S.*)", text)
    return (named[1], named[2]) if named else (text, text)


def levels_of(module: Module) -> tuple[tuple[str, dict[str, Any]], ...]:
    """The levels at which a page offers a player: its own budget first, then smaller and larger ones."""
    told = module.manifest["player"]
    own = {OWN: {} if told.get("budget") else UNLIMITED}
    kind = told.get("kind", "")
    if told["grows_tree"]:
        cost = NODES_PER_SIMULATION if kind == "engine" else 1
        few = {name: {"nodes": cost * number, "solver": False} for name, number in SIMULATIONS.items()}
        return tuple((own | few | TIMES).items())
    if kind == "engine":
        return tuple((own | DEPTHS | TIMES).items())
    return tuple((own | DEPTHS).items())


# ------------------------------------------------------------------------------------------ the files


def compiled_page(
    plan: PagePlan, tell: Tell, compile_player: Callable[[Game, str], Module] = published
) -> GamePage | None:
    """The page of a plan, with its players compiled; None if no player can be. tell(text) is called before each."""
    if plan.puzzles and not _puzzles(plan.game):
        raise PublishError("{game} has no puzzles", game=plan.game)
    drawn_game(plan.game)  # which is quick, and says if the game cannot be drawn
    players = []
    for title, text in plan.players:
        tell(_("compiling {player} for {game}…").format(player=text, game=_(plan.game.title)))
        try:
            module = compile_player(plan.game, text)
        except ZermeloError as error:
            if not plan.is_lenient:
                raise
            tell(_("{player} is left out: {reason}").format(player=title, reason=error))
            continue
        if leaves_solver_out(plan.game, text):
            tell(
                _(
                    "{player} searches where the engine at your terminal asks the solver of {game}, which is not on "
                    "the page; with solver=no both play the same moves"
                ).format(player=title, game=_(plan.game.title))
            )
        players.append(PublishedPlayer(title, module, levels_of(module)))
    if not players:
        return None
    title = plan.title or plan.game.title  # which the page says in the language of its reader
    puzzles = _puzzles(plan.game) if plan.puzzles else ()
    return GamePage(plan.game, tuple(players), title, plan.name or slug(title), plan.about, plan.analysis, puzzles)


def _puzzles(game: Game) -> tuple[Puzzle, ...]:
    """The puzzles of a game with just these options."""
    return tuple(one for one in puzzles_of(game) if find_game(one.game) == game)


def single_file(plan: PagePlan, tell: Tell, compile_player: Callable[[Game, str], Module] = published) -> str:
    """A page as one HTML file."""
    page = compiled_page(plan, tell, compile_player)
    assert page is not None  # an error was raised
    main = game_main(page)
    scripts = [page.script(False, ""), *map(player_script, page.players), page_script()]
    return Frame(page.title, main, scripts, inside=True).html()


def site_files(plan: SitePlan, tell: Tell, compile_player: Callable[[Game, str], Module] = published) -> Site:
    """All files of a site. A site with one page and no reports is that page alone."""
    site = Site()
    once = functools.cache(compile_player)
    alone = len(plan.pages) == 1 and not plan.reports
    names: set[str] = set()
    cards: list[tuple[GamePage, str]] = []

    def add(one: PagePlan | None) -> tuple[GamePage, str] | None:
        page = compiled_page(one, tell, once) if one is not None else None
        if page is None:
            return None
        folder = "" if alone else f"{_new(page.name, names)}/"
        _add_page(site, page, folder, "" if alone else "../")
        cards.append((page, folder))
        return page, folder

    for one in plan.pages:
        add(one)
    links = [_add_report(site, one, names, add(one.play), plan.title) for one in plan.reports]
    if not alone:
        _add_gallery(site, plan, cards, links)
    _add_shared(site, plan.title if not alone else cards[0][0].title)
    return site


def _new(name: str, names: set[str]) -> str:
    found, number = name, 2
    while found in names:
        found, number = f"{name}-{number}", number + 1
    names.add(found)
    return found


def slug(title: str) -> str:
    """A name for a folder."""
    return re.sub("[^a-z0-9]+", "-", title.lower()).strip("-") or "page"


def _add_page(site: Site, page: GamePage, folder: str, root: str) -> None:
    main = game_main(page)
    scripts = ["game.js"]
    for number, player in enumerate(page.players, 1):
        site.add(f"{folder}player-{number}.js", player_script(player))
        site.add(f"{folder}player-{number}.wasm", player.module.data)
        scripts.append(f"player-{number}.js")
    site.add(f"{folder}game.js", page.script(True, root))
    home = "../index.html" if root else ""
    frame = Frame(page.title, main, [*scripts, f"{root}zermelo.js"], root=root, home=home)
    site.add(f"{folder}index.html", frame.html())
    sizes = [{"title": one.title, "wasm": len(one.module.data), "weights": one.module.weights} for one in page.players]
    site.pages.append({"title": page.title, "address": f"{folder}index.html", "game": str(page.game), "players": sizes})


def _add_report(
    site: Site, plan: ReportPlan, names: set[str], play: tuple[GamePage, str] | None, home: str
) -> tuple[str, str]:
    folder = f"{_new(plan.name, names)}/"
    above = f'<p><a href="../index.html">← {escape(home)}</a></p>'
    if play is not None:
        page, where = play
        links = [
            f'<li><a href="../{where}index.html#second={number}.0">{escape(player.title)}</a></li>'
            for number, player in enumerate(page.players)
        ]
        words = _("Play against the contestants:")
        above += f"<p>{escape(words)}</p><ul>{''.join(links)}</ul>"
    site.add(f"{folder}index.html", plan.html(above))
    site.pages.append({"title": plan.title, "address": f"{folder}index.html"})
    return plan.title, f"{folder}index.html"


def _add_gallery(
    site: Site, plan: SitePlan, cards: Sequence[tuple[GamePage, str]], reports: Sequence[tuple[str, str]]
) -> None:
    items = []
    for page, folder in cards:
        site.add(f"{folder}board.svg", page.game_picture())
        players = ", ".join(f"<span{named(player.title)}</span>" for player in page.players)
        about = escape(page.about) if page.about else players
        image = f'<span class="card-board"><img src="{folder}board.svg" alt=""></span>'
        items.append(
            f'<li class="card"><a href="{folder}index.html">{image}<h2{named(page.title)}</h2><p>{about}</p></a></li>'
        )
    listed = "".join(f'<li><a href="{address}">{escape(title)}</a></li>' for title, address in reports)
    more = f'<h2 data-t="Results">Results</h2><ul>{listed}</ul>' if listed else ""
    TEXTS.add(marked("Results"))
    main = f'<h1{named(plan.title)}</h1>\n<ul class="cards">{"".join(items)}</ul>\n{more}'
    frame = Frame(plan.title, main, ["gallery.js"])
    site.add("index.html", frame.html())
    titles = {plan.title, *(page.title for page, _folder in cards)}
    titles |= {player.title for page, _folder in cards for player in page.players}
    known = {"words": words_for(TEXTS | titles), "languages": LANGUAGES, "players": [], "page": {"root": ""}}
    site.add("gallery.js", f"globalThis.zermelo = {as_json(known)};\n{bundle('gallery')}")


def _add_shared(site: Site, title: str) -> None:
    """What all pages of a site share, and what makes it an app."""
    site.add("zermelo.js", page_script())
    site.add("zermelo.css", style())
    site.add("icon.svg", icon())
    manifest = {
        "name": title,
        "short_name": title[:30],
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#f7f8fa",
        "theme_color": "#2457a8",
        "icons": [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"}],
    }
    site.add("manifest.webmanifest", json.dumps(manifest, ensure_ascii=False, indent=1))
    site.add("service-worker.js", _service_worker(site))
    site.add(MARK, json.dumps({"made_by": MADE_BY, "files": sorted([*site.files, MARK])}, indent=1))


def _service_worker(site: Site) -> str:
    digest = hashlib.sha256()
    for path in sorted(site.files):
        digest.update(path.encode() + b"\0" + site.files[path])
    kept = [path.removesuffix("index.html") or "./" for path in _kept(site.files)]
    source = (Path(__file__).parent / "static" / "service_worker.js").read_text(encoding="utf-8")
    told = {"name": f"zermelo-{digest.hexdigest()[:16]}", "files": sorted(kept)}
    return f"const SITE = {as_json(told)};\n{source}"


def _kept(files: Mapping[str, bytes]) -> Iterator[str]:
    """The files that an installed app keeps: all that its pages load."""
    return (path for path in files if not path.endswith(".wasm"))


def check_titles(plan: SitePlan) -> None:
    """PublishError if a page has two players of the same title, since nobody could tell them apart."""
    for page in plan.pages:
        titles = [title for title, _text in page.players]
        twice = next((title for title in titles if titles.count(title) > 1), None)
        if twice is not None:
            raise PublishError("{title} is there twice: write a title before each, as in 'A = {title}'", title=twice)
