"""Onitama's endgame tables and solver, against a published tablebase, the rules, and each other."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import GOLDEN, dose
from zermelo.core import JIT, mix, save
from zermelo.errors import GameError, ZermeloError
from zermelo.games import find_game, find_heuristic
from zermelo.games.onitama import endgame_index as index
from zermelo.games.onitama import endgames as tables
from zermelo.games.onitama import retrograde, solver
from zermelo.games.onitama.cards import CARDS, NUMBER
from zermelo.games.onitama.rules import make_state
from zermelo.games.onitama.solver import solve
from zermelo.position import Position, random_playout
from zermelo.rules import is_over, moves_of, play
from zermelo.searches.budget import Budget
from zermelo.searches.deepening import Engine

GAME = find_game("onitama")
SETS = json.loads((GOLDEN / "onitama-endgames.json").read_text())["sets"]
compiled_only = pytest.mark.skipif(not JIT, reason="a table takes seconds compiled, hours in plain Python")


def golden_position(sample: dict[str, Any], mover: str = "r") -> Position:
    """The sample as it is given, the mover playing up as red; or turned round, as blue."""
    letters = {"mover_master": "R", "mover_student": "r", "other_master": "B", "other_student": "b"}
    men = {sample[what]: letter for what, letter in letters.items()}
    ranks = ["".join(men.get(file + rank, ".") for file in "abcde") for rank in "54321"]
    hands = [",".join(sample["mover_hand"]), ",".join(sample["other_hand"])]
    board = "/".join(ranks)
    if mover == "b":
        board, hands = board[::-1].translate(str.maketrans("rRbB", "bBrR")), hands[::-1]
    return GAME.position(f"{board} {hands[0]} {hands[1]} {sample['side']} {mover}")


def random_states(cards: tuple[int, ...], number: int, most_students: int = 2) -> list[Any]:
    """Positions that are not over, of both colours, with up to so many students."""
    states: list[Any] = []
    seed = 0
    while len(states) < number:
        rng = np.random.default_rng(int(mix(np.uint64(seed))))
        seed += 1
        a, b, c, d, side = (int(card) for card in rng.permutation(cards))
        squares = [1 << int(square) for square in rng.permutation(25)]
        students = int(rng.integers(most_students + 1))
        owners = rng.integers(2, size=students)
        men = [squares[0], squares[1]]
        for square, owner in zip(squares[2:], owners, strict=False):
            men[owner] |= square
        mover = int(rng.integers(2))
        state = make_state(men, squares[0] | squares[1], ((a, b), (c, d)), side, mover)
        passed = make_state(men, squares[0] | squares[1], ((a, b), (c, d)), side, 1 - mover)
        if not is_over(state) and not is_over(passed):
            states.append(state)
    return states


# ------------------------------------------------------------------------------------------ tables


@compiled_only
@pytest.mark.parametrize("entry", SETS, ids=["-".join(entry["cards"]) for entry in SETS])
def test_every_published_endgame(entry: dict[str, Any]) -> None:
    table = tables.tables_for(entry["cards"])
    for sample in entry["samples"]:
        expected = {"win": 1, "draw": 0, "loss": -1}[sample["result"]], sample["plies"] or 0
        for mover in "rb":
            assert table.probe(golden_position(sample, mover).state) == expected
            assert tables.probe(golden_position(sample, mover).state) == expected


@compiled_only
def test_a_table_is_made_kept_and_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts of the reference tables, for at most one student each; 553 x 553 places of pieces, 30 deals."""
    monkeypatch.setattr(tables, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(tables, "_open", {})
    told: list[tuple[int, int]] = []
    made = tables.tables_for(["boar", "ox", "elephant", "horse", "crab"], lambda *counts: told.append(counts))
    counts = [made.counts(mine, theirs) for mine in (0, 1) for theirs in (0, 1)]
    total = {what: sum(count[what] for count in counts) for what in ("won", "lost", "drawn")}
    assert total == {"won": 6_752_579, "lost": 2_419_523, "drawn": 2_168}
    assert sum(total.values()) == 9_174_270 == 553 * 553 * 30
    assert max(count["longest"] for count in counts) == 59
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (553 * 1059 * 30,) * 2, "with two students of one side, 17.6 million"
    (file,) = (tmp_path / "onitama").iterdir()
    # Found again in any order, without making it; made again if the file is damaged.
    monkeypatch.setattr(tables, "_open", {})
    again = tables.tables_for(NUMBER[name] for name in ["crab", "horse", "elephant", "ox", "boar"])
    assert np.array_equal(made.values, again.values)
    assert not again.values.flags.writeable
    os.truncate(file, 1000)
    assert tables._read(file, 4) is None


def best_of(ends: list[tuple[int, int] | None]) -> tuple[int, int]:
    """The value of a position from those after its moves: the quickest win, else a draw, else the slowest loss."""
    known = [end for end in ends if end is not None]
    assert len(known) == len(ends)
    lost = [plies for score, plies in known if score < 0]
    if lost:
        return 1, min(lost) + 1
    if any(score == 0 for score, _ in known):
        return 0, 0
    return -1, max(plies for _, plies in known) + 1


def test_distances_have_more_than_eight_bits() -> None:
    """A loss in 270 plies used to be stored as one in 254."""
    state = GAME.position("...../..B../...../..R../..... boar,ox elephant,horse crab r").state
    work, steps = retrograde.new_work(tables.cards_of(state), 0), retrograde.new_steps()
    work = work._replace(beyond=np.empty(5, np.int64))
    retrograde.begin(0, 1, 0, work, steps)
    deal = index.DEALS.index(((0, 4), (2, 3), 1))  # boar and ox, elephant and horse, crab
    my_master, their_master = 7, 17
    for plies, square in ((268, their_master), (269, their_master + 1), (253, their_master + 2)):
        steps.row[:] = 0
        steps.row[my_master] = 1 << square
        retrograde.settle(0, deal, plies, work, steps)
    assert work.counters[retrograde.LONG] == 2
    table = tables.Table(tables.cards_of(state), 2, work.values, np.sort(work.beyond[:2]))
    assert table.probe(state) == (-1, 268)
    for row, plies in (("...B.", 269), ("....B", 253)):
        other = GAME.position(f"...../{row}/...../..R../..... boar,ox elephant,horse crab r")
        assert table.probe(other.state) == (1, plies)


@pytest.mark.slow
@compiled_only
def test_the_longest_endgames_are_worth_what_their_moves_are_worth() -> None:
    """The longest distances found by exchanging cards one by one, 100 sets in all; each is checked with the rules."""
    table = tables.tables_for(["crab", "crane", "sable", "turtle", "steer"])
    counts = [table.counts(mine, theirs) for mine in range(3) for theirs in range(3 - mine)]
    assert max(count["longest"] for count in counts) == 203
    longest = int(np.where(table.values == index.NOT_A_POSITION, 0, table.values).max())
    assert longest == 204


@pytest.mark.slow
@compiled_only
def test_more_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five pieces: as good as their moves by the rules; and the table begins with that of four pieces."""
    monkeypatch.setattr(tables, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(tables, "_open", {})
    names = ["crab", "dragon", "frog", "rabbit", "tiger"]
    four = tables.tables_for(names)
    five = tables.tables_for(names, men=5)
    assert (four.men, five.men) == (4, 5)
    places = int(index.FIRST_PLACE[3])
    assert np.array_equal(four.values[:places], five.values[:places])
    assert five.limited(4).probe(GAME.start().state) is None
    for state in random_states(tuple(NUMBER[card] for card in names), 5000, 3):
        assert five.probe(state) == best_of([tables.probe(play(state, move)) for move in moves_of(state)])


@compiled_only
@pytest.mark.parametrize("cards", ["crab dragon frog rabbit tiger", "dog panda sable tanuki bear"])
def test_a_position_is_worth_what_its_moves_are_worth(cards: str) -> None:
    """Move by move with the rules, which the tables do not use; with the second set, positions are often blocked."""
    table = tables.tables_for(cards.split())
    exchanges = 0
    for state in random_states(tuple(NUMBER[card] for card in cards.split()), 5000):
        moves = moves_of(state)
        exchanges += GAME.move_text(state, moves[0]).startswith("swap")
        assert table.probe(state) == best_of([tables.probe(play(state, move)) for move in moves])
    assert exchanges > 10 or "dog" not in cards


def test_the_table_leaves_out_what_it_does_not_hold() -> None:
    numbers = sorted(NUMBER[name] for name in ("boar", "ox", "elephant", "horse", "crab"))
    cards = np.uint64(sum(card << 8 * order for order, card in enumerate(numbers)))
    text = "{} boar,ox elephant,horse {} r"
    for board, side, held in [
        ("..B../b..../...../...../r.R..", "crab", True),
        ("..B../bb.../...../...../..R..", "crab", True),
        ("..B../bb.../...../...../r.R..", "crab", False),
        ("..B../b..../...../...../r.R..", "tiger", False),
        ("...../b..../...../...../r.B..", "crab", False),
    ]:
        state = GAME.position(text.format(board, side)).state
        assert (index.place_of_state(state, cards, 2) >= 0) == held
    assert tables.probe(GAME.start().state) is None
    assert tables.probe(GAME.position(text.format("...../b..../...../...../r.B..", "crab")).state) == (-1, 0)


def test_every_position_has_a_place_of_its_own() -> None:
    """The numbers of students are 0, 1, 2 ...; the places of some of them, with all masters, likewise."""
    sets = int(index.NUMBERED[3])
    mine, theirs = np.zeros(sets, np.uint64), np.zeros(sets, np.uint64)
    retrograde.list_students(2, mine, theirs)
    assert [int(index.students_number(a, b)) for a, b in zip(mine, theirs, strict=True)] == list(range(sets))
    assert sets == 1 + 2 * 25 + 2 * 300 + 25 * 24
    end = int(index.first_place(np.uint64(mine[30] | theirs[30]), 30))
    for number in range(30, 53):
        students = np.uint64(mine[number] | theirs[number])
        first = int(index.first_place(students, number))
        assert first == end
        free = [square for square in range(25) if not int(students) >> square & 1]
        places = [int(index.place_among(first, 29, a, b, students)) for a in free for b in free]
        assert places == list(range(places[0], places[0] + len(free) ** 2))
        end = places[-1] + 1


@compiled_only
def test_a_search_looks_positions_up() -> None:
    """At depth 1 a search knows the exact score, and how many plies the game will last."""
    cards = ["crab", "dragon", "frog", "rabbit", "tiger"]
    heuristic = find_heuristic("material", GAME)
    for state in random_states(tuple(NUMBER[card] for card in cards), 100):
        table = solver.search_tables(state)
        assert table is not None
        *_, found = Engine(heuristic, memory=1).deepen(state, Budget(depth=1), (), table)
        score, plies = tables.probe(state) or (0, 0)
        assert found.exact
        assert (found.score.outcome, found.score.plies or 0) == (score, plies)


def test_bad_cards_are_refused_in_words() -> None:
    with pytest.raises(ZermeloError, match="tigre"):
        tables.tables_for(["boar", "ox", "elephant", "horse", "tigre"])
    with pytest.raises(GameError, match="five different cards"):
        tables.tables_for(["boar", "ox", "elephant", "horse", "ox"])
    with pytest.raises(GameError, match="4 to 6 pieces, not of 7"):
        tables.tables_for(["boar", "ox", "elephant", "horse", "crab"], men=7)


@compiled_only
def test_a_folder_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    tables._write(tmp_path / "file" / "x.endgames", np.zeros(3, np.uint8), np.zeros(0, np.int64))
    assert sorted(tmp_path.iterdir()) == [tmp_path / "file"]


def test_only_so_many_tables_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_BYTES", 7)
    none = np.zeros(0, np.int64)
    for age, name in ((30, "c"), (20, "b"), (10, "a")):
        tables._write(tmp_path / name, np.zeros(3, np.uint8), none)
        os.utime(tmp_path / name, (1_000_000 - age, 1_000_000 - age))
    tables._write(tmp_path / "new", np.zeros(3, np.uint8), none)
    assert {file.name for file in tmp_path.iterdir()} == {"new", "a"}


def test_an_interrupted_file_leaves_nothing_behind(tmp_path: Path) -> None:
    def fill(file: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save(tmp_path / "table", fill)
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------------------------------ solver


@compiled_only
def test_solver_and_table_agree() -> None:
    """Both ways: by the table itself, and by searching without it."""
    cards = ["crab", "dragon", "frog", "rabbit", "tiger"]
    for number, state in enumerate(random_states(tuple(NUMBER[card] for card in cards), 200)):
        exact = solve(state)
        assert exact.complete
        assert (exact.score, exact.plies) == tables.probe(state)
        if 0 < exact.plies <= 7 and number < 100:
            searched = solve(state, seconds=60, use_tables=False)
            assert (searched.score, searched.plies, searched.moves) == (exact.score, exact.plies, exact.moves)


def slow_value(state: Any, plies: int) -> tuple[int, int] | None:
    """Score and plies of a game decided within so many plies, by looking at every line; None if it is not."""
    if is_over(state):
        return -1, 0
    if plies == 0:
        return None
    ends = [slow_value(play(state, move), plies - 1) for move in moves_of(state)]
    lost = [end[1] for end in ends if end is not None and end[0] < 0]
    if lost:
        return 1, min(lost) + 1
    if None in ends:
        return None
    return -1, max(end[1] for end in ends if end is not None) + 1


def test_solver_without_tables_agrees_with_a_slow_search() -> None:
    plies = dose(3, 2)
    for seed in range(dose(60, 6)):
        position = random_playout(find_game("onitama", seed=seed, sets="base sensei promo").start(), seed, 14)
        if position.is_over:
            continue
        expected = slow_value(position.state, plies)
        found = solve(position.state, seconds=60, most_plies=plies, use_tables=False)
        assert found.complete == (expected is not None)
        assert (found.score, found.plies) == (expected or (0, 0))
        for move in found.moves:
            after = play(position.state, move)
            assert slow_value(after, found.plies - 1) == (-found.score, found.plies - 1)


@compiled_only
def test_the_founders_forced_win() -> None:
    """Issue 5: red to move wins, and a good engine sees it at depth 12."""
    position = GAME.position("b.Bbb/...../.b.../.rrR./r...r crane,monkey crab,tiger dragon r")
    found = solve(position.state, seconds=120, use_tables=False)
    assert (found.score, found.plies) == (1, 13)
    assert [GAME.move_text(position.state, move) for move in found.moves] == ["crane:b2-b3"]


def test_what_is_over_or_out_of_reach() -> None:
    over = GAME.position("..R../b..../...../...../r.... boar,ox elephant,horse crab b")
    assert solve(over.state).score == -1
    assert solve(over.state).complete
    start = solve(GAME.start().state, seconds=60, most_plies=2, use_tables=False)
    assert not start.complete
    assert (start.score, start.moves, start.plies) == (0, (), 0)
    hurried = solve(GAME.start().state, seconds=0.05, use_tables=False)
    assert not hurried.complete
    assert hurried.seconds < 10


def test_cards_of_a_state() -> None:
    names = [CARDS[card].name for card in tables.cards_of(GAME.start().state)]
    assert names == ["crab", "crane", "dragon", "monkey", "tiger"]
