"""The names of the cards in the reader's language: in pictures and sentences, never in notation."""

import re

import pytest

from zermelo import language
from zermelo.games import find_game
from zermelo.web.positions import read_line
from zermelo.web.views import shown_move, view_of, words_of


class Shouted:
    """A language of its own, so that this does not depend on a catalogue."""

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


def test_why_not_names_the_cards(shouted):
    position = find_game("onitama").start()
    assert "TIGER" in position.game.why_not(position.state, "tiger:a1-a2")
