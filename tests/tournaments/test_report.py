"""The report as tables, as JSON and as a page, which all say the same."""

import base64
import json
import math
import re
import zlib
from html.parser import HTMLParser
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
    games = list(report.store.games("tournament"))
    chosen = choose_games(games, 6)
    assert len(chosen) == 6
    assert len({(game.pair.first, game.pair.second) for game in chosen}) == 3
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


def test_the_page_is_made_of_files():
    """Its markup, style and script are files of their own, which an editor and a linter can read."""
    source = Path(pages.__file__).read_text(encoding="utf-8")
    assert "<html" not in source and "addEventListener" not in source and "border-collapse" not in source
    folder = Path(pages.__file__).parent / "page"
    assert {file.name for file in folder.iterdir()} == {"report.html", "report.css", "report.js"}
