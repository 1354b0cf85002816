"""Perfect Connect 4: known scores, brute force on small boards, mirror images, every move."""

import functools
import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import zermelo as z
from conftest import dose, golden_lines
from zermelo.core import JIT
from zermelo.errors import FileError, GameError
from zermelo.games.connect4 import exact, solver
from zermelo.games.connect4 import transposition as table
from zermelo.games.connect4.book import Book, find_book
from zermelo.games.connect4.building import build_book
from zermelo.games.connect4.published import HEAD, KEYS, OFFSET, SCORE_SHIFT, open_book
from zermelo.games.connect4.rules import Connect4
from zermelo.games.connect4.solver import is_quick, score_of, scores_of, solve
from zermelo.games.connect4.threats import DECIDED, completing_cells, follow_up_holds, settle
from zermelo.pieces.crews import Threads
from zermelo.position import Position, random_playout
from zermelo.rules import play

GAME = z.game("connect4")
KNOWN = [(position, int(score)) for position, score in golden_lines("connect4-positions.txt")]


def in_points(position: Position, outcome_of_mover: int) -> int:
    """The score of a finished game for the player to move, in the rules' convention, by counting cells."""
    empty = int(position.state.board).bit_count() - int(position.state.stones).bit_count()
    return outcome_of_mover * ((empty + 2) // 2)


@functools.cache
def brute_force(position: Position) -> int:
    """The exact score, by plain minimax over positions; a second program that shares nothing but the rules."""
    if position.is_over:
        return in_points(position, -1 if position.winner else 0)
    return max(-brute_force(position.play(move)) for move in position.moves)


@pytest.mark.parametrize(("text", "score"), KNOWN[:: dose(1, 40)])
def test_known_scores(text, score):
    if not JIT and len(text) < 24:
        pytest.skip("too long in plain Python")
    state = GAME.position(text).state
    assert score_of(state)[0] == score
    assert score_of(state, weak=True)[0] == (score > 0) - (score < 0)


@pytest.mark.parametrize("size", ["columns=4, rows=4", "columns=5, rows=4", "columns=4, rows=5", "columns=8, rows=4"])
def test_small_boards_against_brute_force(size):
    game = z.game(f"connect4({size})")
    cells = int(game.start().state.board).bit_count()
    for seed in range(dose(12, 2)):
        position = random_playout(game.start(), seed, cells - dose(9, 6) + seed % 3)
        if not position.is_over:
            found = solve(position.state, all_moves=True)
            assert found.complete
            assert found.score == brute_force(position), str(position)
            for move, score in found.scores.items():
                assert score == -brute_force(position.play(str(move + 1))), str(position)
            assert all(found.scores[move] == found.score for move in found.moves)


def test_solving_many_at_once_says_the_same():
    chosen = [(text, score) for text, score in KNOWN if len(text) >= dose(20, 33)][: dose(300, 5)]
    scores, searched = scores_of([GAME.position(text).state for text, _ in chosen])
    assert list(scores) == [score for _, score in chosen]
    again, searched_again = scores_of([GAME.position(text).state for text, _ in chosen[::-1]])
    assert list(again) == list(scores[::-1]) and list(searched_again) == list(searched[::-1]), "each by itself"


def fours(mine: np.uint64) -> np.uint64:
    return np.uint64(completing_cells(mine))


def late_positions(sizes: list[tuple[int, int]], number: int, cells: int) -> Iterator[Position]:
    """Unfinished positions with at most this many empty cells, in which nobody can win at once."""
    for columns, rows in sizes:
        game = z.game("connect4", columns=columns, rows=rows)
        for seed in range(number):
            position = random_playout(game.start(), seed, columns * rows - cells + seed % 4)
            state = position.state
            landing = (int(state.stones) + sum(1 << 8 * column for column in range(columns))) & int(state.board)
            if not position.is_over and not int(fours(state.mine)) & landing:
                yield position


SIZES = [(4, 4), (5, 4), (4, 5), (5, 5), (6, 5), (7, 6), (5, 7), (8, 7)]


def test_forced_sequences_keep_the_score():
    decided = 0
    for position in late_positions(SIZES, dose(150, 30, 400), dose(9, 6)):
        state = position.state
        work = exact.workspace(state.board, np.zeros(1 << 19, np.uint64))
        theirs = state.mine ^ state.stones
        empties = int(state.board ^ state.stones).bit_count()
        turn, score, mine, theirs, _, _ = settle(state.mine, theirs, fours(theirs), empties, work)
        if turn == DECIDED:
            decided += 1
            assert score == brute_force(position), str(position)
        else:
            reached = Position(position.game, Connect4(mine, int(mine) | int(theirs), state.board))
            assert turn * brute_force(reached) == brute_force(position), str(position)
    assert decided > dose(10, 1, 30)


def test_the_follow_up_strategy_holds_what_it_promises():
    held = 0
    for position in late_positions(SIZES, dose(200, 30, 600), dose(9, 6)):
        state = position.state
        work = exact.workspace(state.board, np.zeros(1 << 19, np.uint64))
        theirs = state.mine ^ state.stones
        empty = state.board & ~state.stones
        threats = fours(theirs) & empty
        for bound in range(-3, 3):
            if follow_up_holds(bound, state.mine, theirs, threats, int(empty).bit_count(), work):
                held += 1
                assert brute_force(position) <= bound, f"{position} and {bound}"
    assert held > dose(90, 5, 300)


def test_a_best_move_is_best():
    for text, score in KNOWN[:: dose(4, 80)]:
        if len(text) >= dose(16, 30):
            state = GAME.position(text).state
            every = solve(state, all_moves=True)
            assert every.score == score == max(every.scores.values())
            assert every.moves == tuple(move for move, value in every.scores.items() if value == score)
            assert set(solve(state).moves) <= set(every.moves)
            weak = solve(state, weak=True)
            assert (
                weak.score == (score > 0) - (score < 0) == max(solve(state, weak=True, all_moves=True).scores.values())
            )
            assert np.sign(every.scores[weak.moves[0]]) == weak.score


# ------------------------------------------------------------------------------------------ the table


def hash_in(state: Connect4, work: object) -> np.uint64:
    return np.uint64(table.hash_of(state.mine, state.mine ^ state.stones, work))


def test_hashes_tell_positions_apart_but_for_mirror_images():
    for columns, rows in SIZES:
        game = z.game("connect4", columns=columns, rows=rows)
        work = exact.workspace(game.start().state.board, np.zeros(1 << 19, np.uint64))
        seen: dict[int, set[tuple[int, int]]] = {}
        for seed in range(dose(60, 4)):
            for position in random_playout(game.start(), seed).path:
                states = game.symmetries(position.state)
                hashes = {int(hash_in(state, work)) for state in states}
                assert len(hashes) == 1, "a position and its mirror image"
                boards = {(int(state.mine), int(state.stones)) for state in states}
                assert seen.setdefault(hashes.pop(), boards) == boards, "nothing else"


def test_a_growing_table_keeps_what_is_in_it():
    words = np.zeros(1 << 16, np.uint64)
    work = exact.workspace(GAME.start().state.board, words)
    positions = [p.state for seed in range(dose(100, 10)) for p in random_playout(GAME.start(), seed).path[20:-1]]
    hashes = [hash_in(state, work) for state in positions]
    for number, hashed in enumerate(hashes):
        table.store(hashed, -number % 20, 20, number + 1, work)
    stored = int(np.count_nonzero(words))
    places = {hashed: table.find(hashed, work) for hashed in hashes}
    before = {hashed: table.bounds_at(place, work) for hashed, place in places.items() if place >= 0}
    assert len(before) == stored > len(hashes) // 4
    for _ in range(2):
        table.grow(work)
        assert int(np.count_nonzero(words)) == stored
        for hashed, bounds in before.items():
            assert table.bounds_at(table.find(hashed, work), work) == bounds
    table.clear(work)
    assert not words.any()


def test_a_tiny_table_gives_the_same_scores():
    chosen = [(text, score) for text, score in KNOWN if len(text) >= dose(18, 34)][: dose(80, 3)]
    for bits in (11, 14):
        scores, _ = scores_of([GAME.position(text).state for text, _ in chosen], table_bits=bits)
        assert list(scores) == [score for _, score in chosen]


# ------------------------------------------------------------------------------------------ the book


def test_a_book_of_a_small_board(tmp_path):
    told = []
    path = tmp_path / "book.bin"
    book = build_book(3, path, lambda done, total: told.append((done, total)), columns=4, rows=4, table_bits=14)
    positions = sum(len(level.keys) for level in book.levels)
    assert told == [(done, positions) for done in range(1, positions + 1)]
    game = z.game("connect4", columns=4, rows=4)
    for seed in range(dose(40, 5)):
        position = random_playout(game.start(), seed, seed % 4)
        if JIT:
            assert book.score(position.state) == score_of(position.state, table_bits=14)[0]
        assert Book.read(path).score(position.state) == book.score(position.state)
    assert book.score(random_playout(game.start(), 1, 4).state) is None
    assert book.is_complete and book.score(game.start().state) == 0, "4x4 is a draw"


def test_building_a_book_goes_on_where_it_stopped(tmp_path):
    path = tmp_path / "book.bin"
    book = build_book(4, path, columns=4, rows=4, table_bits=14)
    whole = [level.scores.copy() for level in book.levels]
    book.levels[3].scores[::3] = book.levels[4].scores[::2] = -128
    book.write(path)
    told = []
    again = build_book(4, path, lambda done, total: told.append(done), columns=4, rows=4, table_bits=14)
    assert len(told) == len(whole[3][::3]) + len(whole[4][::2]), "only what was missing"
    assert all((level.scores == scores).all() for level, scores in zip(again.levels, whole, strict=True))
    shorter = build_book(5, path, columns=4, rows=4, seconds=0)
    assert not shorter.is_complete and shorter.score(z.game("connect4", columns=4, rows=4).start().state) == 0


def test_a_book_is_never_replaced_by_less(tmp_path):
    path = tmp_path / "book.bin"
    build_book(3, path, columns=4, rows=4, table_bits=14, crew=Threads(2))
    with pytest.raises(FileError, match="up to 3 stones, more than"):
        build_book(2, path, columns=4, rows=4)
    with pytest.raises(FileError, match="boards of 4x4"):
        build_book(5, path, columns=5, rows=4)


def assert_opened(state, book):
    """A published player has this book: it generates the same positions, and the scores are theirs."""
    known = solver.published(state)
    for _ in range(2):  # the second time does nothing
        open_book(known.work, known.table, known.book)
    base = int(known.work.length)
    for stones, level in enumerate(book.levels):
        first, end = (int(known.table[base + 1 + stones + more]) for more in (0, 1))
        entries = known.table[first:end]
        assert (entries & KEYS).tolist() == level.keys.tolist()
        wanted = [0 if score == -128 else score + OFFSET for score in level.scores.tolist()]
        assert (entries >> SCORE_SHIFT).tolist() == wanted, f"with {stones} stones"
    assert len(known.book) == -(-sum(len(level.keys) for level in book.levels) // 8) + 1, "a byte for each position"
    assert int(known.table[base]) == len(book.levels) and int(known.table[base + 1]) == base + HEAD


@pytest.mark.skipif(not JIT, reason="plain Python takes minutes; it opens the small book of another test")
def test_the_book_of_published_players():
    """From scores alone, a module generates the positions of the shipped book again."""
    assert_opened(z.game("connect4").start().state, find_book(7, 6))


def test_ones_own_book_is_found(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_DATA_DIR", str(tmp_path))
    find_book.cache_clear()
    state = z.game("connect4", columns=4, rows=5).start().state
    assert find_book(4, 5) is None
    path = tmp_path / "books" / "connect4-4x5.bin"
    path.parent.mkdir()
    book = Book(4, 5, 1)
    book.levels[0].scores[:] = 7  # not its score: so one sees who answers
    book.levels[1].scores[:] = -7
    book.write(path)
    find_book.cache_clear()
    assert solve(state).score == 7
    book.levels[1].scores[:1] = -128
    book.write(path)
    find_book.cache_clear()
    assert find_book(4, 5).whole_levels == 1, "a book that is still being made says what it knows"
    assert solve(state).score == 7
    assert_opened(state, find_book(4, 5))
    book.levels[0].scores[:] = -128
    book.write(path)
    find_book.cache_clear()
    assert find_book(4, 5) is None
    find_book.cache_clear()


@pytest.mark.skipif(not JIT, reason="plain Python uses no threads")
def test_hard_moves_are_shared_among_threads(monkeypatch):
    """The scores are those that one thread finds, and a limit of time ends all of them."""
    monkeypatch.setattr(solver, "ALONE_NODES", 100)
    position = random_playout(GAME.start(), 6, 14)
    found = solve(position.state, all_moves=True)
    assert found.complete and found.nodes > 100
    assert {move: -score for move, score in found.scores.items()} == {
        move: score_of(play(position.state, move))[0] for move in found.scores
    }
    assert found.moves == tuple(move for move, score in found.scores.items() if score == found.score)
    solver._shared_table.cache_clear()
    assert not solve(GAME.position("4").state, all_moves=True, seconds=0.001, book=False).complete


def test_the_table_of_shared_moves_fits_into_a_processor_s_cache():
    """Beyond the book. With 32 MB, the same search took 1.7 times as long; boards without a book have more to store."""
    position = random_playout(GAME.start(), 6, 8)
    assert solver.shared_table(position.state).words.nbytes <= 2 << 20
    assert solver.shared_table(GAME.start().state).words.nbytes > 2 << 20
    solver._shared_table.cache_clear()


def test_every_score_of_the_shipped_book_is_the_best_of_those_after_it():
    """By arrays, for all positions whose moves are in the book: a win at once, or the best of the next scores."""
    book = Book.read(Path(solver.__file__).parent / "weights" / "book-7x6.bin")
    for stones, (parents, level) in enumerate(itertools.pairwise(book.levels)):
        best, are_known = np.full(len(parents.keys), -99), np.ones(len(parents.keys), bool)
        for indices, wins, mine, after in book.children(parents):
            scores = level.scores[level.find(book.keys_of(mine, after))].astype(int)
            best[indices] = np.maximum(best[indices], -scores)
            are_known[indices[scores == -128]] = False
            best[wins] = 99
        best[best == 99] = (42 + 1 - stones) // 2
        assert (best == parents.scores)[are_known].all()
        assert are_known.mean() > 0.5


def test_bad_books_are_refused_in_words(tmp_path):
    path = tmp_path / "book.bin"
    with pytest.raises(FileError, match="cannot be read"):
        Book.read(path)
    for data in (b"", b"hello", b"zermelo connect4 book 1\n{}\nx", b"zermelo connect4 book 1\n[]\n"):
        path.write_bytes(data)
        with pytest.raises(FileError, match="not a Connect 4 book"):
            Book.read(path)
    with pytest.raises(GameError, match="depth=99"):
        build_book(99, path)


def test_the_book_that_comes_along():
    """First moves -2 -1 0 1 0 -1 -2: published, and in the project's reference files."""
    book = find_book(7, 6)
    assert book is not None and book.is_complete and book.depth == 8
    assert book.score(GAME.start().state) == 1
    found = solve(GAME.start().state, all_moves=True)
    assert (found.score, found.moves, found.nodes) == (1, (3,), 0)
    assert list(found.scores.values()) == [-2, -1, 0, 1, 0, -1, -2]
    assert solve(GAME.start().state).moves == (3,)
    assert is_quick(GAME.start().state)


def test_the_scores_before_a_position_say_how_low_its_own_can_be():
    book, lowest = find_book(7, 6), 0
    for seed in range(dose(60, 12)):
        position = random_playout(GAME.start(), seed, 3 + seed % 6)
        if not position.is_over:
            least, score = book.least_score(position.state), book.score(position.state)
            assert -book.score(position.parent.state) <= least <= score
            lowest += least == score
    assert lowest > 0, "about half of the positions have the lowest score that they can have"
    nine = random_playout(GAME.start(), 1, 9)
    assert book.least_score(nine.state) >= -book.score(nine.parent.state)
    assert book.least_score(random_playout(GAME.start(), 1, 10).state) is None


def test_the_book_does_not_know_a_position_that_no_game_reaches():
    """The stone that was played last would have to lie under another one."""
    state = GAME.start().state._replace(mine=np.uint64(0b10), stones=np.uint64(0b11))
    assert find_book(7, 6).score(state) is None
    assert find_book(7, 6).score(state._replace(mine=np.uint64(0b01))) is not None


def test_mirror_images_are_worth_the_same():
    for text, _ in KNOWN[:: dose(15, 120)]:
        if len(text) >= dose(20, 26):
            mirrored = "".join(str(8 - int(column)) for column in text)
            assert score_of(GAME.position(text).state)[0] == score_of(GAME.position(mirrored).state)[0]


@pytest.mark.skipif(not JIT, reason="deep")
def test_every_move_of_a_position():
    position = GAME.position("44444132")
    found = solve(position.state, all_moves=True)
    best = max(found.scores.values())
    assert found.score == best == score_of(position.state)[0]
    for move, score in found.scores.items():
        child = position.play(str(move + 1))
        assert score == -score_of(child.state)[0]


@pytest.mark.skipif(not JIT, reason="little is quick without the compiler")
def test_analysis_is_perfect_where_it_is_quick():
    position = GAME.position(KNOWN[0][0])
    assert is_quick(position.state)
    best = z.analyse(position, seconds=60).best
    assert (best.score, best.exact) == (KNOWN[0][1], True)
    assert z.engine(nodes=100).think(position).score == KNOWN[0][1]
    early = random_playout(GAME.start(), 1, 8).state
    assert is_quick(early) and not is_quick(early, hurry=True) and not is_quick(early, book=False)
    assert is_quick(GAME.start().state, hurry=True) and not is_quick(GAME.start().state, book=False)


@pytest.mark.skipif(not JIT, reason="made for compiled speed")
def test_a_budget_may_end_it():
    found = solve(GAME.start().state, seconds=0.2, book=False)
    assert not found.complete
    assert found.value == "?"


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="hours")
def test_the_empty_board_is_won_by_one(record_property):
    """+1, first moves -2 -1 0 1 0 -1 -2: published, and in the project's reference files."""
    found = score_of(GAME.start().state)[0]
    record_property("figure", [2, "score of the empty board of Connect 4, without a book", "+1", f"{found:+}"])
    assert found == 1


def test_the_length_of_a_game_follows_from_its_score():
    """Played out with best moves, from positions near the end on boards with an even and an odd number of cells."""
    for game in (GAME, z.game("connect4", columns=5, rows=5)):
        cells = int(game.start().state.board).bit_count()
        for seed in range(dose(30, 3)):
            position = random_playout(game.start(), seed, cells - dose(14, 7) + seed % 4)
            if position.is_over:
                continue
            told = solve(position.state, table_bits=16).plies
            length = 0
            while not position.is_over:
                position = position.play_code(solve(position.state, table_bits=16).moves[0])
                length += 1
            assert told == length


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_what_the_book_knows_compiles_no_search(monkeypatch):
    """The first move of a game is in the book: who waits for it does not wait for the solver to be compiled."""

    def refused(*asked):
        raise AssertionError("the solver was compiled")

    start = z.game("connect4").start_state
    expected = solver.solve(start(), kept={}), solver.solve(start(), all_moves=True)
    monkeypatch.setattr(solver, "compiled", refused)
    found = solver.solve(start(), kept={}), solver.solve(start(), all_moves=True)
    for known, again in zip(expected, found, strict=True):
        assert (known.moves, known.score, known.scores, known.nodes) == (again.moves, again.score, again.scores, 0)
    with pytest.raises(AssertionError, match="compiled"):
        solver.solve(start(), book=False, kept={})
