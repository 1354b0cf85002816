"""Small SVG charts of our own: no plotting library in the core."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.drawing import svg

INK, SOFT = "#1d2a44", "#6b778d"
COLOURS = ("#2456a6", "#d7353a", "#2e8b57", "#c98a11", "#7a4fa3")


@dataclass(frozen=True)
class Bar:
    """A bar of a group: what it stands for, how long, and what is written at its end; with an interval, if known."""

    name: str
    value: float
    text: str
    interval: tuple[float, float] | None = None


def _chart(heading: str, width: float, height: float, parts: Sequence[str]) -> str:
    """The whole picture: what is drawn, on paper, under its heading."""
    paper = svg.tag("rect", width=width, height=height, rx=10, fill="#fbfcfe")
    title = svg.text(heading, 20, 30, font_size=17, font_weight=600, fill=INK, text_anchor="start")
    return svg.picture(width, height, paper, title, *parts, label=heading)


def bars(heading: str, groups: Sequence[tuple[str, Sequence[Bar]]], most: float | None = None) -> str:
    """Horizontal bars in named groups; bars of the same name have the same colour."""
    names = list(dict.fromkeys(bar.name for _, group in groups for bar in group))
    top = most or max((bar.value for _, group in groups for bar in group), default=1) or 1
    left, long, thick, y = 190, 380, 18, 76
    width = left + long + 150
    parts = []
    for i, name in enumerate(names):
        x = left + 130 * i
        parts.append(svg.tag("rect", x=x, y=46, width=12, height=12, rx=2, fill=COLOURS[i % len(COLOURS)]))
        parts.append(svg.text(name, x + 18, 56, font_size=12, fill=SOFT, text_anchor="start"))
    for label, group in groups:
        middle = y + thick * len(group) / 2 + 4
        parts.append(svg.text(label, left - 12, middle, font_size=13, fill=INK, text_anchor="end"))
        for bar in group:
            size = max(long * bar.value / top, 1.0)
            colour = COLOURS[names.index(bar.name) % len(COLOURS)]
            parts.append(svg.tag("rect", x=left, y=y + 2, width=size, height=thick - 4, rx=2, fill=colour))
            end = size
            if bar.interval:
                low, high = (long * bound / top for bound in bar.interval)
                line = f"M{left + low:.1f} {y + thick / 2}H{left + high:.1f}"
                parts.append(svg.tag("path", d=line, stroke=INK, stroke_width=2))
                end = max(size, high)
            parts.append(
                svg.text(bar.text, left + end + 8, y + thick / 2 + 4, font_size=12, fill=SOFT, text_anchor="start")
            )
            y += thick
        y += 14
    return _chart(heading, width, y + 10, parts)


def heat_map(
    heading: str, rows: Sequence[str], columns: Sequence[str], cells: Sequence[Sequence[tuple[float, str] | None]]
) -> str:
    """A table whose cells are coloured by a share, 0 red, a half white, 1 green, with a text in each."""
    longest = max((len(cell[1]) for row in cells for cell in row if cell), default=0)
    left, top, wide, high = 200, 112, max(92, 12 + 7 * longest), 30
    width = max(left + wide * len(columns) + 20, 40 + 10 * len(heading))
    height = top + high * len(rows) + 20
    parts = []
    for i, name in enumerate(columns):
        x = left + wide * i + wide / 2
        parts.append(
            svg.text(
                name,
                x - wide / 3,
                top - 8,
                font_size=11,
                fill=SOFT,
                text_anchor="start",
                transform=f"rotate(-24 {x - wide / 3:g} {top - 8})",
            )
        )
    for j, name in enumerate(rows):
        y = top + high * j
        parts.append(svg.text(name, left - 10, y + 20, font_size=12, fill=INK, text_anchor="end"))
        for i, cell in enumerate(cells[j]):
            if cell is None:
                continue
            share, text = cell
            x = left + wide * i
            box = svg.tag("rect", x=x, y=y, width=wide - 2, height=high - 2, rx=3, fill=_shade(share))
            parts.append(
                svg.tag(
                    "g",
                    svg.title(f"{name}, {columns[i]}: {text}"),
                    box,
                    svg.text(text, x + wide / 2 - 1, y + 19, font_size=11.5, fill=INK),
                )
            )
    return _chart(heading, width, height, parts)


def _shade(share: float) -> str:
    """White at a half, green above, red below."""
    strength = min(1.0, abs(share - 0.5) * 2)
    full = (86, 171, 120) if share > 0.5 else (222, 110, 100)
    return "#" + "".join(f"{round(250 + (part - 250) * strength):02x}" for part in full)


@dataclass(frozen=True)
class Mark:
    """A value with its interval, on a line of its own."""

    name: str
    value: float
    low: float
    high: float
    text: str


def intervals(heading: str, marks: Sequence[Mark], narrow: bool = False) -> str:
    """Values as dots with error bars over a common scale, which may go below zero. Narrow: for a phone."""
    low = min((mark.low for mark in marks), default=0.0)
    high = max((mark.high for mark in marks), default=1.0)
    step = _round_step((high - low) / 6 or 1.0)
    first, last = int(low // step), int(-(-high // step))
    left, long, thick, top = (24, 312, 44, 46) if narrow else (240, 380, 26, 62)
    width, bottom = left + long + (24 if narrow else 130), top + thick * len(marks)

    def x(value: float) -> float:
        return left + long * (value - first * step) / ((last - first) * step or 1)

    parts = []
    for i in range(first, last + 1):
        line = f"M{x(i * step):.1f} {top - 6}V{bottom}"
        parts.append(svg.tag("path", d=line, stroke=SOFT if i == 0 else "#dde3ee"))
        parts.append(svg.text(f"{i * step:g}", x(i * step), bottom + 16, font_size=11, fill=SOFT))
    for row, mark in enumerate(marks):
        y = top + thick * (row + (0.75 if narrow else 0.5))
        name = mark.name if len(mark.name) <= 28 else mark.name[:27] + "…"
        label_at, value_at = (left - 12, y + 4), (left + long + 16, y + 4)
        if narrow:
            label_at, value_at = (left, y - 14), (left + long, y - 14)
        ends = ("start", "end") if narrow else ("end", "start")
        label = svg.text(name, *label_at, font_size=13, fill=INK, text_anchor=ends[0])
        bar = svg.tag("path", d=f"M{x(mark.low):.1f} {y}H{x(mark.high):.1f}", stroke=COLOURS[0], stroke_width=2)
        dot = svg.tag("circle", cx=x(mark.value), cy=y, r=5, fill=COLOURS[0])
        value = svg.text(mark.text, *value_at, font_size=12, fill=SOFT, text_anchor=ends[1])
        parts.append(svg.tag("g", svg.title(f"{mark.name}: {mark.text}"), label, bar, dot, value))
    return _chart(heading, width, bottom + 30, parts)


def curves(
    heading: str, lines: Sequence[tuple[str, Sequence[tuple[float, float]]]], across: str, up: str, most: float = 1.0
) -> str:
    """Lines through points (x, y), y from 0 to most, with their names and what the two axes mean."""
    left, top, long, high = 70, 84, 560, 260
    width, bottom = left + long + 30, top + high
    furthest = max((x for _, points in lines for x, _ in points), default=1.0) or 1.0
    parts = []
    for i in range(5):
        y = bottom - high * i / 4
        parts.append(svg.tag("path", d=f"M{left} {y:.1f}H{left + long}", stroke="#dde3ee"))
        parts.append(svg.text(f"{most * i / 4:g}", left - 8, y + 4, font_size=11, fill=SOFT, text_anchor="end"))
    step = _round_step(furthest / 5)
    for i in range(int(furthest / step) + 1):
        x = left + long * i * step / furthest
        parts.append(svg.text(f"{i * step:,.0f}", x, bottom + 18, font_size=11, fill=SOFT))
    parts.append(svg.text(across, left + long, bottom + 34, font_size=11, fill=SOFT, text_anchor="end"))
    parts.append(svg.text(up, left - 50, top - 12, font_size=11, fill=SOFT, text_anchor="start"))
    for number, (name, points) in enumerate(lines):
        colour = COLOURS[number % len(COLOURS)]
        places = [(left + long * x / furthest, bottom - high * min(y, most) / most) for x, y in points]
        line = " ".join(f"{'L' if i else 'M'}{x:.1f} {y:.1f}" for i, (x, y) in enumerate(places))
        if line:
            parts.append(svg.tag("path", d=line, stroke=colour, stroke_width=2, fill="none"))
        parts += [svg.tag("circle", cx=round(x, 1), cy=round(y, 1), r=3, fill=colour) for x, y in places]
        at = left + 200 * number
        parts.append(svg.tag("rect", x=at, y=46, width=12, height=12, rx=2, fill=colour))
        parts.append(svg.text(name, at + 18, 56, font_size=12, fill=SOFT, text_anchor="start"))
    return _chart(heading, width, bottom + 44, parts)


@dataclass(frozen=True)
class Point:
    """A value with its interval, somewhere along an axis, and what is said about it."""

    at: float
    value: float
    low: float
    high: float
    text: str


def course(heading: str, points: Sequence[Point], across: str, narrow: bool = False) -> str:
    """How a value changes: a line with a band for its intervals, which may go below zero. Narrow: for a phone."""
    low = min((point.low for point in points), default=0.0)
    high = max((point.high for point in points), default=1.0)
    step = _round_step((high - low) / 5 or 1.0)
    first, last = int(low // step), int(-(-high // step))
    left, top, long, tall = (48, 48, 288, 190) if narrow else (70, 52, 560, 230)
    width, bottom = left + long + 24, top + tall
    begin = min((point.at for point in points), default=0.0)
    end = max((point.at for point in points), default=1.0)

    def x(at: float) -> float:
        return round(left + long * (at - begin) / ((end - begin) or 1), 1)

    def y(value: float) -> float:
        return round(bottom - tall * (value - first * step) / ((last - first) * step or 1), 1)

    parts = []
    for i in range(first, last + 1):
        parts.append(svg.tag("path", d=f"M{left} {y(i * step)}H{left + long}", stroke=SOFT if i == 0 else "#dde3ee"))
        parts.append(svg.text(f"{i * step:g}", left - 8, y(i * step) + 4, font_size=11, fill=SOFT, text_anchor="end"))
    for at, anchor in {begin: "start", end: "end"}.items():
        parts.append(svg.text(f"{at:g}", x(at), bottom + 18, font_size=11, fill=SOFT, text_anchor=anchor))
    parts.append(svg.text(across, left + long / 2, bottom + 18, font_size=11, fill=SOFT))
    edge = [(x(point.at), y(point.high)) for point in points] + [(x(point.at), y(point.low)) for point in points[::-1]]
    line = [(x(point.at), y(point.value)) for point in points]
    if len(points) > 1:
        parts.append(svg.tag("path", d=_path(edge) + "Z", fill=COLOURS[0], fill_opacity=0.16))
        parts.append(svg.tag("path", d=_path(line), stroke=COLOURS[0], stroke_width=2, fill="none"))
    for point in points if len(points) <= 40 else points[-1:]:
        bar = f"M{x(point.at)} {y(point.low)}V{y(point.high)}"
        mark = svg.tag("path", d=bar, stroke=COLOURS[0], stroke_opacity=0.5)
        dot = svg.tag("circle", cx=x(point.at), cy=y(point.value), r=3.5, fill=COLOURS[0])
        parts.append(svg.tag("g", svg.title(point.text), mark, dot))
    return _chart(heading, width, bottom + 30, parts)


def _path(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{'L' if i else 'M'}{x} {y}" for i, (x, y) in enumerate(places))


def _round_step(rough: float) -> float:
    """The 1, 2 or 5 times a power of ten that is nearest above.

    >>> _round_step(13.0)
    20.0
    """
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
