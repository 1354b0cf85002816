"""Pictures of Reversi positions."""

from collections.abc import Mapping

from zermelo.drawing import svg
from zermelo.drawing.picture import Glyph, Picture, dark_style, glyph
from zermelo.drawing.svg import Element
from zermelo.games.reversi.notation import COLUMNS, SIDES, State, disc_at, size_of, square_text, squares_of
from zermelo.games.reversi.rules import PASS, ROW
from zermelo.language import _, marked
from zermelo.position import Position
from zermelo.rules import moves_of, play

SIZE = 48
MARGIN = 22  # for the names of columns and rows
FOOT = 44  # for the counts, and the place to pass
FELT, LINE, FRAME = "#2f7d5c", "#24644a", "#1f3a30"
FILL = {"X": "#1b2024", "O": "#f6f4ec"}
RIM = {"X": "#0c0f11", "O": "#c9c5b6"}
NAME = {"X": marked("black"), "O": marked("white")}
LAST = "#e2574c"
PALE, SCORED = "#cfe3d8", "#d3e6dc"
DARK = dark_style(
    "reversi",
    {FELT: "#235c45", LINE: "#194334", FRAME: "#12231c", RIM["X"]: "#5d6f67", SCORED: "#12231c", "#1f3b31": PALE},
)
STYLE = (
    ".coming{opacity:0}[data-move]{cursor:pointer;outline:none}"
    "[data-move]:hover .coming,[data-move]:focus .coming{opacity:1}"
    "[data-move]:hover .hint,[data-move]:focus .hint{fill-opacity:1}"
)


def text_board(position: Position) -> str:
    """Rows from the top with their numbers, `*` where the player to move may put a disc; the side and the counts."""
    state = position.state
    columns, rows = size_of(state)
    legal = set(moves_of(state))
    lines = ["  " + " ".join(COLUMNS[:columns])]
    for row in range(rows):
        squares = [ROW * row + column for column in range(columns)]
        marks = ["*" if square in legal else disc_at(state, square).replace("-", ".") for square in squares]
        lines.append(f"{row + 1} {' '.join(marks)}")
    black, white = disc_counts(state)
    told = _("{player} to move, who must pass") if legal == {PASS} else _("{player} to move")
    turn = _("the game is over") if position.is_over else told.format(player=SIDES[int(state.player)])
    return "\n".join([*lines, f"{turn}; X {black}, O {white}"])


def disc_counts(state: State) -> tuple[int, int]:
    """The numbers of black's discs and of white's."""
    mine, theirs = int(state.mine).bit_count(), int(state.theirs).bit_count()
    return (theirs, mine) if state.player else (mine, theirs)


def flipped_squares(state: State, move: int) -> list[int]:
    """The squares of the discs that a move flips."""
    after = play(state, move)
    return [square for square in range(64) if disc_at(state, square) not in ("-", disc_at(after, square))]


def centre(square: int) -> tuple[float, float]:
    return MARGIN + (square % ROW + 0.5) * SIZE, MARGIN + (square // ROW + 0.5) * SIZE


def disc(square: int, colour: str) -> Glyph:
    """A disc; flipped, it is the same one in the other colour."""
    name = square_text(square)
    return glyph(f"disc-{name}", f"{NAME[colour]}-disc", name, shape_of(colour), offset=(0, 0), motion="flip")


def shape_of(colour: str) -> Element:
    return svg.tag("circle", r=SIZE * 0.4, fill=FILL[colour], stroke=RIM[colour], stroke_width=1.5)


def draw(position: Position, marks: Mapping[str, str]) -> Picture:
    """The board from above. Dots show the last move and its flips, faint discs the legal moves, rings their flips."""
    state = position.state
    columns, rows = size_of(state)
    width, height = columns * SIZE + 2 * MARGIN, rows * SIZE + 2 * MARGIN + FOOT
    picture = Picture(width=width, height=height, label=position.label, style=STYLE, classes="reversi", dark=DARK)
    frame = svg.tag("rect", width=width, height=height, rx=10, fill=FRAME)
    picture.background += [frame, *grid(columns, rows), *names(columns, rows)]
    legal = set(moves_of(state))
    last = position.last_move
    turned = flipped_squares(position.parent.state, last) if position.parent and last is not None else []
    clickable = []  # after the rest, so that the rings of flips to come lie above the discs
    for square in squares_of(columns, rows):
        picture.place(square_text(square), *centre(square), SIZE)
        if square in legal:
            clickable.append(legal_square(state, square, marks.get(square_text(square))))
        else:
            picture.glyphs.append(plain_square(state, square, square == last, square in turned))
    picture.glyphs += clickable
    foot(picture, position, marks.get("pass"))
    return picture


def grid(columns: int, rows: int) -> list[Element]:
    """The felt, its lines, and the four dots that help the eye on the large board."""
    width, height = columns * SIZE, rows * SIZE
    across = "".join(f"M{MARGIN} {MARGIN + i * SIZE}h{width}" for i in range(rows + 1))
    down = "".join(f"M{MARGIN + i * SIZE} {MARGIN}v{height}" for i in range(columns + 1))
    parts = [
        svg.tag("rect", x=MARGIN, y=MARGIN, width=width, height=height, fill=FELT),
        svg.tag("path", d=across + down, stroke=LINE, stroke_width=1.5, fill="none"),
    ]
    if columns == rows == ROW:
        places = [(MARGIN + c * SIZE, MARGIN + r * SIZE) for c in (2, 6) for r in (2, 6)]
        parts += [svg.tag("circle", cx=x, cy=y, r=3.5, fill=LINE) for x, y in places]
    return parts


def names(columns: int, rows: int) -> list[Element]:
    style = {"font_size": 12, "fill": PALE}
    letters = [svg.text(COLUMNS[c], MARGIN + (c + 0.5) * SIZE, MARGIN - 7, **style) for c in range(columns)]
    return letters + [svg.text(str(r + 1), MARGIN / 2, MARGIN + (r + 0.5) * SIZE + 4, **style) for r in range(rows)]


def plain_square(state: State, square: int, is_last: bool, was_flipped: bool) -> Glyph:
    """A disc, or an empty square where the player to move cannot go."""
    colour = disc_at(state, square)
    name = square_text(square)
    if colour == "-":
        return glyph(f"square-{name}", "square", name, area(square), data={"place": name})
    parts = [disc(square, colour)]
    if is_last:
        dot = svg.tag("circle", r=SIZE * 0.12, fill=LAST)
        parts.append(glyph("last", "last", name, dot, offset=(0, 0)))
    elif was_flipped:
        ring = svg.tag("circle", r=SIZE * 0.12, fill="none", stroke=LAST, stroke_width=1.8)
        parts.append(glyph(f"flipped-{name}", "flipped", name, ring, offset=(0, 0)))
    told = (
        _("{square}: {colour}, the last move")
        if is_last
        else _("{square}: {colour}, just flipped")
        if was_flipped
        else "{square}: {colour}"
    )
    label = told.format(square=name, colour=_(NAME[colour]))
    return glyph(f"square-{name}", "square", name, label=label, data={"place": name}, role="img", parts=tuple(parts))


def area(square: int) -> Element:
    """The invisible area that takes the clicks on an empty square."""
    x, y = centre(square)
    return svg.tag("rect", x=x - SIZE / 2, y=y - SIZE / 2, width=SIZE, height=SIZE, fill="#fff", fill_opacity=0)


def legal_square(state: State, square: int, mark: str | None) -> Glyph:
    """An empty square that can be clicked: a faint disc, and rings on the discs that it would flip."""
    colour = SIDES[int(state.player)]
    flipped = flipped_squares(state, square)
    x, y = centre(square)
    radius, fill, opacity = (SIZE * 0.4, SCORED, 0.9) if mark else (SIZE * 0.16, FILL[colour], 0.4)
    shapes = [
        area(square),
        svg.tag("circle", class_="hint", cx=x, cy=y, r=radius, fill=fill, fill_opacity=opacity),
    ]
    if mark:
        size = 16 if len(mark) <= 3 else 13 if len(mark) <= 5 else 10
        shapes.append(
            svg.text(mark, x, y + size * 0.35, class_="mark", font_size=size, font_weight=600, fill="#1f3b31")
        )
    rings = [
        svg.tag("circle", cx=cx, cy=cy, r=SIZE * 0.3, fill="none", stroke="#f2c230", stroke_width=3)
        for cx, cy in map(centre, flipped)
    ]
    shapes.append(svg.tag("g", *rings, class_="coming", opacity=0, pointer_events="none"))
    move = square_text(square)
    label = _("{square}: {colour} flips {flipped}").format(
        square=move, colour=_(NAME[colour]), flipped=" ".join(map(square_text, flipped))
    )
    told = {"classes": "ahead", "data": {"comes": "pop"}, "is_ahead": True}
    kind = f"{NAME[colour]}-disc"
    coming = glyph(f"ahead-{move}", kind, move, shape_of(colour), offset=(0, 0), **told)
    button = {"label": label, "move": move, "is_focusable": True, "parts": (coming,)}
    return glyph(f"square-{move}", "legal-square", move, *shapes, **button)


def foot(picture: Picture, position: Position, mark: str | None) -> None:
    """The number of discs of each player, whose turn it is, and a button to pass when there is no other move."""
    state, width = position.state, picture.width
    middle = picture.height - MARGIN / 2 - FOOT / 2
    black, white = disc_counts(state)
    for x, colour, number, anchor, shift in (
        (MARGIN + 14, "X", black, "start", 22),
        (width - MARGIN - 14, "O", white, "end", -22),
    ):
        shapes = []
        if not position.is_over and SIDES[int(state.player)] == colour:
            shapes.append(svg.tag("circle", cx=x, cy=middle, r=16, fill="none", stroke="#f2c230", stroke_width=2.5))
        shapes.append(svg.tag("circle", cx=x, cy=middle, r=11, fill=FILL[colour], stroke="#6d8278", stroke_width=1.5))
        style = {"font_size": 18, "font_weight": 600, "fill": "#fff", "text_anchor": anchor}
        shapes.append(svg.text(str(number), x + shift, middle + 6, **style))
        picture.draw(f"count-of-{NAME[colour]}", "count", None, *shapes)
    if set(moves_of(state)) == {PASS}:
        pass_button(picture, width / 2, middle, mark)
    else:
        words = svg.text(what_now(position), width / 2, middle + 5, font_size=14, fill=PALE)
        picture.draw("what-now", "words", None, words)


def what_now(position: Position) -> str:
    colours = [_(player) for player in position.game.players]
    if position.is_over:
        if position.winner is None:
            return _("a draw")
        return _("{player} wins by {margin}").format(
            player=colours[position.winner - 1], margin=abs(position.margin or 0)
        )
    passed = position.last_move == PASS
    told = _("{other} passed, {player} to move") if passed else _("{player} to move")
    return told.format(other=colours[2 - position.to_move], player=colours[position.to_move - 1])


def pass_button(picture: Picture, x: float, y: float, mark: str | None) -> None:
    box = svg.tag(
        "rect", class_="hint", x=x - 42, y=y - 15, width=84, height=30, rx=15, fill="#f2c230", fill_opacity=0.9
    )
    word = _("pass")
    text = svg.text(f"{word} {mark}" if mark else word, x, y + 5, font_size=15, font_weight=600)
    place = picture.place("pass", x, y, 84, 30)
    label = _("pass: no disc can be flipped")
    picture.draw("pass", "button", place, box, text, label=label, move="pass", is_focusable=True)
