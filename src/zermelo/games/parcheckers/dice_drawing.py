"""The dice: the panel of each player above or below the board, and the small chips that offer a move."""

import math
from collections.abc import Mapping
from typing import Any

from zermelo.drawing import svg
from zermelo.drawing.picture import Glyph, Picture, glyph
from zermelo.drawing.svg import Element
from zermelo.games.parcheckers.geometry import BOARD, PANEL, Point
from zermelo.games.parcheckers.notation import colour_of_turn
from zermelo.games.parcheckers.reading import field
from zermelo.games.parcheckers.rules import (
    BONUS_AT,
    COLOURS,
    DICE,
    PASS,
    SPECIAL,
    TEN,
    Parcheckers,
)
from zermelo.games.parcheckers.style import BONUS, DARK, FAINT, FILL, INK, LINE, PAPER
from zermelo.language import _
from zermelo.rules import is_over, outcome, to_move

DIE = 64.0
GAP = 18.0  # a die and a gap are 40 pixels wide on a phone
CHIP = 23.0

_LOW, _MIDDLE, _HIGH = 0.25, 0.5, 0.75
PIPS: dict[str, list[Point]] = {
    "1": [(_MIDDLE, _MIDDLE)],
    "2": [(_LOW, _LOW), (_HIGH, _HIGH)],
    "4": [(_LOW, _LOW), (_LOW, _HIGH), (_HIGH, _LOW), (_HIGH, _HIGH)],
    "5": [(_LOW, _LOW), (_LOW, _HIGH), (_MIDDLE, _MIDDLE), (_HIGH, _LOW), (_HIGH, _HIGH)],
    "6": [(x, y) for x in (_LOW, _HIGH) for y in (_LOW, _MIDDLE, _HIGH)],
}


def yin_yang(x: float, y: float, radius: float, ink: str) -> list[Element]:
    """The face of the special die."""
    half = radius / 2
    steps = [(radius, 1, 2 * radius), (half, 1, -radius), (half, 0, -radius)]  # round the outside, back down the middle
    arcs = "".join(f"a{r:g} {r:g} 0 0 {sweep} 0 {down:g}" for r, sweep, down in steps)
    return [
        svg.tag("circle", cx=x, cy=y, r=radius, fill=PAPER, stroke=ink, stroke_width=1.5),
        svg.tag("path", d=f"M{x:g} {y - radius:g}{arcs}z", fill=ink),
        svg.tag("circle", cx=x, cy=y - half, r=radius / 7, fill=ink),
        svg.tag("circle", cx=x, cy=y + half, r=radius / 7, fill=PAPER),
    ]


def die_face(die: int, ink: str) -> list[Element]:
    """The drawing on a die, centred on its middle."""
    name = DICE[die]
    if die == SPECIAL:
        return yin_yang(0.0, 0.0, DIE * 0.33, ink)
    if die >= TEN:
        return [svg.text(f"+{name}", 0, 9, font_size=26, font_weight=700, fill=ink)]
    return [svg.tag("circle", cx=DIE * (x - 0.5), cy=DIE * (y - 0.5), r=DIE * 0.09, fill=ink) for x, y in PIPS[name]]


def die_box(**attributes: Any) -> Element:
    return svg.tag("rect", x=-DIE / 2, y=-DIE / 2, width=DIE, height=DIE, rx=9, **attributes)


def panel_die(die: int, waits: bool) -> list[Element]:
    """A die that has not been spent; faint while it must wait for the other player or for a bonus."""
    ink = FAINT if waits else INK
    box = die_box(class_="chip", fill=BONUS if die >= TEN else PAPER, stroke=ink, stroke_width=2)
    side = DIE + GAP  # what takes the click is larger than the die
    around = svg.tag("rect", x=-side / 2, y=-side / 2, width=side, height=side, fill="transparent")
    return [around, box, *die_face(die, ink)]


def passing_die(name: str, die: int, place: str, mark: str | None) -> Glyph:
    """A die with which no piece can move: a click passes with it."""
    words = _("pass") if mark is None else f"{_('pass')} {mark}"
    width = max(DIE + 4, 8.0 * len(words) + 8)
    badge = svg.tag("rect", x=-width / 2, y=DIE / 2 - 3, width=width, height=18, rx=9, fill=INK)
    said = svg.text(words, 0, DIE / 2 + 11, font_size=14, font_weight=600, fill="#fff")
    told = {"label": _("pass with the {die}").format(die=DICE[die]), "move": f"pass:{DICE[die]}", "is_focusable": True}
    data = {"die": DICE[die], "from": "pass"}
    shapes = [*panel_die(die, False), badge, said]
    return glyph(name, f"die-{DICE[die]}-{words}", place, *shapes, offset=(0, 0), data=data, motion="flip", **told)


def player_dice(
    picture: Picture, state: Parcheckers, player: int, moves: list[int], marks: Mapping[str, str]
) -> list[Glyph]:
    """A player's dice from left to right, spent ones as empty places, a bonus die last."""
    mover = int(to_move(state)) == player and not is_over(state)
    bonus = int(field(state.rest, BONUS_AT, 2)) if mover else 0
    dice = [*range(TEN), *([TEN + bonus - 1] if bonus else [])]
    left = int(field(state.rest, 6 * player, 6))
    passes = {move >> 4 for move in moves if move & 15 == PASS} if mover else set()
    drawn = []
    for i, die in enumerate(dice):
        name = f"die-{DICE[die]}-of-player-{player + 1}"
        place = picture.place(name, *die_centre(player, i, len(dice)), DIE)
        waits = not mover or (bonus > 0 and die < TEN)
        if die < TEN and not left >> die & 1:
            box = die_box(fill="none", stroke=LINE, stroke_dasharray="3 4")
            label = _("die {die}: spent").format(die=DICE[die])
            drawn.append(glyph(name, "spent-die", place, box, offset=(0, 0), label=label, motion="flip"))
        elif die in passes:
            drawn.append(passing_die(name, die, place, marks.get(f"pass:{DICE[die]}")))
        else:
            pick: dict[str, Any] = {} if waits else {"classes": "choice", "data": {"die": DICE[die]}}
            kind, label = f"die-{DICE[die]}{'-waits' if waits else ''}", _("die {die}").format(die=DICE[die])
            shapes = panel_die(die, waits)
            drawn.append(glyph(name, kind, place, *shapes, offset=(0, 0), label=label, motion="flip", **pick))
    return drawn


def die_centre(player: int, number: int, dice: int) -> Point:
    """The middle of one of so many dice of a player, counted from the left."""
    x = BOARD - 20 - (dice - number) * (DIE + GAP) + GAP
    return x + DIE / 2, panel_top(player) + 9 + DIE / 2


def panel_top(player: int) -> float:
    """Player 2's panel is above the board, and player 1's below."""
    return 0.0 if player else PANEL + BOARD


def dice_panel(
    picture: Picture, state: Parcheckers, player: int, moves: list[int], marks: Mapping[str, str], last: str | None
) -> None:
    """A player's colours, name and dice; last is the move just made, if this player made it."""
    top = panel_top(player)
    over, turn = bool(is_over(state)), colour_of_turn(state)
    mover = int(to_move(state)) == player and not over
    won = over and (outcome(state) > 0) == (int(to_move(state)) == player)
    colours = (2 * player, 2 * player + 1)
    frame = {"x": 4, "y": top + 3, "width": BOARD - 8, "height": PANEL - 6, "rx": 14}
    edge = FILL[turn] if mover else INK if won else None
    parts = [svg.tag("rect", fill=PAPER, stroke=edge, stroke_width=4, **frame)]
    for i, colour in enumerate(colours):
        paint = {"fill": FILL[colour], "stroke": DARK[colour], "stroke_width": 1.5}
        parts.append(svg.tag("circle", cx=32 + 22 * i, cy=top + 40, r=14, **paint))
    status = _("has won") if won else _("{colour}'s turn").format(colour=_(COLOURS[turn])) if mover else ""
    shown = last or ""
    for word in (*COLOURS, "pass"):
        shown = shown.replace(word, _(word))
    words = " · ".join(part for part in (status, _("played {move}").format(move=shown) if last else "") if part)
    style = {"fill": INK, "text_anchor": "start"}
    height = top + 47
    parts.append(
        svg.text(_("Player {number}").format(number=player + 1), 80, height, font_size=21, font_weight=650, **style)
    )
    parts.append(svg.text(words, 20, top + PANEL - 12, font_size=17, **style))
    dice = player_dice(picture, state, player, moves, marks)
    told = _("player {number}, {colours}, to move") if mover else _("player {number}, {colours}")
    both = _("{one} and {other}").format(one=_(COLOURS[colours[0]]), other=_(COLOURS[colours[1]]))
    label = told.format(number=player + 1, colours=both)
    name = f"panel-of-player-{player + 1}"
    picture.draw(name, "panel", None, *parts, role="group", label=label, parts=tuple(dice))


def die_chip(die: int, at: Point, colour: int, mark: str | None, along: Point, captures: bool) -> list[Element]:
    """A small die in the colour of the piece that it moves, dark if it captures; a mark stands beside it."""
    x, y = at
    shift = 0.0 if mark is None else CHIP / 2 - 1
    x, y = x - along[0] * shift, y - along[1] * shift
    box = svg.tag(
        "rect",
        class_="chip",
        x=x - CHIP / 2,
        y=y - CHIP / 2,
        width=CHIP,
        height=CHIP,
        rx=6,
        fill=INK if captures else "#fff",
        stroke=FILL[colour],
        stroke_width=3,
    )
    parts = [box]
    if die == SPECIAL:
        parts += yin_yang(x, y, CHIP * 0.3, INK)
    else:
        parts.append(svg.text(DICE[die], x, y + 5.5, font_size=15, font_weight=700, fill="#fff" if captures else INK))
    if mark is not None:
        far = CHIP / 2 + 3
        anchor = "start" if along[0] else "middle"
        point = (x + far * along[0], y + 5 + (far + 5) * along[1])
        parts.append(
            svg.text(
                mark,
                *point,
                class_="mark",
                font_size=13,
                font_weight=650,
                fill=INK,
                text_anchor=anchor,
                stroke="#fff",
                stroke_width=3,
                paint_order="stroke",
            )
        )
    return parts


def arrow(start: Point, end: Point, short: float, **attributes: Any) -> list[Element]:
    """An arrow between two points that stops a little short of both; nothing if they are too close together."""
    (x1, y1), (x2, y2) = start, end
    length = math.hypot(x2 - x1, y2 - y1)
    if length < 2 * short:
        return []
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    tip = (x2 - ux * short, y2 - uy * short)
    head = [(tip[0] - 9 * ux - side * uy, tip[1] - 9 * uy + side * ux) for side in (5, -5)]
    points = [(x1 + ux * short, y1 + uy * short), tip, head[0], tip, head[1]]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return [svg.tag("path", d=path, fill="none", stroke_linecap="round", stroke_linejoin="round", **attributes)]
