"""Opening books of the engine: how they grow, that work goes on where it stopped, and how the engine plays them."""

import json

import pytest
from click.testing import CliRunner

import zermelo as z
from zermelo.cli.learn_book import book as book_command
from zermelo.errors import FileError
from zermelo.learn.opening_book import KEPT, build_opening_book
from zermelo.players.opening_books import OpeningBook, find_opening_book

GAME = z.game("reversi(columns=4, rows=4)")
DEPTH = 3


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("book") / "mine.book"
    made = build_opening_book(GAME, path, positions=8, depth=DEPTH)
    assert (made.opened, made.waiting) == (8, 0)
    assert made.positions > made.opened
    return path


@pytest.fixture
def book(path, monkeypatch):
    """The engine finds this book."""
    found = OpeningBook.read(path)
    monkeypatch.setattr("zermelo.players.engine.find_opening_book", {GAME: found}.get)
    return found


def test_a_book_goes_on_where_it_stopped(path, tmp_path):
    part = tmp_path / "part.book"
    build_opening_book(GAME, part, positions=3, depth=DEPTH)
    assert build_opening_book(GAME, part, positions=8, depth=DEPTH, seconds=0).waiting == 5
    told = []
    build_opening_book(GAME, part, lambda *numbers: told.append(numbers), positions=8, depth=DEPTH)
    assert told == [(number, 8) for number in range(4, 9)]  # nothing is searched twice
    assert part.read_bytes() == path.read_bytes()
    with pytest.raises(FileError, match="another game, depth or heuristic"):
        build_opening_book(GAME, part, positions=8, depth=DEPTH + 1)


def test_symmetric_positions_share_their_entry(book):
    start = GAME.start()
    moves = book.moves(start)
    assert len(moves) == len(start.moves) == 4
    assert len({one.key for one in moves}) == 1


def test_scores_come_from_the_ends_of_the_lines(book):
    opened = 0
    for first in GAME.start().moves[:1]:
        position = GAME.start().play(first)
        moves = book.moves(position)
        assert book.entries[GAME.canonical_key(position.state)].score == moves[0].score
        found = [one.sign * one.entry.found for one in moves]
        assert max(found) - min(found) <= KEPT
        opened += len(moves)
    assert opened


def test_the_engine_plays_the_book_with_variety(book):
    start = GAME.start()
    best = z.engine(book=0, depth=1).think(start)
    assert best.nodes is None
    assert best.move == start.moves[0]
    assert z.engine(book=0, depth=1).is_deterministic
    varied = z.engine(book=0.5, depth=1)
    assert not varied.is_deterministic
    assert len({varied.think(start).move for _ in range(40)}) > 1
    second = start.play(start.moves[0])
    good = {GAME.move_text(second.state, one.move) for one in book.good_moves(second, 0.5)}
    assert varied.think(second).move in good


def test_beyond_the_book_the_engine_thinks(book):
    position = GAME.start()
    while book.moves(position):
        position = position.play(position.moves[-1])
    assert z.engine(book=0.5, depth=1, solver=False).think(position).nodes


def test_a_game_without_a_book_is_thought_about():
    assert find_opening_book(z.game("reversi(columns=4, rows=6)")) is None
    assert z.engine(book=1, depth=1, solver=False).think(z.game("reversi(columns=4, rows=6)").start()).nodes


def test_damaged_books_are_told(path, tmp_path):
    good = path.read_bytes()
    for data in (b"", b"zermelo opening book 1\n{}\n", good[:-5], good.replace(b"game", b"name")):
        (tmp_path / "bad.book").write_bytes(data)
        with pytest.raises(FileError, match="not an opening book"):
            OpeningBook.read(tmp_path / "bad.book")


def test_options_of_the_other_kind_of_book_are_refused():
    for words, said in (
        (["reversi", "--stones", "3"], "--stones means nothing for Reversi"),
        (["connect4", "--depth", "3"], "--depth means nothing for Connect 4"),
    ):
        result = CliRunner().invoke(book_command, words)
        assert (result.exit_code, said in result.output) == (2, True)


def test_the_command_tells_what_it_made(tmp_path):
    words = [str(GAME), "--positions", "2", "--depth", "1", "--out", str(tmp_path / "a.book"), "--json"]
    result = CliRunner().invoke(book_command, words)
    made = json.loads(result.stdout)
    assert (made["opened"], made["waiting"], made["depth"]) == (2, 0, 1)
    assert made["bytes"] == (tmp_path / "a.book").stat().st_size


def test_the_book_that_reversi_brings(monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_DATA_DIR", str(tmp_path))
    find_opening_book.cache_clear()
    game = z.game("reversi")
    book = find_opening_book(game)
    assert book is not None and book.size >= 100
    assert len(book.good_moves(game.position("f5"), 3)) > 1
    find_opening_book.cache_clear()
