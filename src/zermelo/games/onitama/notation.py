"""Onitama in text.

A move is `tiger:c1-c3`, or `swap:tiger` when no piece can move. A position is the ranks from 5 to 1, red's cards,
blue's, the side card and who moves: `bbBbb/...../...../...../rrRrr boar,ox elephant,horse crab r`.
"""

import re

from zermelo.core import as_python, bit
from zermelo.errors import PositionError, ZermeloError
from zermelo.games.onitama.cards import CARDS
from zermelo.games.onitama.deals import card_number
from zermelo.games.onitama.rules import ARCH, BLUE, RED, SIZE, SQUARES, TARGETS, Onitama, card_at, make_state
from zermelo.language import Message, _, marked
from zermelo.rules import moves_of

SIDES = ("red", "blue")
MEN = {"r": RED, "R": RED, "b": BLUE, "B": BLUE}
FORM = "bbBbb/...../...../...../rrRrr boar,ox elephant,horse crab r"
READING_ORDER = [row * SIZE + column for row in reversed(range(SIZE)) for column in range(SIZE)]
MOST_STUDENTS = 4

_card_at = as_python(card_at)


def square_text(square: int) -> str:
    return "abcde"[square % SIZE] + "12345"[square // SIZE]


def square_number(text: str) -> int:
    return "12345".index(text[1]) * SIZE + "abcde".index(text[0])


def card_name(number: int) -> str:
    return CARDS[int(number)].name


def card_title(number: int) -> str:
    """A card's name in the language of the reader. In moves and positions it is always the English one."""
    return _(card_name(number))


def move_parts(move: int) -> tuple[int, int, int]:
    """Card, from and to; from and to are equal when only cards are exchanged."""
    return move >> 10, move >> 5 & 31, move & 31


def move_text(move: int) -> str:
    card, origin, target = move_parts(move)
    if origin == target:
        return f"swap:{card_name(card)}"
    return f"{card_name(card)}:{square_text(origin)}-{square_text(target)}"


def men_of(state: Onitama, player: int) -> int:
    """All pieces of red (0) or blue (1), as a mask."""
    return int(state.mine if player == state.player else state.theirs)


def man_at(state: Onitama, square: int) -> str:
    """`r`, `R`, `b`, `B`, or `.` for an empty square."""
    cell = 1 << square
    letter = "r" if men_of(state, RED) & cell else "b" if men_of(state, BLUE) & cell else "."
    return letter.upper() if int(state.masters) & cell else letter


def hand_of(state: Onitama, player: int) -> tuple[int, int]:
    """The two cards of red (0) or blue (1)."""
    first = 0 if player == state.player else 2
    return int(_card_at(state, first)), int(_card_at(state, first + 1))


def side_card(state: Onitama) -> int:
    return int(_card_at(state, 4))


# ------------------------------------------------------------------------------------------ moves


def why_not(state: Onitama, text: str) -> str | None:
    """Why a text is not a legal move here; None if it is not an Onitama move at all."""
    exchange = re.fullmatch("swap:([a-z]+)", text)
    found = exchange or re.fullmatch("([a-z]+):([a-z][0-9])-([a-z][0-9])", text)
    if not found:
        return None
    side, hand = SIDES[state.player], [card_name(card) for card in hand_of(state, int(state.player))]
    card = next((number for number, known in enumerate(CARDS) if known.name == found[1]), None)
    if card is None:
        return _why_no_card(found[1])
    if found[1] not in hand:
        return _("{side} holds {first} and {second}, not {card}").format(
            side=_(side), first=_(hand[0]), second=_(hand[1]), card=_(found[1])
        )
    if exchange:
        return _("cards are exchanged only when no piece can move, but {move} is possible").format(
            move=move_text(moves_of(state)[0])
        )
    for name in (found[2], found[3]):
        if not re.fullmatch("[a-e][1-5]", name):
            return _("there is no square {name}; they are a1 to e5").format(name=name)
    return _why_no_step(state, card, square_number(found[2]), square_number(found[3]))


def _why_no_card(name: str) -> str | None:
    """What is wrong with the name of a card."""
    try:
        card_number(name)
    except ZermeloError as error:
        return str(error)
    return None


def _why_no_step(state: Onitama, card: int, origin: int, target: int) -> str:
    side, man = SIDES[state.player], man_at(state, origin)
    if man == ".":
        return _("there is no piece on {square}").format(square=square_text(origin))
    if MEN[man] != state.player:
        return _("the piece on {square} is {owner}, but {side} is to move").format(
            square=square_text(origin), owner=_(SIDES[1 - state.player]), side=_(side)
        )
    if not TARGETS[state.player, card, origin] & bit(target):
        return _("the card {card} does not lead from {origin} to {target}").format(
            card=card_title(card), origin=square_text(origin), target=square_text(target)
        )
    return _("{side} already has a piece on {square}").format(side=_(side), square=square_text(target))


# ------------------------------------------------------------------------------------------ positions


def state_text(state: Onitama) -> str:
    cells = "".join(man_at(state, square) for square in READING_ORDER)
    ranks = "/".join(cells[start : start + SIZE] for start in range(0, SQUARES, SIZE))
    hands = [",".join(card_name(card) for card in hand_of(state, player)) for player in (RED, BLUE)]
    return f"{ranks} {hands[0]} {hands[1]} {card_name(side_card(state))} {SIDES[state.player][0]}"


def parse_state(text: str) -> Onitama | None:
    """The state of a drawn board; None if the text does not draw one."""
    words = text.split()
    if not words or ("/" not in words[0] and not re.fullmatch("[rRbB.]{25}", words[0])):
        return None
    if len(words) != 5:
        raise PositionError(
            "{text!r}: write the board, red's cards, blue's cards, the side card and the side to move: {form!r}",
            text=text,
            form=FORM,
        )
    try:
        cells = _parse_board(words[0])
        red, blue, side = _parse_cards(words[1:4])
        mover = _parse_side(words[4])
        _check_men(cells, mover)
    except ZermeloError as error:
        raise PositionError(f"{text!r}: {error}") from None
    men = [sum(1 << square for square, cell in cells.items() if MEN.get(cell) == player) for player in (RED, BLUE)]
    masters = sum(1 << square for square, cell in cells.items() if cell in "RB")
    made: Onitama = make_state(men, masters, (red, blue), side, mover)
    return made


def _parse_board(text: str) -> dict[int, str]:
    """Square -> what stands on it."""
    ranks = text.split("/") if "/" in text else [text[start : start + SIZE] for start in range(0, SQUARES, SIZE)]
    if len(ranks) != SIZE:
        raise PositionError(
            "the board {text!r} has {number} ranks, not {size}", text=text, number=len(ranks), size=SIZE
        )
    for number, rank in zip("54321", ranks, strict=True):
        if len(rank) != SIZE:
            raise PositionError(
                "rank {number}, {rank!r}, has {squares} squares, not {size}",
                number=number,
                rank=rank,
                squares=len(rank),
                size=SIZE,
            )
    cells = dict(zip(READING_ORDER, "".join(ranks), strict=True))
    for square, cell in cells.items():
        if cell not in "rRbB.":
            raise PositionError(
                "the square {square} is written r, R, b, B or ., not {cell!r}", square=square_text(square), cell=cell
            )
    return cells


def _parse_cards(words: list[str]) -> tuple[tuple[int, int], tuple[int, int], int]:
    """Red's cards, blue's and the side card."""
    hands = [word.lower().split(",") for word in words]
    for owner, hand, wanted in zip((*SIDES, marked("the side")), hands, (2, 2, 1), strict=True):
        if len(hand) != wanted:
            raise PositionError(
                "{owner} has {number} cards, {hand!r}, not {wanted}",
                owner=Message(owner),
                number=len(hand),
                hand=",".join(hand),
                wanted=wanted,
            )
    names = [name for hand in hands for name in hand]
    numbers = [card_number(name) for name in names]
    for name in names:
        if names.count(name) > 1:
            raise PositionError("the card {name} appears twice", name=name)
    return (numbers[0], numbers[1]), (numbers[2], numbers[3]), numbers[4]


def _parse_side(word: str) -> int:
    for player, name in enumerate(SIDES):
        if word.lower() in (name, name[0]):
            return player
    raise PositionError("the side to move is written r (red) or b (blue), not {word!r}", word=word)


def _check_men(cells: dict[int, str], mover: int) -> None:
    """Check that these pieces can stand like this with this player to move."""
    men = "".join(cells.values())
    for player, side in enumerate(SIDES):
        student, master = side[0], side[0].upper()
        if men.count(student) > MOST_STUDENTS:
            raise PositionError(
                "{side} has {number} students, but at most {most} are possible",
                side=Message(side),
                number=men.count(student),
                most=MOST_STUDENTS,
            )
        if men.count(master) > 1:
            raise PositionError("{side} has {number} masters", side=Message(side), number=men.count(master))
        if player != mover and master not in men:
            raise PositionError(
                "{side} has no master, so {mover} has won and cannot be to move",
                side=Message(side),
                mover=Message(SIDES[mover]),
            )
    arch = int(ARCH[1 - mover])
    if cells[arch] == SIDES[mover][0].upper():
        raise PositionError(
            "{mover}'s master stands on {square}, so {mover} has won and cannot be to move",
            mover=Message(SIDES[mover]),
            square=square_text(arch),
        )
