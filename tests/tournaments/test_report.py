"""The report as tables, as JSON and as a page, which all say the same."""

import base64
import dataclasses
import json
import math
import re
import zlib
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

import zermelo as z
from zermelo.drawing.charts import Mark, intervals
from zermelo.language import speaking
from zermelo.match import Record
from zermelo.tournaments import pages
from zermelo.tournaments.importing import import_games
from zermelo.tournaments.pages import choose_games, heat, html_report, rating_chart
from zermelo.tournaments.plan import plan_of_records
from zermelo.tournaments.rating import difference
from zermelo.tournaments.report import make_report, plain_table
from zermelo.tournaments.store import open_store


@pytest.fixture(scope="module")
def report():
    nasty = {"name": '<b>"A & B"</b>', "player": "random"}
    return z.tournament(["lines", "random(seed=1)", nasty], "tictactoe", pairs=3, depth=2)


def test_the_tables_agree_with_the_games(report):
    games = list(report.store.games("tournament"))
    assert report.games == len(games) == 2 * 3 * 3
    for line in report.lines:
        mine = [g.score for g in games if g.pair.first == line.name]
        mine += [1 - g.score for g in games if g.pair.second == line.name]
        assert line.points == sum(mine)
        assert (line.wins, line.draws, line.losses) == (mine.count(1), mine.count(0.5), mine.count(0))
    assert [line.rating.elo for line in report.lines] == sorted((r.rating.elo for r in report.lines), reverse=True)
    for meeting in report.meetings.values():
        pairs = {}
        for game in games:
            if {game.pair.first, game.pair.second} == {meeting.one, meeting.other}:
                mine = game.score if game.pair.first == meeting.one else 1 - game.score
                pairs[game.pair.id] = pairs.get(game.pair.id, 0) + mine
        counts = [sum(score == i / 2 for score in pairs.values()) for i in range(5)]
        assert meeting.pair_counts == counts
        assert meeting.difference == difference(counts)
        assert report.score(meeting.one, meeting.other) + report.score(meeting.other, meeting.one) == 1


def test_the_tables_are_printed(report):
    heading, rows = report.standings()
    assert heading[:3] == ["", "player", "Elo"]
    assert [row[1] for row in rows] == report.names
    heading, rows = report.crosstable()
    assert [row[2 + i] for i, row in enumerate(rows)] == ["-"] * 3
    assert len(report.pairings()[1]) == 3
    text = str(report)
    assert text.startswith("   player")
    assert "lines" in text
    assert plain_table(["player", "n"], [["a", "1"], ["bcd", "10"]]) == "player   n\na        1\nbcd     10"


def test_json_has_everything_and_no_infinity(report):
    text = json.dumps(report.to_dict(), allow_nan=False)
    data = json.loads(text)
    assert data["games"] == report.games
    assert [line["name"] for line in data["standings"]] == report.names
    assert sum(sum(p["pair_counts"]) for p in data["pairings"]) == 9
    assert data["sprt"] is None


class Strict(HTMLParser):
    """Notes elements that are not closed, and everything that would be fetched."""

    VOID = ("meta",)

    def __init__(self):
        super().__init__()
        self.open, self.fetched, self.scripts = [], [], []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.fetched += [v for k, v in attributes if k in ("src", "href", "action", "data", "poster", "srcset")]
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append(given)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_stands_alone(report):
    page = html_report(report)
    parser = Strict()
    parser.feed(page)
    assert parser.open == []
    assert parser.fetched == []
    addresses = set(re.findall(r"https?://[^\s\"'<>]+", page))
    assert addresses <= {"http://www.w3.org/2000/svg"}, "a name space, not a request"
    assert "@import" not in page and "url(" not in page
    assert "<b>" not in page, "names are escaped"


def games_in(page):
    return json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])["games"]


def test_games_can_be_looked_at_move_by_move(report):
    page = html_report(report)
    data = games_in(page)
    games = list(report.store.games("tournament"))
    assert len(data) == len(games) == page.count("data-game=")
    for shown, game in zip(data, games, strict=True):
        pictures = json.loads(zlib.decompress(base64.b64decode(shown["packed"])))
        assert len(pictures) == len(game.record.moves) + 1
        assert [move["move"] for move in shown["moves"]] == [move.move for move in game.record.moves]
        for picture in pictures:
            assert ElementTree.fromstring(picture).tag.endswith("svg")
        assert pictures[-1] == game.record.final_position().svg() or game.record.start != "-"


def test_of_many_games_some_of_every_pairing_are_shown(report):
    games = report.store.results("tournament", 99)
    chosen = choose_games(games, 6)
    assert len(chosen) == 6
    assert len({frozenset(game.players) for game in chosen}) == 3
    assert choose_games(games, 0) == []
    assert len(games_in(html_report(report, 6))) == 6


def test_a_page_in_spanish_says_how_games_ended():
    cut = z.tournament(["lines", "random(seed=1)"], "tictactoe", pairs=1, depth=1, most_plies=1)
    with speaking("es"):
        assert "empate tras 1 medias jugadas 2" in html_report(cut)


def test_the_heat_map_colours():
    assert heat(0.0) != heat(0.5) != heat(1.0)
    assert re.fullmatch("#[0-9a-f]{6}", heat(0.73))


def test_the_rating_chart_is_a_picture(report):
    root = ElementTree.fromstring(rating_chart(report))
    assert root.get("aria-label").startswith("tournament: Elo")
    texts = "".join(root.itertext())
    assert all(name in texts for name in report.names)
    for marks in ([], [Mark("one", 5, 5, 5, "5")], [Mark("a" * 60, -3e5, -4e5, 1, "x")]):
        ElementTree.fromstring(intervals("chart", marks))


def test_a_notebook_shows_it(report):
    assert report._repr_html_().startswith("<svg")


def games(first, second, results):
    """Records with these winners, all different."""
    return [
        Record(
            "tictactoe",
            (first, second),
            str(z.game("tictactoe").start().play(z.game("tictactoe").start().moves[i])),
            winner=winner,
            reason="played out",
        )
        for i, winner in enumerate(results)
    ]


def test_games_from_elsewhere():
    records = games("A", "B", [1, 1, 2, None]) + games("B", "A", [2, 1]) + games("C", "D", [1])
    store = open_store(None)
    store.create(plan_of_records(records, "league"), [])
    assert import_games(store, "league", records) == 7
    report = make_report(store)
    meeting = report.meetings["A", "B"]
    assert (meeting.wins, meeting.draws, meeting.losses) == (3, 1, 2)
    assert sum(meeting.pair_counts) == 2, "two of them are on the same start with colours swapped"
    assert meeting.difference == difference([2, 1, 3]), "not all are in pairs: so the game is the unit"
    assert any("compare ratings only within a group" in note for note in report.notes)
    assert "group 2" in str(report)
    html_report(report)


def test_repeated_games_are_called_so():
    records = games("A", "B", [1]) * 3
    store = open_store(None)
    store.create(plan_of_records(records, "league"), [])
    import_games(store, "league", records)
    assert "only 1 of the 3 games between A and B are different" in make_report(store).notes[0]


def test_faults_are_named_with_their_places_and_reasons():
    records = games("A", "B", [2] * 6)
    place = "crash: class/mine.py:7: "
    reasons = [f"{place}KeyError: {i}" for i in range(3)] + ["timeout: class/mine.py:9: no answer within 1 s"] * 2
    reasons[4] += " (not played: that happened 3 times before)"
    for record, reason in zip(records, reasons, strict=False):  # the last game was lost fairly
        record.reason = reason
    store = open_store(None)
    store.create(plan_of_records(records, "league"), [])
    import_games(store, "league", records)
    report = make_report(store)
    assert {line.name: line.faults for line in report.lines} == {"A": 5, "B": 0}
    told = [note for note in report.notes if "fault" in note]
    assert told[0].startswith(f"A lost 3 games by a fault: {place}KeyError: ")
    assert told[1:] == ["A lost 2 games by a fault: timeout: class/mine.py:9: no answer within 1 s"]
    assert all(f"note: {note}" in str(report) and note in html_report(report) for note in told)
    with speaking("es"):
        assert "perdió 3 partidas por un fallo" in "\n".join(make_report(store).notes)


def test_a_rating_that_rounds_to_nothing_has_no_minus(report):
    report.lines[0].rating = dataclasses.replace(report.lines[0].rating, elo=-0.2)
    assert report.standings()[1][0][2] == "+0"


@pytest.fixture(scope="module")
def large():
    """A tournament of sixty contestants, each of whom plays against all others."""
    names = [f"player {number:02}" for number in range(60)]
    records = [
        record
        for place, one in enumerate(names)
        for other in names[place + 1 :]
        for record in games(one, other, [1]) + games(other, one, [2])
    ]
    store = open_store(None)
    store.create(plan_of_records(records, "league"), [])
    import_games(store, "league", records)
    return make_report(store)


def test_the_tables_of_a_large_tournament_do_not_grow_with_its_pairings(large):
    assert len(large.meetings) == 60 * 59 // 2 and len(large.lines) == 60
    assert len(large.crosstable()[1]) == len(large.crosstable()[0]) - 2 == 40
    assert [row[:2] for row in large.pairings()[1]] == [[one, other] for one, other in pairwise(large.names)]
    assert [sentence.rstrip(".").rpartition(" ")[2] for sentence in large.left_out()] == ["contestants", "1770"]
    assert len(str(large).splitlines()) < 60 + 40 + 80
    assert len(large.to_dict()["pairings"]) == 1770, "programs get all of them"
    page = html_report(large, 2)
    assert page.count("<tr>") < 60 + 40 + 70 and len(page) < 400_000
    met = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])["met"]
    assert met["names"] == large.names and [0, 59, 2, 0, 0] in met["rows"] and len(met["rows"]) == 1770


def test_a_contestant_of_a_large_tournament_is_looked_for_in_the_page(large, browser, tmp_path):
    (tmp_path / "report.html").write_text(html_report(large, 2), encoding="utf-8")
    page = browser.new_page(viewport={"width": 390, "height": 844})
    try:
        page.goto((tmp_path / "report.html").as_uri())
        page.fill("#find", large.names[1])
        assert page.locator("#found tbody tr").count() == 59
        assert page.locator("#found .neighbour").count() == 2
        assert page.locator("#found tbody tr").first.inner_text().split("\t") == [
            "1",
            large.names[0],
            "0",
            "0",
            "2",
            "0.0%",
        ]
        page.fill("#find", "nobody")
        assert page.locator("#found").inner_text() == "No contestant has this name."
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    finally:
        page.close()


def test_many_repetitions_are_counted(large):
    twice = open_store(None)
    records = [record for game in large.store.games("league") for record in [game.record] * 2]
    twice.create(plan_of_records(records, "league"), [])
    import_games(twice, "league", records)
    told = [note for note in make_report(twice).notes if "repeated" in note or "different" in note]
    assert len(told) == 11 and told[-1].startswith("games were repeated in 1760 more pairings")


def test_a_report_before_the_first_game():
    store = open_store(None)
    store.create(plan_of_records(games("A", "B", [1]), "league"), [])
    report = make_report(store)
    assert report.games == 0
    assert report.lines[0].rating.note == "has not played"
    assert math.isfinite(report.lines[0].rating.elo)
    html_report(report)
    str(report)
    report.to_dict()


def test_dark_pages_have_dark_reports(report):
    """A report on a published site is dark where its gallery is, and the coloured cells keep dark figures."""
    page = html_report(report)
    assert "color-scheme:light dark" in page
    assert ".cross td:not(.none) button{color:#1d2a44}" in page[page.index("prefers-color-scheme:dark") :]


def test_the_page_is_made_of_files():
    """Its markup, style and script are files of their own, which an editor and a linter can read."""
    source = Path(pages.__file__).read_text(encoding="utf-8")
    assert "<html" not in source and "addEventListener" not in source and "border-collapse" not in source
    folder = Path(pages.__file__).parent / "page"
    assert {file.name for file in folder.iterdir()} == {"report.html", "report.css", "report.js"}
