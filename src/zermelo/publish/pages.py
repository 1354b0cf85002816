"""The HTML of a site: the page of a game, the gallery, and what a browser needs to install them as an app."""

import base64
import functools
import hashlib
import json
import zlib
from dataclasses import dataclass, field
from html import escape
from typing import Any

from zermelo.language import LANGUAGES, marked
from zermelo.players.modules import state_bytes
from zermelo.position import Game, random_playout
from zermelo.publish.bundling import LAB, OWN, bundle, said_in
from zermelo.publish.drawn import drawn_game, words_for
from zermelo.publish.module import Module
from zermelo.puzzles import Puzzle

SIZES = (1, 3, 10)  # seconds that an analysis may take
LOGO = (
    '<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="4.5" r="3"/><circle cx="5" cy="19" r="3"/>'
    '<circle cx="19" cy="19" r="3" class="hollow"/><path d="M10.7 7.3 6.4 16.2M13.3 7.3l4.3 8.9"/></svg>'
)
COPY_LINK, PUZZLES, PUZZLE = marked("Copy link"), marked("Puzzles"), marked("Puzzle")
NEXT, ANSWER = marked("Next"), marked("Show the answer")
"""Texts that only these pages have. (Within the text of a page, the tool that collects them would not find them.)"""

TEXTS: set[str] = set()
"""The texts of the HTML, which the page's script translates."""


@dataclass(frozen=True)
class PublishedPlayer:
    """A compiled player, and the levels at which a page offers it."""

    title: str
    module: Module
    levels: tuple[tuple[str, dict[str, Any]], ...]
    """(title, limits of the search: depth, nodes, milliseconds)"""


@dataclass(frozen=True)
class GamePage:
    """The page of a game."""

    game: Game
    players: tuple[PublishedPlayer, ...]
    title: str
    name: str
    """Its folder in a gallery."""
    about: str = ""
    """A sentence below the title in the gallery."""
    analysis: bool = False
    """Does it show what every move is worth, unless the reader switches that off?"""
    puzzles: tuple[Puzzle, ...] = ()
    """Puzzles to solve on it, instead of a game from the beginning."""

    @property
    def usual(self) -> str:
        """The opponent, unless another is chosen: player and level, counted from 0. Nobody answers in a puzzle."""
        return "person" if self.puzzles else "0.0"

    @property
    def settings(self) -> dict[str, Any]:
        """What the page's script is told."""
        return {
            "title": self.title,
            "words": list(self.game.notation_words),
            "players": [
                {"title": one.title, "levels": [{"title": name, "options": limits} for name, limits in one.levels]}
                for one in self.players
            ],
            "usual": self.usual,
            "adviser": 0,
            "analysis": self.analysis,
            "marked": self.game.marked_moves,
            "puzzles": [self._told(one) for one in self.puzzles],
        }

    def _told(self, puzzle: Puzzle) -> dict[str, Any]:
        places = self.players[0].module.manifest["memory"]
        state = state_bytes(puzzle.start.state, lambda name, _array: places[f"array {name}"]["address"])
        told = {"id": puzzle.id, "move": puzzle.move, "rating": puzzle.rating}
        return told | {"state": base64.b64encode(state).decode()}

    def script(self, installable: bool, root: str) -> str:
        """The game's own part: its drawing, the words of all languages, and what the page is told."""
        drawn = drawn_game(self.game)
        levels = {name for one in self.players for name, _limits in one.levels}
        titles = {self.title, *(one.title for one in self.players)}
        words = words_for(drawn.texts | TEXTS | levels | said_in(page_script()) | titles)
        told = self.settings | {"installable": installable, "root": root}
        known = {"page": told, "words": words, "languages": LANGUAGES}
        return f"globalThis.zermelo = {{players: [], ...{as_json(known)}, program: {drawn.script}}};\n"

    def game_picture(self) -> str:
        """A picture of the game for a gallery."""
        return random_playout(self.game.start(), 7, self.game.shown_plies).picture().svg("image")


def player_script(player: PublishedPlayer) -> str:
    """A player as a script, since a page that is a file may not load anything else."""
    packed = zlib.compress(player.module.data, 9)
    told = {"manifest": player.module.manifest, "wasm": base64.b64encode(packed).decode()}
    return f"globalThis.zermelo.players.push({as_json(told)});\n"


@functools.cache
def page_script() -> str:
    """The script that all pages share."""
    worker = bundle("worker")
    return bundle("page", {"worker_source": f"export const workerSource = {as_json(worker)};\n"})


@functools.cache
def style() -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in (LAB / "css" / "lab.css", OWN / "publish.css"))


@functools.cache
def icon() -> str:
    return (LAB / "icon.svg").read_text(encoding="utf-8").strip()


def as_json(data: Any) -> str:
    """JSON that may stand in a script within HTML."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    text = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return text.replace("</", "<\\/").replace("<!--", "<\\!--")


def _digest(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


# ------------------------------------------------------------------------------------------ the frame


@dataclass
class Frame:
    """A whole HTML document. Scripts and style are files beside it, or inside it."""

    title: str
    main: str
    scripts: list[str] = field(default_factory=list)
    """The addresses of scripts, or their texts."""
    root: str = ""
    inside: bool = False
    home: str = ""
    """The address to which the name at the top leads."""

    def html(self) -> str:
        if self.inside:
            looks = f"<style>{style()}</style>"
            picture = "data:image/svg+xml;base64," + base64.b64encode(icon().encode()).decode()
            extra = ""
            scripts = "\n".join(f"<script>{text}</script>" for text in self.scripts)
        else:
            looks = f'<link rel="stylesheet" href="{self.root}zermelo.css">'
            picture = f"{self.root}icon.svg"
            extra = f'<link rel="manifest" href="{self.root}manifest.webmanifest">\n'
            scripts = "\n".join(f'<script src="{escape(name)}"></script>' for name in self.scripts)
        links = " ".join(f'<a href="#" lang="{code}" hreflang="{code}">{name}</a>' for code, name in LANGUAGES.items())
        fault = marked("Something in this page failed. Reload it; if that does not help, report it.")
        TEXTS.add(fault)
        return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{escape(self._policy())}">
<title{named(self.title)}</title>
<link rel="icon" href="{picture}" type="image/svg+xml">
{extra}{looks}
</head>
<body>
<a class="skip" href="#main"{said(marked("Skip to the content"))}</a>
<header class="top"><a class="brand" href="{self.home or "#"}">{LOGO}<span{named(self.title)}</span></a></header>
<main id="main" tabindex="-1">
{self.main}
</main>
<footer class="foot">
<nav id="languages" data-t-aria-label="{note(marked("Language"))}" aria-label="Language">{links}</nav>
</footer>
<div id="notice" class="notice" role="alert" data-fault="{escape(fault)}" hidden></div>
{scripts}
</body>
</html>
"""

    def _policy(self) -> str:
        """What the page may load: only its own parts, and nothing by a request."""
        if self.inside:
            scripts = " ".join(map(_digest, self.scripts))
            return (
                f"default-src 'none'; script-src {scripts} 'wasm-unsafe-eval'; worker-src blob:; child-src blob:; "
                f"style-src {_digest(style())}; img-src data:; base-uri 'none'; form-action 'none'"
            )
        return (
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob: 'self'; child-src blob:; "
            "style-src 'self'; img-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
        )


def note(text: str) -> str:
    """A text of the page, for an attribute. The page's script finds its translation."""
    TEXTS.add(text)
    return escape(text)


def named(title: str) -> str:
    """The same for a title, which is translated if it is that of a game; the page's script must have its words."""
    return f' data-t="{escape(title)}">{escape(title)}'


def said(text: str) -> str:
    """The end of a start tag and the text of its element; the page's script translates it."""
    return f' data-t="{note(text)}">{escape(text)}'


def _button(name: str, text: str, title: str = "", kind: str = "") -> str:
    told = f' data-t-title="{note(title)}" title="{escape(title)}"' if title else ""
    return f'<button id="{name}"{kind}{told}{said(text)}</button>'


def _seat(game: Game, number: int) -> str:
    name = game.players[number - 1]
    colours = "".join(f" c-{escape(word)}" for word in name.lower().split())
    return f"""<div class="seat" id="seat-{number}" data-player="{number}">
  <span class="stone p{number}{colours}" aria-hidden="true"></span>
  <span class="who"{said(name[:1].upper() + name[1:]) if name[:1].isupper() else said_name(name)}</span>
  <span class="quiet what"></span>
  <span class="busy" hidden{said(marked("thinks…"))}</span>
</div>"""


def said_name(name: str) -> str:
    """A player's name, which begins with a capital letter by style, since it is translated as it is."""
    return f' data-t="{note(name)}">{escape(name)}'


def _choice(game: Game, number: int, name: str) -> str:
    return f"""<div class="field"><label for="new-{name}"{said_name(game.players[number])}</label>
<select id="new-{name}" name="{name}"></select></div>"""


def _puzzle_panel() -> str:
    return f"""<section class="panel" aria-labelledby="puzzle-heading">
      <h2 id="puzzle-heading"{said(PUZZLES)}</h2>
      <p id="puzzle-said" role="status" aria-live="polite"></p>
      <div class="row wrap controls">
      <select id="puzzle" data-t-aria-label="{note(PUZZLE)}" aria-label="Puzzle"></select>
      {_button("next-puzzle", NEXT)}
      {_button("solution", ANSWER)}</div>
    </section>
    """


def game_main(page: GamePage) -> str:
    """What the page of a game shows."""
    game = page.game
    usual = SIZES[-1] if page.analysis else SIZES[1]
    seconds = "".join(f'<option value="{one}"{" selected" if one == usual else ""}>{one} s</option>' for one in SIZES)
    return f"""<h1 class="visually-hidden"{named(page.title)}</h1>
<div class="game">
  <div class="table">
    {_seat(game, 2)}
    <div class="board" id="board" inert></div>
    {_seat(game, 1)}
  </div>
  <aside class="side" data-t-aria-label="{note(marked("The game"))}" aria-label="The game">
    <p id="status" class="status" role="status" aria-live="polite"></p>
    <div class="tools" role="toolbar" data-t-aria-label="{note(marked("Game"))}" aria-label="Game">
      {_button("undo", marked("Undo"), marked("Take a move back (←)"))}
      {_button("redo", marked("Redo"), marked("Play the move again (→)"))}
      {_button("hint", marked("Hint"), marked("What would the engine play? (h)"))}
      {_button("go", marked("Continue"), kind=" hidden")}
      {_button("resign", marked("Resign"))}
      {_button("new", marked("New game"), kind=' class="primary"')}
    </div>
    {_puzzle_panel() if page.puzzles else ""}<section class="panel" aria-labelledby="best-heading">
      <div class="row between wrap">
        <h2 id="best-heading"{said(marked("Best moves"))}</h2>
        <label class="check"><input type="checkbox" id="show-scores"> <span{said(marked("show"))}</span></label>
      </div>
      <div id="scores" hidden>
        <p id="facts" class="quiet small"></p>
        <ol id="lines" class="lines"></ol>
        <div class="row wrap controls">
        <label><span{said(marked("Time limit"))}</span> <select id="seconds">{seconds}</select></label>
        {_button("stop", marked("Stop"), kind=' class="small" hidden')}</div>
      </div>
    </section>
    <section class="panel thoughts" aria-labelledby="thoughts-heading">
      <div class="row between">
        <h2 id="thoughts-heading"{said(marked("Thinking"))}</h2>
        <label class="check"><input type="checkbox" id="show-thinking" checked>
        <span{said(marked("show"))}</span></label>
      </div>
      <div id="thoughts"><p class="quiet small"{said(marked("A player's thinking appears here."))}</p></div>
    </section>
    <section class="panel" aria-labelledby="moves-heading">
      <div class="row between">
      <h2 id="moves-heading"{said(marked("Moves"))}</h2>
      {_button("share", COPY_LINK, kind=' class="small"')}</div>
      <ol id="moves" class="moves"></ol>
    </section>
  </aside>
</div>
<dialog id="new-game" class="dialog" aria-labelledby="new-heading"><form method="dialog">
  <h2 id="new-heading"{said(marked("New game"))}</h2>
  <div class="fields">{_choice(game, 0, "first")}{_choice(game, 1, "second")}</div>
  <p class="row end"><button type="button" data-close{said(marked("Cancel"))}</button>
  <button class="primary"{said(marked("Begin"))}</button></p>
</form></dialog>
<dialog id="several" class="dialog" aria-labelledby="several-heading">
  <h2 id="several-heading"{said(marked("Which move?"))}</h2><div class="stack" id="several-moves"></div>
</dialog>"""
