"""Pictures of positions whose board is a grid: squares, men as discs, and the legal moves as what can be clicked."""

from collections.abc import Mapping
from typing import Any

from zermelo.drawing import svg
from zermelo.drawing.picture import Picture, dark_style, glyph
from zermelo.drawing.svg import Element
from zermelo.game_files.notation import Notation, column_text
from zermelo.language import _
from zermelo.position import Position
from zermelo.rules import moves_of

CELL, EDGE, BUTTON = 56, 24, 34
LEAST, LINE_HEIGHT = 320, 24  # of boards that are no grid, which are written as lines of text
LIGHT, DARK, LAST, LINE, TEXT = "#f3ead9", "#e3d4b8", "#ffe08a", "#b59f78", "#5b4a2f"
INKS = {
    "red": "#d7353a",
    "blue": "#2456a6",
    "white": "#fdfdfa",
    "black": "#2b2b2b",
    "green": "#2e7d4f",
    "yellow": "#f2c230",
    "orange": "#e0762b",
    "purple": "#7a3f9d",
    "brown": "#7a4a24",
    "grey": "#8a8a8a",
}
"""The colours of men. A game whose players are called by two of these names has men of these colours."""
BRIGHT = {INKS["white"], INKS["yellow"]}
"""The colours that need a dark outline and dark letters."""
PLAYERS = ("red", "blue")
"""What players are called whose author did not name them, and the colours of men whose names are not colours."""
STYLE = (
    ".grid .move{cursor:pointer;opacity:.8}.grid .move:hover,.grid .move:focus{opacity:1}"
    ".grid .move.other{opacity:.08}.grid .choice{cursor:pointer}"
)
DARK_MODE = dark_style(
    "grid",
    {LIGHT: "#4a4335", DARK: "#3e382c", LAST: "#7d6524", LINE: "#6f634a", TEXT: "#ece3cf", "#fbf7ef": "#211f1a"},
)


def draw(writing: Notation, position: Position, marks: Mapping[str, str]) -> Picture:
    """The board, row 1 at the top.

    A move that is a cell is a click on it. A move from one cell to another is a dot in the cell that it leads to, on
    the side that it comes from; clicking a man first leaves only its own dots. Other moves are buttons below the board.
    """
    state, layout = position.state, writing.layout
    moves = [] if position.is_over else moves_of(state)
    buttons = [move for move in moves if not writing.places(move)]
    lines_of_text = [] if layout.cells else writing.text_board(state).splitlines()
    width = (
        layout.columns * CELL + 2 * EDGE if layout.cells else max(LEAST, *(11 * len(line) for line in lines_of_text))
    )
    height = layout.rows * CELL + 2 * EDGE + LINE_HEIGHT * len(lines_of_text)
    per_line = max(1, width // (2 * BUTTON))
    lines = -(-len(buttons) // per_line)
    picture = Picture(width=width, height=height + lines * BUTTON, label=position.label, style=STYLE, classes="grid")
    picture.dark = DARK_MODE
    picture.background.append(svg.tag("rect", width=width, height=picture.height, rx=8, fill="#fbf7ef"))
    style = {"font_size": 17, "fill": TEXT, "font_family": "monospace", "text_anchor": "start"}
    for number, line in enumerate(lines_of_text):
        picture.background.append(svg.text(line, EDGE, EDGE + LINE_HEIGHT * (number + 0.7), **style))
    picture.words = "{from}-{to}" if writing.is_from_to else ""
    last = set() if position.last_move is None else set(writing.places(position.last_move))
    clicks = {} if writing.is_from_to else {writing.places(move)[0]: move for move in moves if writing.places(move)}
    men = _names_of_men(writing, position)
    numbers = writing.numbers(state)
    for place in range(layout.cells):
        move = clicks.get(place)
        text = None if move is None else writing.move_text(state, move)
        man = None  # men that move are drawn apart
        if place in men and not writing.is_from_to:
            man = men[place], _disc(writing, position, numbers[place])
        _square(picture, writing, (place, numbers[place]), text, place in last, man, marks)
    picture.draw("coordinates", "words", None, *_coordinates(writing))
    if writing.is_from_to:
        movable = {writing.places(move)[0] for move in moves if writing.places(move)}
        for place in range(layout.cells):
            if numbers[place]:
                disc = _disc(writing, position, numbers[place])
                _man(picture, writing, (place, numbers[place]), (men[place], disc), place in movable)
        for move in moves:
            if writing.places(move):
                _step(picture, writing, position, move, marks)
    for number, move in enumerate(buttons):
        x = EDGE + BUTTON + number % per_line * 2 * BUTTON
        _button(picture, writing.move_text(state, move), x, height + number // per_line * BUTTON, marks)
    return picture


def _ink(position: Position, player: int) -> tuple[str, str]:
    """The colour of a player's men, and that of their outline and letters."""
    names = [name.casefold() for name in position.game.players]
    are_colours = len(set(names) & INKS.keys()) == len(names)
    ink = INKS[(names if are_colours else PLAYERS)[player - 1]]
    return ink, TEXT if ink in BRIGHT else "#fff"


def _centre(writing: Notation, place: int) -> tuple[float, float]:
    row, column = divmod(place, writing.layout.columns)
    return EDGE + column * CELL + CELL / 2, EDGE + row * CELL + CELL / 2


def _names_of_men(writing: Notation, position: Position) -> dict[int, str]:
    """A name for the man on each place: after the cell where he began, so that a page can move him."""
    path = position.path
    numbers = writing.numbers(path[0].state)
    names = {place: f"man-{writing.cell_text(place)}" for place in range(writing.layout.cells) if numbers[place]}
    for ply, later in enumerate(path[1:], 1):
        assert later.last_move is not None
        places, numbers = writing.places(later.last_move), writing.numbers(later.state)
        if len(places) == 2 and places[0] in names and numbers[places[1]] and not numbers[places[0]]:
            names[places[1]] = names.pop(places[0])
        for place in range(writing.layout.cells):
            if not numbers[place]:
                names.pop(place, None)
            elif place not in names:
                names[place] = f"man-{writing.cell_text(place)}-{ply}"
    return names


def _disc(writing: Notation, position: Position, number: int) -> list[Element]:
    """A man: a disc in its owner's colour, with its character unless it is an ordinary one."""
    ink, line = _ink(position, 1 if number > 0 else 2)
    shapes = [svg.tag("circle", r=20, fill=ink, stroke=line, stroke_width=2)]
    if abs(number) > 1:
        shapes.append(svg.text(writing.symbol(number), 0, 7, font_size=20, font_weight=700, fill=line))
    return shapes


def _label(writing: Notation, number: int, place: int) -> str:
    return f"{writing.cell_text(place)}: {writing.symbol(number) if number else _('empty')}"


def _square(
    picture: Picture,
    writing: Notation,
    cell: tuple[int, int],
    text: str | None,
    is_last: bool,
    man: tuple[str, list[Element]] | None,
    marks: Mapping[str, str],
) -> None:
    """A cell, given by its place and its number, and the man in it, if any: his name and his disc."""
    place, number = cell
    x, y = _centre(writing, place)
    name, (row, column) = writing.cell_text(place), divmod(place, writing.layout.columns)
    fill = LAST if is_last else LIGHT if (row + column) % 2 == 0 else DARK
    box = svg.tag("rect", x=x - CELL / 2, y=y - CELL / 2, width=CELL, height=CELL, fill=fill, stroke=LINE)
    where = picture.place(name, x, y, CELL)
    parts = []
    if man is not None:
        parts.append(glyph(man[0], f"man {number}", where, *man[1], offset=(0, 0), motion="pop"))
    if text is not None and text in marks:
        note = svg.text(marks[text], 0, 6, class_="mark", font_size=17, fill=TEXT)
        parts.append(glyph(f"note-{name}", f"note-{marks[text]}", where, note, offset=(0, 0)))
    told: dict[str, Any] = {"data": {"place": name}, "role": "img"} if text is None else {"move": text}
    kind = "last" if is_last else "cell"
    picture.draw(f"cell-{name}", kind, where, box, label=_label(writing, number, place), parts=tuple(parts), **told)


def _man(
    picture: Picture, writing: Notation, at: tuple[int, int], man: tuple[str, list[Element]], can_move: bool
) -> None:
    place, number = at
    cell = writing.cell_text(place)
    told: dict[str, Any] = {"data": {"place": cell}}
    if can_move:
        told = {"classes": "choice", "data": {"from": cell, "place": cell}}
    picture.put(man[0], f"man {number}", cell, *man[1], label=_label(writing, number, place), motion="walk", **told)


def _step(picture: Picture, writing: Notation, position: Position, move: int, marks: Mapping[str, str]) -> None:
    """A move from one cell to another: a dot, or its mark, in the target cell on the side of its origin."""
    origin, target = writing.places(move)
    text, names = writing.move_text(position.state, move), [writing.cell_text(place) for place in (origin, target)]
    (from_x, from_y), (x, y) = _centre(writing, origin), _centre(writing, target)
    distance = max(abs(from_x - x), abs(from_y - y), 1)
    x, y = x + 19 * (from_x - x) / distance, y + 19 * (from_y - y) / distance
    ink, line = _ink(position, position.to_move)
    dot = svg.tag("circle", cx=x, cy=y, r=5, fill=ink, stroke=line, stroke_width=1.5)
    if text in marks:
        dot = svg.text(marks[text], x, y + 4, font_size=12, font_weight=700, fill=TEXT, stroke="#fff", stroke_width=3,
                       paint_order="stroke")  # fmt: skip
    around = svg.tag("circle", cx=x, cy=y, r=8, fill="transparent")
    label = _("{origin} to {target}").format(origin=names[0], target=names[1])
    told = {"label": label, "move": text, "data": {"from": names[0], "to": names[1]}, "classes": "move"}
    picture.draw(f"move-{text}", "move", names[1], around, dot, is_focusable=True, **told)


def _button(picture: Picture, text: str, x: float, y: float, marks: Mapping[str, str]) -> None:
    place = picture.place(f"button-{text}", x, y + BUTTON / 2 - 4, 2 * BUTTON - 8, BUTTON - 8)
    size = {"width": 2 * BUTTON - 8, "height": BUTTON - 8, "rx": 6}
    box = svg.tag("rect", x=x - BUTTON + 4, y=y, fill="#fff", stroke=LINE, **size)
    words = svg.text(f"{text} {marks.get(text, '')}".strip(), x, y + 18, font_size=14, fill=TEXT)
    picture.draw(f"move-{text}", "button", place, box, words, label=text, move=text, is_focusable=True)


def _coordinates(writing: Notation) -> list[Element]:
    rows, columns = writing.layout.rows, writing.layout.columns
    style = {"font_size": 12, "fill": TEXT}
    letters = [svg.text(column_text(n), EDGE + n * CELL + CELL / 2, EDGE - 8, **style) for n in range(columns)]
    return letters + [svg.text(str(n + 1), EDGE / 2, EDGE + n * CELL + CELL / 2 + 4, **style) for n in range(rows)]
