"""Pictures of Kalah positions."""

import math
from collections.abc import Mapping
from typing import Any

from zermelo.drawing import svg
from zermelo.drawing.picture import Glyph, Picture, glyph
from zermelo.position import Position
from zermelo_kalah.notation import LETTERS, SIDES, both_sides

PIT, GAP, EDGE = 70, 10, 14
WOOD, HOLLOW, STONE, INK, LAST = "#c99a62", "#a97743", "#f6e7c8", "#4a3216", "#ffe08a"


def text_board(state: Any) -> str:
    """The second player's houses above, from right to left; the stores at both ends; the first player's below."""
    first, second = both_sides(state)
    width = 4 * len(first[:-1])
    rows = ["".join(f"{stones:>4}" for stones in row) for row in (second[-2::-1], first[:-1])]
    letters = ["".join(f"{letter:>4}" for letter in LETTERS[: len(first) - 1][::way]) for way in (-1, 1)]
    turn = f"{SIDES[int(state.player)]} to move"
    stores = f"{second[-1]:>3}{'':{width}}{first[-1]:>4}"
    return "\n".join([f"   {letters[0]}", f"   {rows[0]}", stores, f"   {rows[1]}", f"   {letters[1]}   {turn}"])


def _stones(name: str, number: int, place: str, reach: float) -> Glyph:
    """The stones at a place, in a spiral as sunflowers have them."""
    drawn = []
    for index in range(number):
        away = min(1.0, math.sqrt((index + 0.5) / max(number, 7))) * reach
        angle = index * 2.39996  # the golden angle
        at = {"cx": round(away * math.cos(angle), 1), "cy": round(away * math.sin(angle), 1)}
        drawn.append(svg.tag("circle", **at, r=5, fill=STONE, stroke=INK, stroke_width=0.6))
    return glyph(name, f"{number} stones within {reach:g}", place, *drawn, offset=(0, 0))


def draw(position: Position, marks: Mapping[str, str]) -> Picture:
    """The board, the first player's houses below; a click on a house sows it."""
    sides, houses = both_sides(position.state), int(position.state.houses)
    width = 2 * EDGE + (houses + 2) * (PIT + GAP) - GAP
    height = 2 * EDGE + 2 * PIT + 60
    picture = Picture(width=width, height=height, label=f"Kalah position {position}")
    picture.background.append(svg.tag("rect", width=width, height=height, rx=26, fill=WOOD))
    for side in (0, 1):
        for house in range(houses):
            _house(picture, position, side, house, marks)
        _store(picture, side, sides[side][-1])
    return picture


def _house(picture: Picture, position: Position, side: int, house: int, marks: Mapping[str, str]) -> None:
    """A house with its stones; its letter and their number outside, and the mark of its move inside."""
    houses = int(position.state.houses)
    letter, stones = LETTERS[house], both_sides(position.state)[side][house]
    column = house if side == 0 else houses - 1 - house
    x = EDGE + (column + 1) * (PIT + GAP) + PIT / 2
    y = picture.height - EDGE - PIT / 2 - 18 if side == 0 else EDGE + PIT / 2 + 18
    name = f"{SIDES[side]} player's house {letter}"
    place = picture.place(name, x, y, PIT)
    edge = {"stroke": LAST, "stroke_width": 3} if _is_last(position, side, house) else {}
    hollow = svg.tag("circle", cx=x, cy=y, r=PIT / 2, fill=HOLLOW, **edge)
    words = [
        svg.text(f"{letter} {stones}", x, y + PIT / 2 + 16 if side == 0 else y - PIT / 2 - 6, font_size=13, fill=INK)
    ]
    is_legal = side == position.to_move - 1 and letter in position.moves
    if is_legal and letter in marks:
        style = {"font_size": 18, "font_weight": 700, "fill": INK, "stroke": "#fff", "stroke_width": 4}
        words.append(svg.text(marks[letter], x, y + 6, paint_order="stroke", **style))
    parts = (_stones(f"{name}, stones", stones, place, PIT / 2 - 12), glyph(f"{name}, words", "words", place, *words))
    button: dict[str, Any] = {"move": letter} if is_legal else {"role": "img"}
    picture.draw(name, "house", place, hollow, label=f"{name}: {stones} stones", parts=parts, **button)


def _is_last(position: Position, side: int, house: int) -> bool:
    """Was this house sown last?"""
    before = position.parent
    return before is not None and before.to_move - 1 == side and position.last_move == house


def _store(picture: Picture, side: int, stones: int) -> None:
    height, name = picture.height, f"{SIDES[side]} player's store"
    x = picture.width - EDGE - PIT if side == 0 else EDGE
    place = picture.place(name, x + PIT / 2, height / 2, PIT, height - 2 * EDGE - 36)
    pit = svg.tag("rect", x=x, y=EDGE + 18, width=PIT, height=height - 2 * EDGE - 36, rx=PIT / 2, fill=HOLLOW)
    number = svg.text(str(stones), x + PIT / 2, height - EDGE - 2, font_size=15, font_weight=700, fill=INK)
    parts = (_stones(f"{name}, stones", stones, place, PIT / 2 - 10), glyph(f"{name}, words", "words", place, number))
    picture.draw(name, "store", place, pit, label=f"{name}: {stones} stones", role="img", parts=parts)
