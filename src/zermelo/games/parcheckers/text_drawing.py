"""The Parcheckers board in plain text: the cross of a parchís board, on 19 by 19 cells of four characters.

Each arm goes eight cells out from the middle and is three lanes wide. Player 1's yellow comes in from below; then,
anticlockwise, blue comes from the right, red from above, and green from the left.
"""

from zermelo.games.parcheckers.notation import bounces_of, captured_colour, colour_of_turn, dice_text
from zermelo.games.parcheckers.reading import distance_of, field
from zermelo.games.parcheckers.rules import (
    BONUS_AT,
    COLOURS,
    DICE,
    GOAL,
    HOME,
    LAST_DISTANCE,
    RING,
    SAFE_SQUARES,
    SIX_AT,
    SQUARE_AT,
    TEN,
    TURNS,
    Parcheckers,
)
from zermelo.language import _
from zermelo.rules import is_over, outcome, to_move

SIDE, MIDDLE = 19, 9
Cell = tuple[int, int]  # row, column, from the top left


def turned(cell: Cell, quarters: int) -> Cell:
    """The cell after this many anticlockwise quarter turns of the board."""
    for _quarter in range(quarters):
        cell = (SIDE - 1 - cell[1], cell[0])
    return cell


def ring_cell(square: int) -> Cell:
    """Where a ring square (1 to 68) is drawn: 68, 1 to 16 for yellow's quarter, and so on round."""
    quarter, step = divmod(square % RING, 17)
    if step == 0:
        cell = (SIDE - 1, MIDDLE)
    elif step <= 8:
        cell = (SIDE - step, MIDDLE + 1)
    else:
        cell = (MIDDLE + 1, step + 2)
    return turned(cell, quarter)


def corridor_cell(colour: int, distance: int) -> Cell:
    """The cell where a corridor square is drawn or, at distance 0, the goal."""
    return turned((MIDDLE + 1 + distance, MIDDLE), TURNS.index(colour))


def home_cell(colour: int) -> Cell:
    """The top left cell of what is written in a colour's corner."""
    row, column = turned((14, 14), TURNS.index(colour))
    return row - (row > MIDDLE), column - 2


def piece_name(place: int) -> str:
    """The short name of a piece, such as `Y0`."""
    return f"{COLOURS[place >> 1][0].upper()}{place & 1}"


def occupants(state: Parcheckers) -> tuple[dict[Cell, list[int]], list[list[int]]]:
    """The pieces in each cell, and those at home by colour."""
    cells: dict[Cell, list[int]] = {}
    homes: list[list[int]] = [[], [], [], []]
    for place in range(8):
        colour, distance = place >> 1, int(distance_of(state.pieces, place))
        if distance == HOME:
            homes[colour].append(place)
        elif distance < LAST_DISTANCE:
            cells.setdefault(corridor_cell(colour, distance), []).append(place)
        else:
            cells.setdefault(ring_cell(int(SQUARE_AT[colour, distance]) + 1), []).append(place)
    return cells, homes


def cell_text(empty: str, pieces: list[int], is_safe: bool) -> str:
    """Four characters: the pieces, or the text of the empty cell; a safe square is in brackets."""
    inside = "".join(map(piece_name, pieces)) or empty
    return inside if len(inside) > 3 else f"({inside})".center(4) if is_safe else inside.center(4)


def text_board(state: Parcheckers) -> str:
    """The board, both players' dice, and whose turn it is. Brackets mark safe squares; `Y0 Y1` are yellow's pieces."""
    grid = [["    "] * SIDE for _ in range(SIDE)]
    cells, homes = occupants(state)
    for square in range(1, RING + 1):
        row, column = ring_cell(square)
        grid[row][column] = cell_text(str(square), cells.get((row, column), []), square in SAFE_SQUARES)
    for colour in range(4):
        for distance in range(GOAL, LAST_DISTANCE):
            row, column = corridor_cell(colour, distance)
            empty = "[" + COLOURS[colour][0] + "]" if distance == GOAL else "."
            grid[row][column] = cell_text(empty, cells.get((row, column), []), False)
        row, column = home_cell(colour)
        grid[row][column : column + 4] = [_("{colour} home").format(colour=_(COLOURS[colour])).center(16)]
        grid[row + 1][column : column + 4] = [" ".join(map(piece_name, homes[colour])).center(16)]
    return "\n".join(["".join(row).rstrip() for row in grid] + ["", *dice_lines(state)])


def dice_lines(state: Parcheckers) -> list[str]:
    """Each player's dice, with spent dice as dots and the player to move marked; then the turn."""
    mover, bonus = int(to_move(state)), int(field(state.rest, BONUS_AT, 2))
    heads, dice = [], []
    for player in (0, 1):
        left = dice_text(state, player)
        first = "   " + _("first the bonus of {bonus}").format(bonus=10 * bonus) if bonus and player == mover else ""
        names = ", ".join(_(colour) for colour in COLOURS[2 * player : 2 * player + 2])
        name = _("player {number} ({colours}):").format(number=player + 1, colours=names)
        heads.append(f"{'>' if player == mover else ' '} {name} ")
        dice.append(" ".join(die if die in left else "." for die in DICE[:TEN]) + first)
    width = max(29, *map(len, heads))
    return [*(head.ljust(width) + row for head, row in zip(heads, dice, strict=True)), "  " + "; ".join(remarks(state))]


def remarks(state: Parcheckers) -> list[str]:
    """What else a reader of the position must know."""
    if is_over(state):
        winner = int(to_move(state)) if outcome(state) > 0 else 1 - int(to_move(state))
        words = [_("player {number} has won").format(number=winner + 1)]
    else:
        words = [_("{colour}'s turn").format(colour=_(COLOURS[colour_of_turn(state)]))]
    captured = captured_colour(state)
    if captured is not None:
        words.append(_("a {colour} piece was captured").format(colour=_(COLOURS[captured])))
    if field(state.rest, SIX_AT, 1):
        words.append(_("plays again after the bonus because of the six"))
    bounces = [f"{_(COLOURS[c])} {bounces_of(state, c)}" for c in TURNS if bounces_of(state, c)]
    if bounces:
        words.append(_("bounces: {bounces}").format(bounces=", ".join(bounces)))
    return words
