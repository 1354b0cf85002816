"""The report as one HTML file, which needs no network and no other files."""

import base64
import json
import zlib
from collections.abc import Sequence
from html import escape
from importlib import resources
from string import Template
from typing import Any

from zermelo.drawing.charts import Mark, intervals
from zermelo.drawing.svg import tag
from zermelo.errors import ZermeloError
from zermelo.games import stored_game
from zermelo.language import _, language
from zermelo.match import Record, reason_text
from zermelo.scores import score_text
from zermelo.tournaments.faults import FAULTS
from zermelo.tournaments.report import Report, Table
from zermelo.tournaments.stored import Result, StoredGame

SHOWN = 60
"""Default number of games whose boards are drawn in the page. Each takes about 10 kB."""


def rating_chart(report: Report, narrow: bool = False) -> str:
    """Draw the ratings with their 95% intervals, as SVG."""
    marks = [
        Mark(
            line.name,
            line.rating.elo,
            *line.rating.interval,
            f"{line.rating.elo:+z.0f} ± {1.96 * line.rating.error:.0f}",
        )
        for line in report.lines
    ]
    heading = _("Elo with 95% intervals")
    if not narrow:
        heading = _("{name}: Elo with 95% intervals").format(name=report.plan.name)
    return intervals(heading, marks, narrow)


def standings_html(report: Report) -> str:
    """Return the standings as an HTML table."""
    return _table(report.standings(), "standings")


def html_report(report: Report, shown: int = SHOWN, above: str = "") -> str:
    """Return the whole page, in which `shown` games can be viewed move by move; above: HTML before the results."""
    assert report.store is not None
    plan, game = report.plan, stored_game(report.plan.game, report.plan.name)
    games = shown_games(report, shown)
    facts = _("{title} ({game}), {format}, {games} games, seed {seed}").format(
        title=_(game.title), game=plan.game, format=_(plan.format), games=report.games, seed=plan.seed
    )
    verdict = report.verdict()
    notes = "".join(tag("li", escape(note)) for note in report.notes)
    endings = ", ".join(f"{reason_text(reason)} {number}" for reason, number in report.endings.most_common())
    ended = escape(_("How the games ended: {endings}.").format(endings=endings))
    about = _("Score of the row against the column, in per cent. Choose a cell to see the games between the two.")
    left_out = report.left_out()
    data: dict[str, Any] = {"games": [_game_data(one) for one in games], "words": script_words()}
    if left_out:
        data["met"] = _met(report)
    return Template(_page_file("report.html")).substitute(
        language=language(),
        name=escape(plan.name),
        style=_page_file("report.css"),
        facts=escape(facts),
        above=above,
        verdict=tag("p", escape(verdict), class_="verdict") if verdict else "",
        notes=tag("ul", notes, class_="notes") if notes else "",
        ratings=_("Ratings"),
        chart=rating_chart(report),
        standings=standings_html(report),
        crosstable=_("Crosstable"),
        about_crosstable=escape(" ".join([about, *left_out])),
        find=_finder(report) if left_out else "",
        heat_map=_heat_map(report),
        pairings=_("Pairings"),
        pairings_table=_table(report.pairings(), "pairings"),
        endings=tag("p", ended) if endings else "",
        games=_("Games played"),
        choose=escape(_how_to_choose(len(games), report.games)),
        list=_list(games),
        steps=_steps(),
        data=json.dumps(data).replace("<", "\\u003c"),
        script=_page_file("report.js"),
    )


def shown_games(report: Report, number: int) -> list[StoredGame]:
    """Choose the games to show. Of many, only results are read before: whole games take a thousand times the room."""
    assert report.store is not None
    store, name = report.store, report.plan.name
    chosen = choose_games(store.results(name, limit=sum(store.counts(name))), number)
    found = (store.game(name, one.pair, one.swapped) for one in chosen)
    return [game for game in found if game is not None]


def _met(report: Report) -> dict[str, Any]:
    """Who met whom, for the script: places in the standings, and games won, drawn and lost. One short row each."""
    place = {name: i for i, name in enumerate(report.names)}
    rows = [
        [place[one.one], place[one.other], one.wins, one.draws, one.losses]
        for one in report.meetings.values()
        if one.games and one.one != one.other
    ]
    return {"names": report.names, "rows": rows}


def _finder(report: Report) -> str:
    """The field in which a contestant of a large tournament is looked for."""
    names = "".join(tag("option", value=name) for name in report.names)
    words = _("Contestant whose results you want to see")
    field = tag("input", id="find", list="names", autocomplete="off", placeholder=report.names[0])
    return tag("p", tag("label", escape(words), " ", field), tag("datalist", names, id="names")) + tag(
        "div", id="found", class_="wide", aria_live="polite"
    )


def _page_file(name: str) -> str:
    """Return the text of a file that the page is made of: its template, its style or its script."""
    return resources.files("zermelo.tournaments").joinpath("page", name).read_text(encoding="utf-8")


def choose_games(games: Sequence[Result], number: int) -> list[Result]:
    """Choose the games to show: first games lost by a fault, then one pair of games of each pairing after another."""
    faulty = [game for game in games if game.reason.startswith(FAULTS)][: number // 2]
    seen: dict[frozenset[str], int] = {}
    ranked: list[tuple[int, int, Result]] = []
    for game in games:
        both = frozenset(game.players)
        ranked.append((seen.get(both, 0) // 2, len(ranked), game))
        seen[both] = seen.get(both, 0) + 1
    ranked.sort(key=lambda item: item[:2])
    chosen = {(game.pair, game.swapped) for game in faulty}
    for _rank, _place, game in ranked:
        if len(chosen) >= number:
            break
        chosen.add((game.pair, game.swapped))
    return [game for game in games if (game.pair, game.swapped) in chosen]


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
    names = report.crossed
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
    """Return a colour from red (0) over nearly white (0.5) to blue (1), light enough for dark figures on it.

    >>> heat(0.5)
    '#f6f7f9'
    """
    middle, lost, won = (246, 247, 249), (240, 150, 140), (130, 175, 235)
    end, way = (won, 2 * score - 1) if score >= 0.5 else (lost, 1 - 2 * score)
    mixed = (round(m + (e - m) * way) for m, e in zip(middle, end, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _list(games: Sequence[StoredGame]) -> str:
    """Return the list of games to choose from."""
    items = []
    for number, game in enumerate(games):
        first, second = game.record.players
        result = {1: "1-0", 2: "0-1", None: "½-½"}[game.record.winner]
        why = "" if game.reason == "played out" else f" ({reason_text(game.reason)})"
        words = f"{first} – {second}  {result}{why}"
        button = tag("button", escape(words), type="button", data_game=number)
        items.append(tag("li", button, data_players=json.dumps([first, second])))
    return "".join(items)


def _how_to_choose(number: int, total: int) -> str:
    if number == total:
        return _("Choose a game and use the arrow keys to step through it.")
    choose = _("Choose a game ({number} of {total} are in this page) and use the arrow keys to step through it.")
    return choose.format(number=number, total=total)


def _steps() -> str:
    """Return the buttons that step through a game."""
    return "".join(
        tag("button", sign, type="button", data_step=step, title=words, aria_label=words)
        for sign, step, words in (
            ("|◀", "first", _("to the opening")),
            ("◀", "back", _("one move back")),
            ("▶", "on", _("one move forward")),
            ("▶|", "last", _("to the end")),
        )
    )


def _game_data(game: StoredGame) -> dict[str, object]:
    """Return what the page needs of a game: its moves, and its drawings in compressed form."""
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
    """Draw the board before the first move and after each move."""
    game = stored_game(record.game, _("the record of a game"))
    try:
        position = game.position(record.start)
        pictures = [position.svg()]
        for move in record.moves:
            position = position.play(move.move)
            pictures.append(position.svg())
    except ZermeloError as error:  # an imported game that follows other rules
        return [tag("p", escape(_("This game cannot be drawn: {error}").format(error=error)))]
    return pictures


def script_words() -> dict[str, Any]:
    """Return the texts that the script of the page shows."""
    return {
        "ply": _("ply {ply}: {move}"),
        "score": _("score {score} for the player who moved"),
        "depth": _("depth {depth}"),
        "opening": _("the opening"),
        "heading": [_("player"), _("won"), _("drawn"), _("lost"), _("score")],
        "none": _("No contestant has this name."),
        "games": _("Games between {one} and {other}: {number} in this page."),
    }
