"""Pictures of Onitama positions: the board between the two players' cards, the side card beside it."""

import functools
from collections.abc import Mapping
from typing import Any

from zermelo.drawing import svg
from zermelo.drawing.picture import Picture, dark_style
from zermelo.drawing.svg import Element
from zermelo.games.onitama.cards import CARDS
from zermelo.games.onitama.notation import (
    MEN,
    READING_ORDER,
    SIDES,
    card_name,
    card_title,
    hand_of,
    man_at,
    move_parts,
    move_text,
    side_card,
    square_text,
)
from zermelo.games.onitama.rules import ARCH, BLUE, RED, SIZE, SQUARES, Onitama
from zermelo.language import _, marked
from zermelo.position import Position
from zermelo.rules import moves_of

CELL = 62
BOARD_X, BOARD_Y = 22, 132
BOARD = SIZE * CELL
CARD_WIDTH, CARD_HEIGHT, DOT = 100, 112, 16
WIDTH = BOARD_X + BOARD + 16 + CARD_WIDTH + 6
HEIGHT = BOARD_Y + BOARD + 26 + CARD_HEIGHT + 8
INK = {RED: "#b8372e", BLUE: "#2f5d97"}
PALE = {RED: "#f6dfda", BLUE: "#dbe6f3"}
DARK_SQUARE, LIGHT_SQUARE, EDGE, CARD = "#efe3c8", "#f7efdc", "#cbb98e", "#f3ecdb"
PAPER, TEXT, QUIET, LAST, GOLD = "#fdfaf3", "#4a4436", "#857a61", "#f4d982", "#e8b63a"
OUTLINE = {"stroke": "#fff", "stroke_width": 1.5, "stroke_linejoin": "round"}
COLOURS = {
    PAPER: "#211f1a",
    DARK_SQUARE: "#463f31",
    LIGHT_SQUARE: "#534a3a",
    EDGE: "#6f634a",
    CARD: "#343027",
    TEXT: "#ece3cf",
    QUIET: "#b3a88e",
    LAST: "#7d6524",
    "#fffdf7": "#25221c",
    "#d9ccab": "#5d543f",
    INK[RED]: "#e5726a",
    INK[BLUE]: "#7aa9e6",
    PALE[RED]: "#4d2b27",
    PALE[BLUE]: "#26374d",
    "#fff": "#211f1a",
}
MARK = {
    "class_": "mark",
    "font_size": 10.5,
    "font_weight": 700,
    "fill": TEXT,
    "stroke": "#fff",
    "stroke_width": 3,
    "paint_order": "stroke",
}
NAMES = {
    ".": marked("empty"),
    "r": marked("red student"),
    "R": marked("red master"),
    "b": marked("blue student"),
    "B": marked("blue master"),
}


# ------------------------------------------------------------------------------------------ in text


def card_rows(card: int, player: int) -> list[str]:
    """The card's grid as it lies before this player: o where the piece stands, x where it may go."""
    way = 1 if player == RED else -1
    cells = {(way * right, way * forward): "x" for right, forward in CARDS[card].moves} | {(0, 0): "o"}
    return [" ".join(cells.get((right, forward), ".") for right in range(-2, 3)) for forward in range(2, -3, -1)]


def text_board(state: Onitama) -> str:
    """Blue's cards, the board with the side card, and red's cards; each card shows how its holder's pieces may move."""
    mover = int(state.player)
    men = [man_at(state, square) for square in READING_ORDER]
    ranks = [f"{5 - row} " + " ".join(men[SIZE * row : SIZE * row + SIZE]) for row in range(SIZE)]
    side = [_("side: {card}").format(card=card_title(side_card(state))), *card_rows(side_card(state), mover)]
    board = [f"{rank:<14}{cell}".rstrip() for rank, cell in zip(["", *ranks, "  a b c d e"], [*side, ""], strict=True)]
    return "\n".join([*_text_hand(state, BLUE), *board, *_text_hand(state, RED)])


def _text_hand(state: Onitama, player: int) -> list[str]:
    first, second = hand_of(state, player)
    name = _("{side} (to move)") if player == state.player else "{side}"
    rows = zip(card_rows(first, player), card_rows(second, player), strict=True)
    names = f"  {card_title(first):<12}{card_title(second)}"
    return [name.format(side=_(SIDES[player])), names, *(f"  {left:<12}{right}" for left, right in rows)]


# ------------------------------------------------------------------------------------------ as SVG


def draw(position: Position, marks: Mapping[str, str]) -> Picture:
    """The table seen from red's side.

    Every legal move is a small dot in the square that it leads to, on the side that it comes from. The dot names its
    card, its origin and its target; pointing at a card or a piece hides the dots of the others. A card that can be
    exchanged is a button.
    """
    state = position.state
    moves = [] if position.is_over else moves_of(state)
    last = None if position.last_move is None else move_parts(position.last_move)
    picture = Picture(width=WIDTH, height=HEIGHT, label=position.label, style=_style(state, moves))
    picture.dark = dark_style("onitama", COLOURS)
    picture.classes, picture.words = "onitama", "{card}:{from}-{to}"
    picture.background.append(svg.tag("rect", width=WIDTH, height=HEIGHT, rx=12, fill=PAPER))
    for square in range(SQUARES):
        _square(picture, state, square, last)
    picture.draw("coordinates", "words", None, *_coordinates())
    names = _names_of_men(position)
    for square in READING_ORDER:
        if man_at(state, square) != ".":
            _man(picture, state, square, names[square])
    for move in moves:
        if _is_step(move):
            _move(picture, state, move, marks)
    exchanges = {move_parts(move)[0] for move in moves if not _is_step(move)}
    _cards(picture, position, exchanges, None if last is None else last[0], marks)
    picture.draw("turn", "words", None, _whose_turn(position))
    return picture


def _names_of_men(position: Position) -> dict[int, str]:
    """The names of the pieces, by the squares where they stand now. A piece is named after its first square."""
    path = position.path
    names = {square: f"man-{square_text(square)}" for square in range(SQUARES) if man_at(path[0].state, square) != "."}
    for later in path[1:]:
        assert later.last_move is not None
        _card, origin, target = move_parts(later.last_move)
        if _is_step(later.last_move):
            names[target] = names.pop(origin)
    return names


def _is_step(move: int) -> bool:
    _, origin, target = move_parts(move)
    return origin != target


def _style(state: Onitama, moves: list[int]) -> str:
    """The style sheet: dots are faint until pointed at; pointing at a card or a piece leaves only its own dots."""
    rules = [
        ".onitama .move{cursor:pointer;opacity:.9}",
        ".onitama .move:hover,.onitama .move:focus{opacity:1}",
        ".onitama .move .target{opacity:0}",
        ".onitama .move:hover .target,.onitama .move:focus .target{opacity:.55}",
    ]
    own = ".onitama.choosing .move:not(.other)"
    rules.append(f"{own} .target{{opacity:.5;pointer-events:auto}}{own}:hover .target{{opacity:.8}}")
    rules.append(
        f"@media (pointer:coarse){{.onitama .move{{pointer-events:none}}{own} .target{{pointer-events:auto}}}}"
    )
    chosen = [("card", card_name(card)) for card in hand_of(state, int(state.player))]
    chosen += [("from", square_text(origin)) for origin in sorted({move_parts(move)[1] for move in moves})]
    for what, name in chosen:
        at = f'.onitama:has(.choice[data-{what}="{name}"]:hover)'
        rules.append(f'{at} .move:not([data-{what}="{name}"]){{opacity:.06}}')
        rules.append(f'{at} .move[data-{what}="{name}"]{{opacity:1}}')
    return "".join(rules)


def _corner(square: int) -> tuple[int, int]:
    """The upper left corner of a square."""
    return BOARD_X + square % SIZE * CELL, BOARD_Y + (SIZE - 1 - square // SIZE) * CELL


def _centre(square: int) -> tuple[float, float]:
    x, y = _corner(square)
    return x + CELL / 2, y + CELL / 2


def _square(picture: Picture, state: Onitama, square: int, last: tuple[int, int, int] | None) -> None:
    (x, y), name = _corner(square), square_text(square)
    moved = last is not None and last[1] != last[2] and square in last[1:]
    fill = LAST if moved else LIGHT_SQUARE if (square % SIZE + square // SIZE) % 2 else DARK_SQUARE
    shapes = [svg.tag("rect", x=x, y=y, width=CELL, height=CELL, fill=fill, stroke=EDGE)]
    shapes += [_arch(x, y, player) for player in (RED, BLUE) if square == ARCH[player]]
    place = picture.place(name, *_centre(square), CELL)
    label = f"{name}: {_(NAMES[man_at(state, square)])}"
    picture.draw(f"square-{name}", "last" if moved else "square", place, *shapes, label=label, data={"place": name})


def _arch(x: float, y: float, player: int) -> Element:
    """A temple gate in the colour of its owner."""
    roof = f"M{x + 7} {y + 10}Q{x + 31} {y + 17} {x + 55} {y + 10}M{x + 13} {y + 22}H{x + 49}"
    posts = f"M{x + 18} {y + 15}V{y + 58}M{x + 44} {y + 15}V{y + 58}"
    line = {"fill": "none", "stroke": INK[player], "stroke_width": 5, "stroke_linecap": "round", "opacity": 0.38}
    return svg.tag("path", d=roof + posts, **line)


def _coordinates() -> list[Element]:
    parts = []
    for place in range(SIZE):
        x, y = _centre(place * SIZE + place)
        parts.append(svg.text("abcde"[place], x, BOARD_Y + BOARD + 15, font_size=12, fill=QUIET))
        parts.append(svg.text("12345"[place], BOARD_X - 10, y + 4, font_size=12, fill=QUIET))
    return parts


def _man(picture: Picture, state: Onitama, square: int, name: str) -> None:
    letter, place = man_at(state, square), square_text(square)
    player = MEN[letter]
    shapes = (_master if letter.isupper() else _student)(INK[player])
    own: dict[str, Any] = {"classes": "choice", "data": {"from": place, "place": place}}
    if player != state.player:
        own = {"data": {"place": place}}
    label = f"{place}: {_(NAMES[letter])}"
    picture.put(name, NAMES[letter], place, *shapes, label=label, motion="walk", **own)


def _student(ink: str) -> list[Element]:
    """A small round-headed man."""
    body = "M-13 20Q-11 1 0 0Q11 1 13 20Z"
    return [svg.tag("path", d=body, fill=ink, **OUTLINE), svg.tag("circle", cy=-5, r=7.5, fill=ink, **OUTLINE)]


def _master(ink: str) -> list[Element]:
    """A tall man in a golden hat and sash."""
    return [
        svg.tag("path", d="M-18 24Q-15 -2 0 -4Q15 -2 18 24Z", fill=ink, **OUTLINE),
        svg.tag("circle", cy=-8, r=9, fill=ink, **OUTLINE),
        svg.tag("path", d="M-15 -10Q-4 -15 0 -27Q4 -15 15 -10Q0 -5 -15 -10Z", fill=GOLD, **OUTLINE),
        svg.tag("path", d="M-13 10Q0 16 13 10", fill="none", stroke=GOLD, stroke_width=3),
    ]


def _dot_place(state: Onitama, move: int) -> tuple[float, float]:
    """The dot's place in the target square, on the side of the origin; the second card's dots are a little aside."""
    card, origin, target = move_parts(move)
    across, down = origin % SIZE - target % SIZE, target // SIZE - origin // SIZE
    farthest = max(abs(across), abs(down))
    out = (16 if farthest == 1 else 26) / farthest
    aside = (-4.2 if card == hand_of(state, int(state.player))[0] else 4.2) / (across**2 + down**2) ** 0.5
    x, y = _centre(target)
    return x + out * across - aside * down, y + out * down + aside * across


def _dot(x: float, y: float, player: int, is_first: bool) -> Element:
    """A filled dot for the holder's first card, a ring for the second."""
    if is_first:
        return svg.tag("circle", cx=x, cy=y, r=6, fill=INK[player], stroke="#fff", stroke_width=1.4)
    return svg.tag("circle", cx=x, cy=y, r=5, fill="#fff", stroke=INK[player], stroke_width=2.6)


def _move(picture: Picture, state: Onitama, move: int, marks: Mapping[str, str]) -> None:
    """One legal move: its dot or mark, and the square it leads to, which lights up when the dot is pointed at."""
    card, origin, target = move_parts(move)
    name, mover = move_text(move), int(state.player)
    x, y = _dot_place(state, move)
    corner_x, corner_y = _corner(target)
    is_first = card == hand_of(state, mover)[0]
    light = {"fill": LAST, "opacity": 0, "class_": "target", "pointer_events": "none"}
    shapes = [
        svg.tag("rect", x=corner_x + 1, y=corner_y + 1, width=CELL - 2, height=CELL - 2, **light),
        svg.tag("circle", cx=x, cy=y, r=9, fill="transparent"),
        svg.text(marks[name], x, y + 3.5, **MARK) if name in marks else _dot(x, y, mover, is_first),
    ]
    told = _("{card}: {man} {origin} to {target}")
    if man_at(state, target) != ".":
        told = _("{card}: {man} {origin} to {target}, takes the {taken}")
    label = told.format(
        card=card_title(card),
        man=_(NAMES[man_at(state, origin)]),
        origin=square_text(origin),
        target=square_text(target),
        taken=_(NAMES[man_at(state, target)]),
    )
    where = {"card": card_name(card), "from": square_text(origin), "to": square_text(target)}
    button = {"label": label, "move": name, "data": where, "classes": "move", "is_focusable": True}
    picture.draw(f"move-{name}", "move", square_text(target), *shapes, **button)


def _cards(
    picture: Picture, position: Position, exchanges: set[int], played: int | None, marks: Mapping[str, str]
) -> None:
    """The cards of both hands, and the one at the side."""
    state = position.state
    middle = BOARD_X + BOARD / 2
    for player, y in ((BLUE, 8), (RED, HEIGHT - CARD_HEIGHT - 8)):
        for number, card in enumerate(hand_of(state, player)):
            x = middle - CARD_WIDTH - 8 + number * (CARD_WIDTH + 16)
            place = _card_place(picture, f"{SIDES[player]}-card-{number + 1}", x, y)
            plays = player == state.player and not position.is_over
            mark = marks.get(move_text(card << 10)) if card in exchanges else None
            shapes = _card(card, player, PALE[player] if plays else CARD, INK[player] if plays else EDGE)
            kind = f"{card_name(card)}-of-{SIDES[player]}"
            if plays:
                kind += f"-to-move-{number + 1}{mark or ''}"
                shapes.append(_dot(8 - CARD_WIDTH / 2, 9 - CARD_HEIGHT / 2, player, number == 0))
            if mark:
                shapes.append(svg.text(mark, CARD_WIDTH / 2 - 14, 19 - CARD_HEIGHT / 2, **MARK))
            own = _choice(card, plays, card in exchanges)
            picture.put(_name_of_card(card), kind, place, *shapes, motion="glide", **own)
    card, mover = side_card(state), int(state.player)
    place = _card_place(picture, "side-card", BOARD_X + BOARD + 16, BOARD_Y + BOARD / 2 - CARD_HEIGHT / 2)
    shapes = _card(card, mover, LAST if card == played else CARD, EDGE)
    kind = f"{card_name(card)}-before-{SIDES[mover]}{'-just-played' if card == played else ''}"
    label = _("at the side: {card}").format(card=card_title(card))
    picture.put(_name_of_card(card), kind, place, *shapes, label=label, motion="glide")


def _name_of_card(card: int) -> str:
    return f"card-{card_name(card)}"


def _card_place(picture: Picture, name: str, x: float, y: float) -> str:
    """A place for a card whose upper left corner is at x, y."""
    return picture.place(name, x + CARD_WIDTH / 2, y + CARD_HEIGHT / 2, CARD_WIDTH, CARD_HEIGHT)


def _card(card: int, player: int, fill: str, frame: str) -> list[Element]:
    """A card as it lies before the player, around its middle; only its name stays upright."""
    x, y = -CARD_WIDTH / 2, -CARD_HEIGHT / 2
    size = {"width": CARD_WIDTH, "height": CARD_HEIGHT, "rx": 8}
    paper = svg.tag("rect", x=x, y=y, fill=fill, stroke=frame, stroke_width=1.5, **size)
    name = svg.text(card_title(card), 0, y + 19, font_size=13, font_weight=600, fill=TEXT)
    return [paper, name, *_grid(card, player, -SIZE * DOT / 2, -y - SIZE * DOT - 6)]


def _choice(card: int, plays: bool, exchange: bool) -> dict[str, Any]:
    """What a card of a hand does: the mover's can be pointed at, and clicked when cards are exchanged."""
    name = card_name(card)
    own: dict[str, Any] = {"classes": "choice", "data": {"card": name}} if plays else {}
    if exchange:
        label = _("exchange {card}").format(card=card_title(card))
        return own | {"label": label, "move": move_text(card << 10), "is_focusable": True}
    return own | {"label": f"{card_title(card)}: {_spoken_moves(card)}"}


@functools.cache
def _grid(card: int, player: int, left: float, top: float) -> list[Element]:
    cells = []
    for row, line in enumerate(card_rows(card, player)):
        for column, cell in enumerate(line.split()):
            fill = {"o": TEXT, "x": INK[player], ".": "#fffdf7"}[cell]
            place = {"x": left + column * DOT, "y": top + row * DOT, "width": DOT, "height": DOT}
            cells.append(svg.tag("rect", fill=fill, stroke="#d9ccab", stroke_width=0.8, **place))
    return cells


def _spoken_moves(card: int) -> str:
    """A card's moves in words, as its holder sees them, such as `2 forward; 1 back`."""
    spoken = []
    for right, forward in CARDS[card].moves:
        ahead = _("{number} forward") if forward > 0 else _("{number} back")
        aside = _("{number} right") if right > 0 else _("{number} left")
        steps = [way.format(number=abs(n)) for n, way in ((forward, ahead), (right, aside)) if n]
        spoken.append(_("{one} and {other}").format(one=steps[0], other=steps[1]) if len(steps) > 1 else steps[0])
    return "; ".join(spoken)


def _whose_turn(position: Position) -> Element:
    x = BOARD_X + BOARD + 16 + CARD_WIDTH / 2
    mover = int(position.state.player)
    if not position.is_over:
        words, ink = _("{player} to move").format(player=_(SIDES[mover])), INK[mover]
    elif position.winner is None:
        words, ink = _("a draw"), TEXT
    else:
        winner = position.winner - 1
        words, ink = _("{player} has won").format(player=_(SIDES[winner])), INK[winner]
    size = min(14.0, 1.6 * CARD_WIDTH / len(words))  # long words are smaller, in order to fit beside the board
    return svg.text(words, x, BOARD_Y + BOARD / 2 + CARD_HEIGHT / 2 + 24, font_size=size, font_weight=600, fill=ink)
