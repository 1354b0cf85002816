"""Onitama: the rules against published counts and a slow program, notation, draws and pictures."""

import json
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

from conftest import GOLDEN, dose
from zermelo.errors import GameError, IllegalMoveError, PositionError
from zermelo.games import find_game, find_heuristic
from zermelo.games.onitama.cards import CARDS
from zermelo.language import speaking
from zermelo.position import Position, random_playout
from zermelo.rules import (
    can_repeat,
    is_noisy,
    is_over,
    key,
    move_hint,
    moves_of,
    play,
    table_key,
    wins_at_once,
)
from zermelo.scores import Score
from zermelo.searches.budget import Budget
from zermelo.searches.deepening import Engine
from zermelo.searches.perft import divide, perft

GAME = find_game("onitama")
GOLDEN_CARDS = json.loads((GOLDEN / "onitama-cards.json").read_text())["cards"]
PERFT = json.loads((GOLDEN / "onitama-perft.json").read_text())["sets"]
ALL_DECKS = "base sensei promo"


def golden_position(entry: dict[str, Any]) -> Position:
    hands = ",".join(entry["red_hand"]), ",".join(entry["blue_hand"])
    return GAME.position(f"{entry['board_top_row_first']} {hands[0]} {hands[1]} {entry['side']} {entry['to_move']}")


def playouts(number: int) -> list[Position]:
    """Random games, each with different cards from all sets."""
    games = [find_game("onitama", seed=seed, sets=ALL_DECKS) for seed in range(number)]
    return [random_playout(game.start(), seed) for seed, game in enumerate(games)]


# ------------------------------------------------------------------------------------------ rules


@pytest.mark.parametrize("entry", PERFT, ids=[entry["side"] + "-" + entry["to_move"] for entry in PERFT])
def test_perft(entry: dict[str, Any]) -> None:
    state = golden_position(entry).state
    for depth, expected in entry["perft"].items():
        if expected <= dose(200_000_000, 30_000):
            counted = perft(state, int(depth))
            assert counted == expected, {GAME.move_text(state, m): n for m, n in divide(state, int(depth)).items()}


@dataclass
class Kinds:
    """What else onitama-perft.json counts, per ply."""

    wins: Counter[int] = field(default_factory=Counter)
    captures: Counter[int] = field(default_factory=Counter)
    exchanges: Counter[int] = field(default_factory=Counter)  # positions in which nobody can move

    def walk(self, state: Any, ply: int, last: int) -> None:
        moves = moves_of(state)
        self.exchanges[ply] += bool(moves) and GAME.move_text(state, moves[0]).startswith("swap")
        for move in moves:
            after = play(state, move)
            self.wins[ply] += bool(is_over(after))
            self.captures[ply] += int(after.mine).bit_count() < int(state.theirs).bit_count()
            if ply < last:
                self.walk(after, ply + 1, last)


@pytest.mark.parametrize("entry", PERFT, ids=[entry["side"] + "-" + entry["to_move"] for entry in PERFT])
def test_perft_by_kind_of_move(entry: dict[str, Any]) -> None:
    depths = [int(depth) for depth, number in entry["perft"].items() if number <= dose(30_000, 2_000)]
    found = Kinds()
    found.walk(golden_position(entry).state, 1, depths[-1])
    for depth in depths:
        assert found.wins[depth] == entry["winning_leaf_moves"][str(depth)]
        assert found.captures[depth] == entry["python_captures"][str(depth)]
        assert sum(found.exchanges[ply] for ply in range(1, depth + 1)) == entry["pass_nodes"][str(depth)]


def test_cards_are_those_of_the_box() -> None:
    decks = {"base": "base", "senseis_path": "sensei", "promo": "promo"}
    known = [(c["name"], decks[c["deck"]], c["stamp"], {tuple(step) for step in c["moves"]}) for c in GOLDEN_CARDS]
    assert [(card.name, card.deck, card.stamp, set(card.moves)) for card in CARDS] == known


def slow_moves(text: str) -> set[str]:
    """The legal moves of a position's text, by the rules as a player reads them; knows nothing of the package."""
    board, *hands, side = text.split()
    squares = [f"{file}{rank}" for rank in "54321" for file in "abcde"]
    men = {square: man for square, man in zip(squares, board.replace("/", ""), strict=True) if man != "."}
    own, other, way = ("rR", "B", 1) if side == "r" else ("bB", "R", -1)
    home, goal = ("c1", "c5") if side == "r" else ("c5", "c1")
    if own[1] not in men.values() or men.get(home) == other:
        return set()
    assert other in men.values()
    assert men.get(goal) != own[1]
    steps = {card["name"]: card["moves"] for card in GOLDEN_CARDS}
    hand = hands[0 if side == "r" else 1].split(",")
    moves = set()
    for card in hand:
        for square, man in men.items():
            for right, forward in steps[card]:
                target = chr(ord(square[0]) + way * right) + chr(ord(square[1]) + way * forward)
                if man in own and target in squares and men.get(target, ".") not in own:
                    moves.add(f"{card}:{square}-{target}")
    return moves or {f"swap:{card}" for card in hand}


def slow_play(text: str, move: str) -> str:
    """The text of the position after a move, in the same way."""
    board, red, blue, side_card, side = text.split()
    squares = [f"{file}{rank}" for rank in "54321" for file in "abcde"]
    cells = dict(zip(squares, board.replace("/", ""), strict=True))
    card, _, step = move.partition(":")
    if card == "swap":
        card = step
    else:
        origin, target = step.split("-")
        cells[target], cells[origin] = cells[origin], "."
    hands = {"r": red.split(","), "b": blue.split(",")}
    hands[side] = [side_card if held == card else held for held in hands[side]]
    order = [entry["name"] for entry in GOLDEN_CARDS]
    red, blue = (",".join(sorted(hands[colour], key=order.index)) for colour in "rb")
    ranks = "/".join("".join(cells.values())[i : i + 5] for i in range(0, 25, 5))
    return f"{ranks} {red} {blue} {card} {'b' if side == 'r' else 'r'}"


def test_a_slow_program_plays_the_same_game() -> None:
    for end in playouts(dose(100, 5)):
        for before, after in pairwise(end.path):
            assert set(before.moves) == slow_moves(str(before))
            assert str(after) == slow_play(str(before), after.last_move_text or "")
        if end.winner:
            assert slow_moves(str(end)) == set()


def mirrored(text: str) -> str:
    """The board with left and right exchanged, and every card replaced by its mirror image."""
    mirror = {card["name"]: card["mirror"] for card in GOLDEN_CARDS}
    board, *hands, side = text.split()
    cards = [",".join(mirror[card] for card in hand.split(",")) for hand in hands]
    return " ".join(["/".join(rank[::-1] for rank in board.split("/")), *cards, side])


def turned(text: str) -> str:
    """The board turned round: red plays blue and blue red."""
    board, red, blue, side_card, side = text.split()
    return " ".join(
        [board[::-1].swapcase().translate(str.maketrans("rRbB", "BbRr")), blue, red, side_card, "br"["rb".index(side)]]
    )


def test_mirror_and_turn_are_symmetries() -> None:
    for seed in range(dose(30, 2)):
        position = random_playout(find_game("onitama", seed=seed).start(), seed, plies=6)
        if not position.is_over:
            depth = dose(5, 2)
            number = perft(position.state, depth)
            assert perft(GAME.position(mirrored(str(position))).state, depth) == number
            assert perft(GAME.position(turned(str(position))).state, depth) == number


# ------------------------------------------------------------------------------------------ how it ends


def test_both_ways_to_win() -> None:
    """The master steps onto the arch; a student takes the master; a student on the arch wins nothing."""
    stream = GAME.position("b...b/..R../...../..B../r...r boar,ox elephant,horse crab r").play("boar:c4-c5")
    assert (stream.is_over, stream.winner, stream.moves, stream.margin) == (True, 1, (), 1)
    stone = GAME.position("b.B.b/...r./...../...../r.R.r boar,elephant ox,horse crab r").play("elephant:d4-c5")
    assert (stone.is_over, stone.winner) == (True, 1)
    student = GAME.position("b...b/..r../.B.../...../r.R.r boar,ox elephant,horse crab r").play("boar:c4-c5")
    assert (student.is_over, student.winner) == (False, None)
    assert "R" in str(student)
    assert student.to_move == 2
    blue = GAME.position("b...b/...../..R../.B.../r...r boar,ox horse,elephant crab b").play("elephant:b2-c1")
    assert (blue.winner, blue.margin) == (2, -1)


def test_the_own_student_blocks_the_arch() -> None:
    position = GAME.position("b.r.b/..R../...../..B../r...r boar,ox elephant,horse crab r")
    with pytest.raises(IllegalMoveError, match="red already has a piece on c5"):
        position.play("boar:c4-c5")


def test_a_blocked_player_exchanges_a_card() -> None:
    """The set of onitama-perft.json whose first player cannot move."""
    position = golden_position(PERFT[3])
    assert position.moves == ("swap:horse", "swap:tiger")
    after = position.play("swap:tiger")
    assert str(after) == "rbBbb/r..../r..../r..../R.... crab,horse boar,ox tiger b"
    svg = ElementTree.fromstring(position.svg())
    assert {e.get("data-move") for e in svg.iter() if e.get("data-move")} == set(position.moves)


ROUND = "horse:e1-d1 boar:a5-a4 ox:d1-e1 horse:a4-b4 elephant:e1-d1 ox:b4-b5 boar:d1-e1 elephant:b5-a5"
"""Eight plies after which the masters and all five cards are where they were."""


def test_the_third_time_is_a_draw() -> None:
    start = position = GAME.position("B..../...../...../...../....R horse,ox boar,crab elephant r")
    for times in (2, 3):
        for move in ROUND.split():
            assert not position.is_over
            position = position.play(move)
        assert position == start
        assert position.is_over == (times == 3)
    assert (position.winner, position.margin, position.moves) == (None, 0, ())
    assert "a draw" in position.svg()
    assert not GAME.position(str(position)).is_over, "from its text it has no past"
    with pytest.raises(IllegalMoveError, match="over"):
        position.play("horse:e1-d1")


def test_two_hundred_plies_are_a_draw() -> None:
    longest = max(playouts(dose(300, 10)), key=lambda end: len(end.path))
    assert len(longest.path) <= 201
    start = GAME.start()
    position = Position(GAME, start.state)
    for ply in range(200):
        assert not position.is_over, ply
        # Positions that differ in a way the rules never see, so that only their number counts.
        other = start.state._replace(theirs=int(start.state.theirs) ^ (ply + 1) << 7)
        position = Position(GAME, other, position, 0)
    assert position.is_over
    assert position.winner is None


# ------------------------------------------------------------------------------------------ options


def test_the_stamp_says_who_begins() -> None:
    assert str(GAME.start()) == "bbBbb/...../...../...../rrRrr crane,monkey crab,tiger dragon r"
    crab = find_game("onitama", cards="ox boar elephant horse crab")
    assert str(crab.start()) == "bbBbb/...../...../...../rrRrr boar,ox elephant,horse crab b"
    assert str(find_game("onitama", cards="boar ox elephant horse crab", first="red").start()).endswith(" r")
    assert find_game("onitama", cards="boar,ox,elephant,horse,nessie").start().to_move == 1


def test_a_seed_deals_the_same_cards_and_every_card() -> None:
    assert find_game("onitama", seed=7) == find_game("onitama(seed=7)") != find_game("onitama", seed=8)
    assert str(find_game("onitama", seed=7)) == str(find_game("onitama", seed=7, sets="base"))
    dealt = {card for seed in range(300) for card in find_game("onitama", seed=seed, sets=ALL_DECKS).deal}  # type: ignore[attr-defined]
    assert dealt == set(range(43))
    sensei = {CARDS[card].deck for seed in range(30) for card in find_game("onitama", seed=seed, sets="sensei").deal}  # type: ignore[attr-defined]
    assert sensei == {"sensei"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cards": "boar ox elephant horse"}, "4 cards"),
        ({"cards": "boar ox elephant horse tigre"}, "tigre.*tiger"),
        ({"cards": "boar ox elephant horse ox"}, "ox twice"),
        ({"cards": 7}, "no card '7'"),
        ({"cards": "boar ox elephant horse crab", "seed": 1}, "both"),
        ({"seed": -1}, "seed=-1"),
        ({"seed": "x"}, "seed=x"),
        ({"seed": 1, "sets": "basic"}, "basic"),
        ({"seed": 1, "sets": " "}, "names no set"),
        ({"sets": "base"}, "seed"),
        ({"first": "green"}, "green"),
    ],
)
def test_bad_options_are_refused_in_words(options: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        find_game("onitama", **options)


# ------------------------------------------------------------------------------------------ text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bbBbb/...../...../rrRrr boar,ox elephant,horse crab r", "4 ranks"),
        ("bbBbb/..../...../...../rrRrr boar,ox elephant,horse crab r", "rank 4.*4 squares"),
        ("bbBbb/...../..x../...../rrRrr boar,ox elephant,horse crab r", "c3.*'x'"),
        ("bbBbb/...../...../...../rrRrr boar,ox elephant,horse crab", "write the board, red's cards"),
        ("bbBbb/...../...../...../rrRrr boar,ox,tiger elephant,horse crab r", "red has 3 cards"),
        ("bbBbb/...../...../...../rrRrr boar,ox elephant,horse crap r", "crap.*crab"),
        ("bbBbb/...../...../...../rrRrr boar,ox elephant,horse boar r", "boar appears twice"),
        ("bbBbb/...../...../...../rrRrr boar,ox elephant,horse crab g", "not 'g'"),
        ("bbBbb/b..../...../...../rrRrr boar,ox elephant,horse crab r", "blue has 5 students"),
        ("bbBbb/...../...../...../rrRRr boar,ox elephant,horse crab r", "red has 2 masters"),
        ("bb.bb/...../...../...../rrRrr boar,ox elephant,horse crab r", "blue has no master"),
        ("bbRbb/B..../...../...../rr.rr boar,ox elephant,horse crab r", "red's master stands on c5"),
    ],
)
def test_bad_positions_are_refused_in_words(text: str, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        GAME.position(text)


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("tigre:c1-c3", "no card 'tigre'; did you mean tiger"),
        ("tiger:c1-c3", "red holds crane and monkey, not tiger"),
        ("swap:crane", "only when no piece can move"),
        ("crane:c1-c9", "no square c9"),
        ("crane:c3-c4", "there is no piece on c3"),
        ("crane:c5-c4", "the piece on c5 is blue"),
        ("crane:c1-c3", "the card crane does not lead from c1 to c3"),
    ],
)
def test_illegal_moves_are_explained(move: str, message: str) -> None:
    with pytest.raises(IllegalMoveError, match=message):
        GAME.start().play(move)


def test_moves_and_boards_are_read_leniently() -> None:
    assert GAME.start().play(" CRANE:c1-C2 ") == GAME.start().play("crane:c1-c2")
    issue = "b.Bbb......b....rrR.r...r monkey,crane tiger,crab dragon red"
    assert str(GAME.position(issue)) == "b.Bbb/...../.b.../.rrR./r...r crane,monkey crab,tiger dragon r"


# ------------------------------------------------------------------------------------------ pictures


def test_every_legal_move_can_be_clicked_once() -> None:
    for end in playouts(dose(10, 2)):
        for position in end.path[:: dose(3, 10)]:
            groups = [e for e in ElementTree.fromstring(position.svg()).iter() if e.get("data-move")]
            assert sorted(e.get("data-move") or "" for e in groups) == sorted(position.moves)
            for group in groups:
                assert group.get("role") == "button"
                assert group.get("aria-label")
                card, _, step = (group.get("data-move") or "").partition(":")
                if card != "swap":
                    assert [group.get("data-card"), group.get("data-from"), group.get("data-to")] == [
                        card,
                        *step.split("-"),
                    ]


def test_dots_do_not_hide_each_other() -> None:
    for end in playouts(dose(20, 2)):
        for position in end.path[:: dose(3, 10)]:
            groups = [e for e in ElementTree.fromstring(position.svg()).iter() if e.get("class") == "move"]
            dots = [next(c for c in group if c.tag.endswith("circle")) for group in groups]
            places = [(float(dot.get("cx") or 0), float(dot.get("cy") or 0)) for dot in dots]
            for i, (x, y) in enumerate(places):
                assert all(abs(x - u) + abs(y - v) > 4 for u, v in places[:i]), str(position)


def test_the_text_board_shows_cards_as_their_holders_see_them() -> None:
    lines = GAME.start().board().splitlines()
    assert lines[0] == "blue"
    assert "red (to move)" in lines
    assert lines[1:7] == [
        "  crab        tiger",
        "  . . . . .   . . . . .",
        "  . . . . .   . . x . .",
        "  x . o . x   . . o . .",
        "  . . x . .   . . . . .",
        "  . . . . .   . . x . .",
    ]


# ------------------------------------------------------------------------------------------ what the engine asks


def test_noisy_moves_are_captures_and_ways_to_the_arch() -> None:
    position = GAME.position("b.B.b/....r/..R../...../r...r boar,ox elephant,horse tiger r")
    noisy = {move for move in position.moves if is_noisy(position.state, GAME.parse_move(position.state, move))}
    # c3-c4 threatens c5 with the card that is kept; c3-d3 does not go forward; e4-e5 takes a student.
    assert noisy == {"boar:e4-e5", "ox:e4-e5", "boar:c3-c4", "ox:c3-c4"}
    assert can_repeat(position.state)


def test_hints_put_a_win_first_and_captures_next() -> None:
    position = GAME.position("bb..b/..R.r/..B../...../r...r boar,ox elephant,horse crab r")
    hints = {move: move_hint(position.state, GAME.parse_move(position.state, move)) for move in position.moves}
    best = max(hints.values())
    assert {move for move, hint in hints.items() if hint == best} == {"boar:c4-c5", "ox:c4-c5", "ox:c4-c3"}
    captures = {"boar:e4-e5", "ox:e4-e5"}
    assert min(hints[move] for move in captures) > max(h for m, h in hints.items() if h < best and m not in captures)


def test_noisy_lines_end() -> None:
    """This holds however the moves are chosen, so quiescence needs no other limit."""
    for seed in range(dose(200, 5)):
        position = random_playout(find_game("onitama", seed=seed, sets=ALL_DECKS).start(), seed, plies=seed % 20)
        for ply in range(100):
            noisy = [m for m in position.moves if is_noisy(position.state, GAME.parse_move(position.state, m))]
            if not noisy:
                break
            assert ply < 60
            position = position.play(noisy[seed % len(noisy)])


# ------------------------------------------------------------------------------------------ heuristics


def passed(text: str) -> str:
    """The same position with the other player to move."""
    return text[:-1] + ("b" if text.endswith("r") else "r")


def test_heuristics_change_sign_with_the_mover_and_not_with_the_colours() -> None:
    for end in playouts(dose(8, 2)):
        for position in end.path[:-1]:
            for heuristic in GAME.heuristics.values():
                value = heuristic(position)
                if heuristic.name.startswith("learned"):  # they know who moves; and entries are summed in another order
                    assert abs(heuristic(GAME.position(turned(str(position)))) - value) <= 1
                    continue
                assert heuristic(GAME.position(turned(str(position)))) == value
                if not is_over(GAME.position(passed(str(position))).state):
                    assert heuristic(GAME.position(passed(str(position)))) == -value


def test_material_is_that_of_the_report() -> None:
    """100 x (my master - theirs) + 10 x (my students - theirs), counted on the text; also when a master is gone."""
    for end in playouts(dose(50, 5)):
        for position in end.path:
            men = str(position).split()[0]
            red = 100 * men.count("R") + 10 * men.count("r") - 100 * men.count("B") - 10 * men.count("b")
            assert GAME.heuristics["material"](position) == (red if position.to_move == 1 else -red)


def test_mobility_counts_moves() -> None:
    counting = GAME.heuristics["mobility"].with_weights(student=0, move=1)
    for end in playouts(dose(30, 3)):
        for position in end.path[:-1]:
            mine, theirs = (
                sum(not move.startswith("swap") for move in slow_moves(text))
                for text in (str(position), passed(str(position)))
            )
            if slow_moves(passed(str(position))):
                assert counting(position) == mine - theirs


@pytest.mark.parametrize(
    ("term", "text", "value"),
    [
        # Red's master is two steps from c5, blue's four from c1.
        ("master_distance(student=0, step=1)", "...B./...../.R.../...../..... boar,ox crab,horse tiger r", 2),
        # The tiger leads red's master onto c5; blue's is too far away.
        ("arch_control(student=0, guarded=0, threat=1)", "...../..B../..R../...../..... ox,tiger crab,boar eel r", 1),
        # Blue enters c1 by the boar from b1, c2, d1, by the crab from a1, c2, e1, by the eel from b2, d1: red strikes
        # at b2 alone. Red enters c5 by the ox from b5, c4, by the tiger from c3, by the eel from b5, d4: blue strikes
        # at c3 and d4.
        ("arch_control(student=0, guarded=1, threat=0)", "...../..B../...../...../.R... ox,tiger crab,boar eel r", -1),
        # A student two rows up and red's master one; blue's is at home.
        (
            "piece_square(student=0, student_row=1, student_centre=0, master_row=10, master_centre=0)",
            "..B../...../..r../.R.../..... ox,tiger crab,boar eel r",
            12,
        ),
        # The centre is worth 6, b2 3 and c5 4: columns from the edge count twice, rows once.
        (
            "piece_square(student=0, student_row=0, student_centre=1, master_row=0, master_centre=10)",
            "..B../...../..r../.R.../..... ox,tiger crab,boar eel b",
            40 - 6 - 30,
        ),
    ],
)
def test_terms_by_hand(term: str, text: str, value: int) -> None:
    assert find_heuristic(term, GAME)(GAME.position(text)) == value


def test_mirror_images_share_a_table_key_where_the_cards_allow_it() -> None:
    for name, shared in [
        ('onitama(cards="boar horse elephant ox crab")', True),  # horse and ox mirror each other, the rest themselves
        ('onitama(cards="tiger crab monkey crane dragon")', True),
        ('onitama(cards="boar horse elephant frog crab")', False),
    ]:
        game = find_game(name)
        for seed in range(dose(20, 3)):
            position = random_playout(game.start(), seed, seed + 1)
            image = game.position(mirrored(str(position)))
            equal = table_key(position.state) == table_key(image.state)
            assert equal == (shared or image == position)
            assert (key(position.state) == key(image.state)) == (image == position)


def test_the_engine_finds_the_forced_win() -> None:
    """The issue's position: red wins, and a good engine sees it at depth 12 (by an independent engine)."""
    if not dose(1, 0):
        pytest.skip("deep")
    position = GAME.position("b.Bbb/...../.b.../.rrR./r...r monkey,crane tiger,crab dragon r")
    *_, found = Engine(GAME.heuristics["combined"], memory=64).deepen(position.state, Budget(depth=13))
    assert found.score == Score.win(13), "and the game's own solver proves that 13 plies are the shortest"
    assert GAME.move_text(position.state, found.move) == "crane:b2-b3"


def test_a_player_wins_at_once_if_a_move_ends_the_game() -> None:
    seen = set()
    for seed in range(dose(300, 40)):
        position = random_playout(find_game("onitama", seed=seed).start(), seed, 12)
        if not position.is_over:
            wins = any(is_over(play(position.state, move)) for move in moves_of(position.state))
            assert bool(wins_at_once(position.state)) == wins
            seen.add(wins)
    assert len(seen) == 2


def test_the_words_beside_the_board_fit_there_in_spanish():
    position = find_game("onitama", cards="boar ox elephant horse crab").start()
    seed = 0
    while (end := random_playout(position, seed)).winner != 2:
        seed += 1
    with speaking("es"):
        svg = ElementTree.fromstring(end.picture().svg())
    words = next(text for text in svg.iter("{http://www.w3.org/2000/svg}text") if text.text == "azul ha ganado")
    wide = 0.6 * float(words.attrib["font-size"]) * len(words.text)  # a bold letter, on average
    assert float(words.attrib["x"]) + wide / 2 <= float(svg.attrib["viewBox"].split()[2])
