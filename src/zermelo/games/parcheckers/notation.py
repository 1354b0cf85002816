"""Parcheckers in text.

A move is a piece and a die, `yellow0:5`, `green1:*`, `blue1:20`, or a pass with a die, `pass:5`. A position is

    yellow=4,13 blue=21,30 red=38,47 green=55,64 turn=yellow dice=12456*/12456*

with the ring square of each piece, `H` (home), `F1` to `F7` (corridor) or `G` (goal), the colour whose turn it is
and the dice left to player 1 / player 2. Then follow, only where they apply, `bonus=20`, `six` (one is remembered),
`bounces=yellow:3,red:1` and `captured=red` (the move just made sent a red piece home). Whatever is left out is as at
the usual start.
"""

import re
from collections.abc import Callable

import numpy as np

from zermelo.errors import PositionError
from zermelo.games.parcheckers.reading import destination, distance_of, field, victim
from zermelo.games.parcheckers.rules import (
    BONUS_AT,
    BOUNCES_AT,
    CAPTURED_AT,
    COLOURS,
    DICE,
    DISTANCE_OF,
    FIVE,
    GOAL,
    HALF,
    HALF_MASK,
    HOME,
    IS_SAFE,
    LAST_DISTANCE,
    MOST_BOUNCES,
    PASS,
    RING,
    SIX,
    SIX_AT,
    SQUARE_AT,
    TEN,
    TURN_AT,
    TURNS,
    Parcheckers,
    available_dice,
    in_wall,
    is_full,
    is_walled_off,
    pack_pieces,
    ring_walls,
    steps_of,
)
from zermelo.language import gettext
from zermelo.rules import moves_of, to_move

ORDINARY = "".join(DICE[:TEN])
USUAL_PARTS = ("turn=yellow", f"dice={ORDINARY}/{ORDINARY}")

# ------------------------------------------------------------------------------------------ moves


def piece_text(place: int) -> str:
    """The name of a piece, such as `yellow0`."""
    return f"{COLOURS[place >> 1]}{place & 1}"


def move_text(move: int) -> str:
    """The text of a move, such as `yellow0:5` or `pass:5`."""
    place = move & 15
    return f"{'pass' if place == PASS else piece_text(place)}:{DICE[move >> 4]}"


_MOVE = re.compile(rf"(pass|(?:{'|'.join(COLOURS)})[01]):({'|'.join(re.escape(die) for die in DICE)})", re.ASCII)


def why_not(state: Parcheckers, text: str) -> str | None:
    """Why a text is not a legal move here; None if it is not a Parcheckers move at all."""
    found = _MOVE.fullmatch(text)
    if not found:
        return None
    die = DICE.index(found[2])
    player = int(to_move(state))
    dice = int(available_dice(state, player))
    if not dice >> die & 1:
        left = " ".join(name for at, name in enumerate(DICE) if dice >> at & 1)
        bonus = gettext(" (a bonus die must be used first)") if dice >> TEN else ""
        return gettext("player {player} cannot use the die {die} now, only {left}{bonus}").format(
            player=player + 1, die=found[2], left=left, bonus=bonus
        )
    if found[1] == "pass":
        return gettext("a piece can move with the {die}, and passing is allowed only if none can").format(die=found[2])
    place = 2 * COLOURS.index(found[1][:-1]) + int(found[1][-1])
    if place >> 2 != player:
        return gettext("{piece} belongs to player {owner}, and player {player} is to move").format(
            piece=found[1], owner=2 - player, player=player + 1
        )
    return why_stuck(state.pieces, place, die)


def choices(state: Parcheckers) -> dict[str, dict[str, tuple[str, str]]]:
    """Die -> piece (or `pass`) -> the move, and where it leads."""
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for move in moves_of(state):
        piece, _, die = move_text(move).partition(":")
        found.setdefault(die, {})[piece] = (move_text(move), preview(state, move))
    return found


def preview(state: Parcheckers, move: int) -> str:
    """What a legal move does, in words: `13 to 23, captures blue1`."""
    place, die = move & 15, move >> 4
    if place == PASS:
        return gettext("no piece can move")
    colour, distance = place >> 1, int(distance_of(state.pieces, place))
    new = int(destination(state.pieces, place, die))
    words = gettext("{place} to {new}").format(place=place_text(colour, distance), new=place_text(colour, new))
    captured = int(victim(state.pieces, place, new))
    if captured >= 0:
        words += gettext(", captures {piece}").format(piece=piece_text(captured))
    elif new == GOAL:
        words += gettext(", the goal")
    elif distance < int(steps_of(state.pieces, place, die)):
        words += gettext(", a bounce")
    elif IS_SAFE[new]:
        words += gettext(", safe")
    return words


def why_stuck(pieces: np.uint64, place: int, die: int) -> str:
    """Why a piece of the mover cannot move with a die that the mover has."""
    name, distance = piece_text(place), int(distance_of(pieces, place))
    first = place & 4
    if distance == GOAL:
        return gettext("{name} is in the goal").format(name=name)
    if distance == HOME and die != FIVE:
        return gettext("{name} is at home, and leaves it only with a 5").format(name=name)
    walled = [COLOURS[at >> 1] for at in (first, first + 2) if in_wall(pieces, at)]
    if die == SIX and walled and not in_wall(pieces, place):
        return gettext("with a 6 the wall of {walled} must be opened").format(walled=gettext(" or ").join(walled))
    new = int(destination(pieces, place, die))
    where = place_text(place >> 1, new)
    if LAST_DISTANCE <= distance < HOME and is_walled_off(ring_walls(pieces), place >> 1, distance, new):
        return gettext("a wall of another colour blocks the way of {name} to {where}").format(name=name, where=where)
    assert is_full(pieces, place >> 1, new)
    return gettext("there are two pieces on {where} already").format(where=where)


# ------------------------------------------------------------------------------------------ writing positions


def place_text(colour: int, distance: int) -> str:
    """Where a piece stands: `H`, `G`, `F3` or its ring square."""
    if distance == HOME:
        return "H"
    if distance == GOAL:
        return "G"
    if distance < LAST_DISTANCE:
        return f"F{LAST_DISTANCE - distance}"
    return str(int(SQUARE_AT[colour, distance]) + 1)


def dice_text(state: Parcheckers, player: int) -> str:
    """The ordinary dice left to a player, `1456*`."""
    dice = int(field(state.rest, 6 * player, 6))
    return "".join(name for die, name in enumerate(ORDINARY) if dice >> die & 1)


def colour_of_turn(state: Parcheckers) -> int:
    """The number of the colour whose turn it is."""
    return TURNS[int(field(state.rest, TURN_AT, 2))]


def bounces_of(state: Parcheckers, colour: int) -> int:
    return int(field(state.rest, BOUNCES_AT + 6 * colour, 6))


def captured_colour(state: Parcheckers) -> int | None:
    """The colour that lost a piece to the move just made."""
    captured = int(field(state.rest, CAPTURED_AT, 3))
    return captured - 1 if captured else None


def state_text(state: Parcheckers) -> str:
    """The canonical text of a position."""
    words = []
    for colour in TURNS:
        squares = (place_text(colour, int(distance_of(state.pieces, 2 * colour + i))) for i in (0, 1))
        words.append(f"{COLOURS[colour]}={','.join(squares)}")
    words.append(f"turn={COLOURS[colour_of_turn(state)]}")
    words.append(f"dice={dice_text(state, 0)}/{dice_text(state, 1)}")
    bonus, captured = int(field(state.rest, BONUS_AT, 2)), captured_colour(state)
    if bonus:
        words.append(f"bonus={10 * bonus}")
    if field(state.rest, SIX_AT, 1):
        words.append("six")
    bounces = [f"{COLOURS[colour]}:{bounces_of(state, colour)}" for colour in TURNS if bounces_of(state, colour)]
    if bounces:
        words.append(f"bounces={','.join(bounces)}")
    if captured is not None:
        words.append(f"captured={COLOURS[captured]}")
    return " ".join(words)


def set_up_text(state: Parcheckers) -> str:
    """The text of a starting set-up, without the usual turn and dice."""
    return " ".join(word for word in state_text(state).split() if word not in USUAL_PARTS)


# ------------------------------------------------------------------------------------------ reading positions


def parse_state(text: str) -> Parcheckers | None:
    """The state of a position text; None if the text is not a position (it is then read as moves)."""
    if "=" not in text:
        return None
    try:
        return _read(text)
    except ValueError as error:
        raise PositionError("Parcheckers position {text!r}: {error}", text=text, error=error) from None


def _read(text: str) -> Parcheckers:
    given: dict[str, str] = {}
    for word in text.lower().split():
        name, _, value = word.partition("=")
        if name not in _READERS and name not in COLOURS:
            raise ValueError(
                gettext("{word!r} is not a part of a position; the parts are {names}").format(
                    word=word, names=", ".join([*COLOURS, *_READERS])
                )
            )
        if name in given:
            raise ValueError(gettext("{name} is given twice").format(name=name))
        given[name] = value
    usual = Parcheckers()
    distances = [int(distance_of(usual.pieces, place)) for place in range(8)]
    for colour, name in enumerate(COLOURS):
        if name in given:
            distances[2 * colour : 2 * colour + 2] = _read_squares(colour, given[name])
    _check_squares(distances)
    rest = sum(read(given.get(name)) for name, read in _READERS.items())
    state = Parcheckers(pack_pieces(distances), np.uint64(rest))
    _check_bonus(state)
    return state


def _read_squares(colour: int, text: str) -> list[int]:
    squares = text.split(",")
    if len(squares) != 2:
        raise ValueError(
            gettext("{colour}={text}: each colour has two pieces, as in {colour}=4,H").format(
                colour=COLOURS[colour], text=text
            )
        )
    return [_read_square(colour, square) for square in squares]


def _read_square(colour: int, text: str) -> int:
    word = text.upper()
    if word in ("H", "G"):
        return HOME if word == "H" else GOAL
    if re.fullmatch("F[1-7]", word):
        return LAST_DISTANCE - int(word[1])
    if not re.fullmatch("[1-9][0-9]?", word) or int(word) > RING:
        raise ValueError(
            gettext("{colour} cannot stand on {text!r}: places are 1 to {last}, H, F1 to F7 and G").format(
                colour=COLOURS[colour], text=text, last=RING
            )
        )
    return int(DISTANCE_OF[colour, int(word) - 1])


def _check_squares(distances: list[int]) -> None:
    """Check that no ring square holds three pieces, or two colours unless it is safe."""
    on_square: dict[int, list[int]] = {}
    for place, distance in enumerate(distances):
        if LAST_DISTANCE <= distance < HOME:
            on_square.setdefault(int(SQUARE_AT[place >> 1, distance]), []).append(place)
    for square, places in on_square.items():
        colours = {place >> 1 for place in places}
        if len(places) > 2:
            raise ValueError(
                gettext("{number} pieces stand on {square}, and there is room for two").format(
                    number=len(places), square=square + 1
                )
            )
        if len(colours) > 1 and not IS_SAFE[distances[places[0]]]:
            one, other = (COLOURS[colour] for colour in sorted(colours))
            raise ValueError(
                gettext("{one} and {other} cannot stand on {square} together, since it is not a safe square").format(
                    one=one, other=other, square=square + 1
                )
            )


def _colour(text: str) -> int:
    if text not in COLOURS:
        raise ValueError(
            gettext("{text!r} is not a colour; the colours are {names}").format(
                text=text, names=", ".join(COLOURS[colour] for colour in TURNS)
            )
        )
    return COLOURS.index(text)


def _read_turn(text: str | None) -> int:
    return 0 if text is None else TURNS.index(_colour(text)) << TURN_AT


def _read_dice(text: str | None) -> int:
    if text is None:
        text = f"{ORDINARY}/{ORDINARY}"
    sides = text.split("/")
    if len(sides) != 2:
        raise ValueError(
            gettext("dice={text}: write the dice of player 1 / those of player 2, as in dice={dice}/{dice}").format(
                text=text, dice=ORDINARY
            )
        )
    packed = 0
    for player, side in enumerate(sides):
        if not side or any(die not in ORDINARY for die in side) or len(set(side)) != len(side):
            raise ValueError(
                gettext("dice={text}: player {player} has {side!r}, not one or more of {dice}, each once").format(
                    text=text, player=player + 1, side=side, dice=ORDINARY
                )
            )
        packed |= sum(1 << 6 * player + ORDINARY.index(die) for die in side)
    return packed


def _read_bonus(text: str | None) -> int:
    if text not in (None, "10", "20"):
        raise ValueError(gettext("bonus={text}: the bonus dice are 10 and 20").format(text=text))
    return int(text or 0) // 10 << BONUS_AT


def _read_six(text: str | None) -> int:
    if text:
        raise ValueError(gettext("six={text}: write only six, without a value").format(text=text))
    return 0 if text is None else 1 << SIX_AT


def _read_bounces(text: str | None) -> int:
    packed: dict[int, int] = {}
    for word in text.split(",") if text is not None else ():
        name, _, number = word.partition(":")
        colour = _colour(name)
        if not re.fullmatch("[0-9]{1,2}", number) or int(number) > MOST_BOUNCES + 1:
            raise ValueError(
                gettext("bounces of {name}: {number!r} is not a number from 0 to {most}").format(
                    name=name, number=number, most=MOST_BOUNCES + 1
                )
            )
        if colour in packed:
            raise ValueError(gettext("the bounces of {name} are given twice").format(name=name))
        packed[colour] = int(number)
    return sum(number << BOUNCES_AT + 6 * colour for colour, number in packed.items())


def _read_captured(text: str | None) -> int:
    return 0 if text is None else _colour(text) + 1 << CAPTURED_AT


_READERS: dict[str, Callable[[str | None], int]] = {
    "turn": _read_turn,
    "dice": _read_dice,
    "bonus": _read_bonus,
    "six": _read_six,
    "bounces": _read_bounces,
    "captured": _read_captured,
}


def _check_bonus(state: Parcheckers) -> None:
    """Check that a remembered six has a bonus, and a capture the bonus of 20 that it wins and a piece at home."""
    bonus, captured = int(field(state.rest, BONUS_AT, 2)), captured_colour(state)
    if field(state.rest, SIX_AT, 1) and not bonus:
        raise ValueError(gettext("a six is remembered only while a bonus die is to be spent"))
    if captured is not None:
        if bonus != 2:
            raise ValueError(gettext("a capture earns a bonus die: write bonus=20 as well"))
        if HOME not in [int(distance_of(state.pieces, 2 * captured + i)) for i in (0, 1)]:
            raise ValueError(
                gettext("captured={colour}, but no {colour} piece is at home").format(colour=COLOURS[captured])
            )
    pieces = state.pieces
    done = [not pieces & HALF_MASK, not pieces >> np.uint64(HALF)]
    if all(done):
        raise ValueError(gettext("both players have all their pieces in the goal"))
    if bonus and any(done):
        raise ValueError(gettext("the game is over: there is no bonus die to spend"))
