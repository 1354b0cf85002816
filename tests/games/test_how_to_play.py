"""Every game of the catalogue explains itself, in both languages, and what it says can be played."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import zermelo as z
from zermelo.cli.rules import rules
from zermelo.errors import FileError
from zermelo.games.how_to_play import HowToPlay, help_folder, how_to_play

GAMES = z.catalogue()


def outline(found: HowToPlay):
    """What must be the same in all languages."""
    steps = [[(step.moves, step.replies) for step in part.steps] for part in found.parts]
    return [(part.kind, str(part.position)) for part in found.parts], steps


@pytest.mark.parametrize("name", GAMES)
def test_both_languages_say_the_same(name):
    english, spanish = (how_to_play(z.game(name), code) for code in ("en", "es"))
    assert english.is_written and (english.language, spanish.language) == ("en", "es")
    assert outline(english) == outline(spanish)
    assert english.lesson is not None
    texts = [[part.text for part in found.parts if part.text] for found in (english, spanish)]
    assert not set(texts[0]) & set(texts[1])


@pytest.mark.parametrize("name", GAMES)
def test_the_lessons_have_three_moves_and_the_text_has_the_notation(name):
    found = how_to_play(z.game(name), "en")
    if not found.game.is_explicit_tree:
        assert sum(len(part.steps) for part in found.parts) >= 3
    assert "## Notation" in "".join(part.text for part in found.parts)
    for part in found.parts:
        for step in part.steps:
            assert step.ask and step.said


def test_the_turns_that_come_again_are_explained():
    def text(name):
        return " ".join(part.text for part in how_to_play(z.game(name), "en").parts)

    assert all(word in text("parcheckers") for word in ("**20**", "**10**", "yin-yang"))
    assert "swap" in text("hex") and "two cards" in text("onitama") and "pass" in text("reversi")


def test_a_lesson_with_an_illegal_move_is_refused_with_its_line(tmp_path, monkeypatch):
    game = z.game("tictactoe")
    shutil.copytree(help_folder(game), tmp_path / "help")
    text = (tmp_path / "help" / "en.md").read_text().replace("! b2", "! b9")
    (tmp_path / "help" / "en.md").write_text(text)
    monkeypatch.setattr("zermelo.games.how_to_play.help_folder", lambda game: tmp_path / "help")
    with pytest.raises(FileError, match=r"en\.md, line \d+: .*b9"):
        how_to_play(game, "en")


def test_a_game_without_a_text_says_what_its_code_says(monkeypatch):
    monkeypatch.setattr("zermelo.games.how_to_play.help_folder", lambda game: Path("nowhere"))
    found = how_to_play(z.game("tictactoe"), "es")
    assert not found.is_written
    assert "Three in a line win" in found.parts[0].text
    assert found.parts[1].position == z.game("tictactoe").start()


def test_a_game_in_a_file_may_have_a_text_beside_it():
    file = Path(z.__file__).parent.parent.parent / "examples" / "breakthrough.py"
    if not file.exists():
        pytest.skip("there is no such example")
    assert help_folder(z.game(str(file))) == file.with_suffix(".help")


def test_the_command_prints_text_boards_and_json():
    told = CliRunner().invoke(rules, ["tictactoe"], catch_exceptions=False).output
    assert "1 X O ." in told and "Notation" in told and "zermelo play tictactoe" in told
    data = json.loads(CliRunner().invoke(rules, ["tictactoe", "--json"], catch_exceptions=False).output)
    assert data["language"] == "en" and data["parts"][3]["steps"][0]["moves"] == ["b2"]
