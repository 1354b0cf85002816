"""The names of the cards in the reader's language: in pictures and sentences, never in notation."""

import re

import pytest
from playwright.sync_api import expect

import waiting
from zermelo import language
from zermelo.games import find_game
from zermelo.games.onitama.cards import CARDS
from zermelo.players import MinimaxPlayer
from zermelo.web.notation import shown_move, words_of
from zermelo.web.positions import read_line
from zermelo.web.views import view_of
from zermelo.web.why_tree import explore


class Shouted:
    """A language made for the test, so that the test does not depend on a catalogue."""

    def gettext(self, message):
        return message.upper() if re.fullmatch("[a-z]+", message) else message


@pytest.fixture
def shouted(monkeypatch):
    monkeypatch.setattr(language, "catalogue", lambda code: Shouted())


def test_pictures_have_translated_names_and_english_moves(shouted):
    position = find_game("onitama").start()
    picture = position.svg()
    assert ">CRAB<" in picture and ">crab<" not in picture
    assert 'data-move="crane:' in picture and 'data-card="crane"' in picture
    assert "CRANE" in position.board() and "crane" in str(position)


def test_moves_are_shown_in_the_readers_words_and_kept_in_english(shouted):
    view = view_of(read_line("onitama", "-", "crane:a1-a2", "", None, 100))
    assert view.moves == ["crane:a1-a2"] and view.last == "crane:a1-a2" and "crane" in view.position + view.line
    assert "CRANE:a1-a2" in view.spoken
    assert view.words["tiger"] == "TIGER" and view.words["swap"] == "SWAP"
    assert shown_move(find_game("onitama"), "swap:tiger") == "SWAP:TIGER"
    assert words_of(find_game("connect4")) == {}


def test_a_search_tree_keeps_the_moves_and_tells_their_words(shouted):
    tree = explore(find_game("onitama").start(), MinimaxPlayer(depth=1))
    assert tree.words["crane"] == "CRANE"
    assert any(text.startswith("crane:") for text in tree.texts)
    assert explore(find_game("tictactoe").start(), MinimaxPlayer(depth=1)).words == {}


def test_see_why_shows_moves_in_spanish(open_page):
    page = open_page(locale="es-ES")
    page.goto("/why/onitama/-/crane:a1-a2?depth=1&beside=no")
    expect(page.locator(".why-head .lead")).to_contain_text("grulla:a1-a2")
    expect(page.locator(".counts").first).to_contain_text(re.compile(r"mejor [^:]+:"), timeout=180_000)
    told = " ".join([page.locator("#panes").inner_text(), *page.locator("#panes title").all_text_contents()])
    english = {card.name for card in CARDS if re.search(rf"\b{card.name}:", told)}
    assert english <= {"cobra", "mantis"}
    page.locator("[data-step=previous]").click()
    assert not re.search(r"\b(crab|crane|horse|elephant|boar|ox|tiger)\b", page.locator("#node-name").inner_text())


def test_a_tournament_game_tells_the_words_of_its_moves(server):
    order = {"game": "onitama", "contestants": ["random", "random(seed=2)"], "pairs": 1, "name": "words"}
    with server.client() as client:
        token = {"X-Zermelo-Token": client.get("/api/session").json()["token"]}
        identity = client.post("/api/tournaments", json=order, headers=token, timeout=180).json()["id"]
        games = waiting.until(lambda: client.get(f"/api/tournaments/{identity}/games").json()["games"])
        query = {"pair": games[0]["pair"], "swapped": games[0]["swapped"]}
        for language_of_reader, word in (("es", "grulla"), ("en", None)):
            headers = {"Accept-Language": language_of_reader}
            found = client.get(f"/api/tournaments/{identity}/game", params=query, headers=headers).json()
            assert found["words"].get("crane") == word
            assert re.fullmatch(r"[a-z]+:[a-e]\d-[a-e]\d", found["moves"][0]["move"])


def test_why_not_names_the_cards(shouted):
    position = find_game("onitama").start()
    assert "TIGER" in position.game.why_not(position.state, "tiger:a1-a2")
