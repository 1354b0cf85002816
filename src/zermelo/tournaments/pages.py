"""The report as one HTML file that needs nothing else: no network, no other files."""

import base64
import json
import zlib
from collections.abc import Sequence
from html import escape

from zermelo.drawing.charts import Mark, intervals
from zermelo.drawing.svg import tag
from zermelo.errors import ZermeloError
from zermelo.games import find_game
from zermelo.language import _, language
from zermelo.match import Record, reason_text
from zermelo.scores import score_text
from zermelo.tournaments.report import FAULTS, Report, Table
from zermelo.tournaments.store import StoredGame

SHOWN = 60
"""Games with drawings, by default: about 10 kB each."""


def rating_chart(report: Report, narrow: bool = False) -> str:
    """Ratings with their 95% intervals, as SVG."""
    marks = [
        Mark(
            line.name,
            line.rating.elo,
            *line.rating.interval,
            f"{line.rating.elo:+.0f} ± {1.96 * line.rating.error:.0f}",
        )
        for line in report.lines
    ]
    heading = _("Elo with 95% intervals")
    if not narrow:
        heading = _("{name}: Elo with 95% intervals").format(name=report.plan.name)
    return intervals(heading, marks, narrow)


def standings_html(report: Report) -> str:
    return _table(report.standings(), "standings")


def html_report(report: Report, shown: int = SHOWN) -> str:
    """The whole page; so many games can be looked at move by move."""
    assert report.store is not None
    plan, game = report.plan, find_game(report.plan.game)
    games = choose_games(list(report.store.games(plan.name)), shown)
    facts = _("{title} ({game}), {format}, {games} games, seed {seed}").format(
        title=_(game.title), game=plan.game, format=_(plan.format), games=report.games, seed=plan.seed
    )
    verdict = report.verdict()
    notes = "".join(tag("li", escape(note)) for note in report.notes)
    endings = ", ".join(f"{reason_text(reason)} {number}" for reason, number in report.endings.most_common())
    body = [
        tag("h1", escape(plan.name)),
        tag("p", escape(facts)),
        tag("p", escape(verdict), class_="verdict") if verdict else "",
        tag("ul", notes, class_="notes") if notes else "",
        tag("h2", _("Ratings")),
        tag("div", rating_chart(report), class_="chart"),
        standings_html(report),
        tag("h2", _("Crosstable")),
        tag("p", _("Score of the row against the column, in per cent. Choose a cell to see the games of the two.")),
        _heat_map(report),
        tag("h2", _("Pairings")),
        _table(report.pairings(), "pairings"),
        tag("p", escape(_("How the games ended: {endings}.").format(endings=endings))) if endings else "",
        tag("h2", _("Games played")),
        _browser(games, report.games),
    ]
    data = {"games": [_game_data(one) for one in games], "words": script_words()}
    packed = json.dumps(data).replace("<", "\\u003c")
    return (
        f'<!doctype html>\n<html lang="{language()}"><head><meta charset="utf-8"><title>{escape(plan.name)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head><body><main>{''.join(body)}</main>"
        f'<script type="application/json" id="data">{packed}</script><script>{SCRIPT}</script></body></html>\n'
    )


def choose_games(games: Sequence[StoredGame], number: int) -> list[StoredGame]:
    """Some games to look at: those lost by a fault first, then one pair of each pairing after another."""
    faulty = [game for game in games if game.reason.startswith(FAULTS)][: number // 2]
    seen: dict[frozenset[str], int] = {}
    ranked: list[tuple[int, int, StoredGame]] = []
    for game in games:
        both = frozenset((game.pair.first, game.pair.second))
        ranked.append((seen.get(both, 0) // 2, len(ranked), game))
        seen[both] = seen.get(both, 0) + 1
    ranked.sort(key=lambda item: item[:2])
    chosen = {(game.pair.id, game.swapped) for game in faulty}
    for _rank, _place, game in ranked:
        if len(chosen) >= number:
            break
        chosen.add((game.pair.id, game.swapped))
    return [game for game in games if (game.pair.id, game.swapped) in chosen]


def _table(table: Table, name: str) -> str:
    heading, rows = table
    left = {i for i, cell in enumerate(heading) if cell in (_("player"), _("against"))}
    head = tag(
        "tr",
        *(tag("th", escape(cell), scope="col", class_="name" if i in left else None) for i, cell in enumerate(heading)),
    )
    lines = [
        tag("tr", *(tag("td", escape(cell), class_="name" if i in left else None) for i, cell in enumerate(row)))
        for row in rows
    ]
    table_text = tag("table", tag("thead", head), tag("tbody", *lines), class_=name)
    return tag("div", table_text, class_="wide")


def _heat_map(report: Report) -> str:
    names = report.names
    head = tag(
        "tr",
        tag("th", _("player"), scope="col", class_="name"),
        *(tag("th", str(i + 1), scope="col") for i in range(len(names))),
    )
    rows = []
    for place, one in enumerate(names, 1):
        cells = []
        for other in names:
            score = report.score(one, other)
            if score is None:
                cells.append(tag("td", "·", class_="none"))
                continue
            button = tag("button", f"{100 * score:.0f}", type="button", data_one=one, data_other=other)
            words = _("{one} against {other}: {score:.1%}").format(one=one, other=other, score=score)
            cells.append(tag("td", button, style=f"background:{heat(score)}", title=words))
        rows.append(tag("tr", tag("th", escape(f"{place} {one}"), scope="row", class_="name"), *cells))
    return tag("div", tag("table", tag("thead", head), tag("tbody", *rows), class_="cross"), class_="wide")


def heat(score: float) -> str:
    """From red (0) over nearly white (a half) to blue (1), all light enough for dark figures.

    >>> heat(0.5)
    '#f6f7f9'
    """
    middle, lost, won = (246, 247, 249), (240, 150, 140), (130, 175, 235)
    end, way = (won, 2 * score - 1) if score >= 0.5 else (lost, 1 - 2 * score)
    mixed = (round(m + (e - m) * way) for m, e in zip(middle, end, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _browser(games: Sequence[StoredGame], total: int) -> str:
    items = []
    for number, game in enumerate(games):
        first, second = game.record.players
        result = {1: "1-0", 2: "0-1", None: "½-½"}[game.record.winner]
        why = "" if game.reason == "played out" else f" ({reason_text(game.reason)})"
        words = f"{first} – {second}  {result}{why}"
        button = tag("button", escape(words), type="button", data_game=number)
        items.append(tag("li", button, data_players=json.dumps([first, second])))
    choose = _("Choose a game ({number} of {total} are kept in this page); the arrow keys go through it.")
    if len(games) == total:
        choose = _("Choose a game; the arrow keys go through it.")
    buttons = "".join(
        tag("button", sign, type="button", data_step=step, title=words, aria_label=words)
        for sign, step, words in (
            ("|◀", "first", _("to the opening")),
            ("◀", "back", _("a move back")),
            ("▶", "on", _("a move on")),
            ("▶|", "last", _("to the end")),
        )
    )
    viewer = tag(
        "div",
        tag("div", "", id="board", aria_live="polite"),
        tag("div", buttons, class_="steps"),
        tag("p", " ", id="said"),
        tag("p", " ", id="moves"),
        id="viewer",
    )
    return (
        tag("p", escape(choose.format(number=len(games), total=total)), id="which")
        + tag("div", tag("ol", *items, id="games"), viewer, class_="browser")
    ).replace('<div id="board" aria-live="polite"/>', '<div id="board" aria-live="polite"></div>')


def _game_data(game: StoredGame) -> dict[str, object]:
    """What the page needs of a game: its moves, and its drawings compressed."""
    record = game.record
    pictures = draw_game(record)
    packed = base64.b64encode(zlib.compress(json.dumps(pictures).encode(), 9)).decode()
    moves = [
        {
            "move": move.move,
            "score": None if move.score is None else score_text(move.score),
            "seconds": move.seconds,
            "depth": move.depth,
        }
        for move in record.moves
    ]
    return {
        "players": record.players,
        "reason": reason_text(record.reason),
        "error": record.error,
        "moves": moves,
        "packed": packed,
    }


def draw_game(record: Record) -> list[str]:
    """The board before the first move and after each."""
    game = find_game(record.game)
    try:
        position = game.position(record.start)
        pictures = [position.svg()]
        for move in record.moves:
            position = position.play(move.move)
            pictures.append(position.svg())
    except ZermeloError as error:  # a game from elsewhere, by other rules
        return [tag("p", escape(_("This game cannot be drawn: {error}").format(error=error)))]
    return pictures


def script_words() -> dict[str, str]:
    """What the script of the page says."""
    return {
        "ply": _("ply {ply}: {move}"),
        "score": _("score {score} for its player"),
        "depth": _("depth {depth}"),
        "opening": _("the opening"),
        "games": _("Games of {one} and {other}: {number} in this page."),
    }


STYLE = """
:root{color-scheme:light}
body{margin:0;background:#eef1f6;color:#1d2a44;font:16px/1.5 system-ui,sans-serif}
main{max-width:64rem;margin:0 auto;padding:1rem}
h1{margin:.5rem 0 0} h2{margin:2rem 0 .5rem;font-size:1.2rem}
table{border-collapse:collapse;background:#fff;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .6rem;border-bottom:1px solid #e3e8f0;text-align:right;white-space:nowrap}
th.name,td.name{text-align:left} thead th{color:#6b778d;font-weight:600}
.wide{overflow-x:auto} .chart{max-width:47rem} .chart svg{width:100%;height:auto}
.cross td{padding:0;text-align:center} .cross td.none{color:#aab3c2;padding:.25rem .6rem}
.cross button{width:100%;padding:.3rem .6rem;border:0;background:none;font:inherit;cursor:pointer}
.notes{color:#6a4a00} .verdict{font-weight:600}
button:focus-visible{outline:2px solid #2456a6}
.browser{display:grid;grid-template-columns:minmax(14rem,1fr) minmax(16rem,24rem);gap:1rem}
#games{margin:0;padding:0 0 0 2.2rem;max-height:34rem;overflow:auto;background:#fff;border-radius:8px}
#games button{border:0;background:none;font:inherit;text-align:left;cursor:pointer;padding:.2rem}
#games button[aria-current]{background:#dce8fb;border-radius:4px}
#board svg{width:100%;height:auto;max-height:26rem}
.steps button{font-size:1.2rem;padding:.2rem .9rem;margin-right:.3rem}
#moves span{padding:0 .15rem;border-radius:3px} #moves span[aria-current]{background:#dce8fb}
#said{color:#4a566d;white-space:pre-wrap;overflow-wrap:anywhere}
@media(max-width:44rem){.browser{grid-template-columns:1fr}#games{max-height:12rem}}
"""

SCRIPT = """
"use strict";
const {games, words} = JSON.parse(document.getElementById("data").textContent);
const fill = (text, parts) => text.replace(/\\{(\\w+)\\}/g, (whole, name) => parts[name] ?? whole);
const board = document.getElementById("board"), said = document.getElementById("said");
const moves = document.getElementById("moves"), which = document.getElementById("which");
let game = null, pictures = [], ply = 0;
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}
function show(next) {
  if (!game) return;
  ply = Math.max(0, Math.min(next, pictures.length - 1));
  board.innerHTML = pictures[ply];
  const made = game.moves[ply - 1];
  let told = game.players[0] + " – " + game.players[1] + "\\n";
  if (made) {
    told += fill(words.ply, {ply, move: made.move});
    if (made.score !== null) told += ", " + fill(words.score, made);
    if (made.depth !== null) told += ", " + fill(words.depth, made);
    told += ", " + made.seconds.toFixed(3) + " s";
  } else told += words.opening;
  if (ply === pictures.length - 1) told += "\\n" + game.reason + (game.error ? "\\n" + game.error : "");
  said.textContent = told;
  moves.querySelectorAll("span").forEach((span, i) => {
    if (i === ply - 1) span.setAttribute("aria-current", "true"); else span.removeAttribute("aria-current");
  });
}
async function choose(number) {
  const wanted = games[number];
  const drawn = await unpack(wanted.packed);
  game = wanted; pictures = drawn;
  document.querySelectorAll("#games button").forEach(button => {
    if (Number(button.dataset.game) === number) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  });
  moves.replaceChildren(...game.moves.flatMap((made, i) => {
    const span = document.createElement("span");
    span.textContent = made.move;
    span.addEventListener("click", () => show(i + 1));
    return [span, " "];
  }));
  show(0);
}
document.getElementById("games").addEventListener("click", event => {
  const button = event.target.closest("button");
  if (button) choose(Number(button.dataset.game));
});
document.querySelector(".steps").addEventListener("click", event => {
  const step = event.target.dataset.step;
  if (step) show({first: 0, back: ply - 1, on: ply + 1, last: 1e9}[step]);
});
document.addEventListener("keydown", event => {
  if (event.key === "ArrowRight") show(ply + 1);
  else if (event.key === "ArrowLeft") show(ply - 1);
  else return;
  if (game) event.preventDefault();
});
document.querySelector(".cross").addEventListener("click", event => {
  const cell = event.target.closest("button");
  if (!cell) return;
  const both = [cell.dataset.one, cell.dataset.other].sort().join("\\n");
  let first = null, number = 0;
  document.querySelectorAll("#games li").forEach(item => {
    const hit = JSON.parse(item.dataset.players).sort().join("\\n") === both;
    item.hidden = !hit;
    if (hit) { number += 1; first = first ?? item; }
  });
  which.textContent = fill(words.games, {one: cell.dataset.one, other: cell.dataset.other, number});
  which.scrollIntoView({block: "start"});
  if (first) choose(Number(first.querySelector("button").dataset.game));
});
if (games.length) choose(0);
"""
