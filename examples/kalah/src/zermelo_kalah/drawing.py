"""Pictures of Kalah positions."""

import math
from collections.abc import Mapping
from typing import Any

from zermelo.drawing import svg
from zermelo_kalah.notation import LETTERS, SIDES, both_sides

PIT, GAP, EDGE = 70, 10, 14
WOOD, HOLLOW, SEED, INK, LAST = "#c99a62", "#a97743", "#f6e7c8", "#4a3216", "#ffe08a"


def text_board(state: Any) -> str:
    """The second player's houses above, from right to left; the stores at both ends; the first player's below."""
    first, second = both_sides(state)
    width = 4 * len(first[:-1])
    rows = ["".join(f"{seeds:>4}" for seeds in row) for row in (second[-2::-1], first[:-1])]
    letters = ["".join(f"{letter:>4}" for letter in LETTERS[: len(first) - 1][::way]) for way in (-1, 1)]
    turn = f"{SIDES[int(state.mover)]} to move"
    stores = f"{second[-1]:>3}{'':{width}}{first[-1]:>4}"
    return "\n".join([f"   {letters[0]}", f"   {rows[0]}", stores, f"   {rows[1]}", f"   {letters[1]}   {turn}"])


def _seeds(number: int, x: float, y: float, reach: float) -> list[str]:
    """Seeds in a spiral, as sunflowers have them; and their number."""
    drawn = []
    for index in range(number):
        away = min(1.0, math.sqrt((index + 0.5) / max(number, 7))) * reach
        angle = index * 2.39996  # the golden angle
        at = {"cx": round(x + away * math.cos(angle), 1), "cy": round(y + away * math.sin(angle), 1)}
        drawn.append(svg.tag("circle", **at, r=5, fill=SEED, stroke=INK, stroke_width=0.6))
    return drawn


def draw(position: Any, marks: Mapping[str, str] | None) -> str:
    """The board, the first player's houses below; a click on a house sows it."""
    sides, houses = both_sides(position.state), int(position.state.houses)
    mover, legal = position.to_move - 1, position.moves
    width = 2 * EDGE + (houses + 2) * (PIT + GAP) - GAP
    height = 2 * EDGE + 2 * PIT + 60
    parts = [svg.tag("rect", width=width, height=height, rx=26, fill=WOOD)]
    for side in (0, 1):
        for house in range(houses):
            column = house if side == 0 else houses - 1 - house
            x = EDGE + (column + 1) * (PIT + GAP) + PIT / 2
            y = height - EDGE - PIT / 2 - 18 if side == 0 else EDGE + PIT / 2 + 18
            letter, seeds = LETTERS[house], sides[side][house]
            playable = letter if side == mover and letter in legal else None
            label = f"{SIDES[side]} player's house {letter}: {seeds} seeds"
            edge = {"stroke": LAST, "stroke_width": 3} if _is_last(position, side, house) else {}
            inside = [svg.tag("circle", cx=x, cy=y, r=PIT / 2, fill=HOLLOW, **edge), *_seeds(seeds, x, y, PIT / 2 - 12)]
            note = marks.get(letter) if marks and playable else None
            name_y = y + PIT / 2 + 16 if side == 0 else y - PIT / 2 - 6
            inside.append(svg.text(f"{letter} {seeds}", x, name_y, font_size=13, fill=INK))
            if note:
                inside.append(
                    svg.text(note, x, y + 6, font_size=18, font_weight=700, fill=INK, stroke="#fff", stroke_width=4,
                             paint_order="stroke")
                )  # fmt: skip
            role = "button" if playable else None
            parts.append(svg.tag("g", svg.title(label), *inside, data_move=playable, role=role, aria_label=label))
        parts += _store(side, sides[side][-1], width, height)
    return svg.picture(width, height, *parts, label=f"Kalah position {position}")


def _is_last(position: Any, side: int, house: int) -> bool:
    """Was this house sown last?"""
    before = position.parent
    return before is not None and before.to_move - 1 == side and position.last_move == house


def _store(side: int, seeds: int, width: float, height: float) -> list[str]:
    x = width - EDGE - PIT if side == 0 else EDGE
    label = f"{SIDES[side]} player's store: {seeds} seeds"
    pit = svg.tag("rect", x=x, y=EDGE + 18, width=PIT, height=height - 2 * EDGE - 36, rx=PIT / 2, fill=HOLLOW)
    number = svg.text(str(seeds), x + PIT / 2, height - EDGE - 2, font_size=15, font_weight=700, fill=INK)
    inside = _seeds(seeds, x + PIT / 2, height / 2, PIT / 2 - 10)
    return [svg.tag("g", svg.title(label), pit, *inside, number, role="img", aria_label=label)]
