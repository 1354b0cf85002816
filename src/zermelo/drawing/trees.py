"""Drawing trees: a tidy layout in which leaves stand side by side and parents above the middle of their children."""

import math
from dataclasses import dataclass, field

from zermelo.drawing import svg
from zermelo.drawing.picture import Picture, dark_style
from zermelo.drawing.svg import Element

STEP, LEVEL, MARGIN = 64, 104, 36
BOX_WIDTH, BOX_HEIGHT, GAP = 46, 24, 4
PAPER = "#fbfcfe"
DARK = dark_style(
    "drawn-tree",
    {PAPER: "#1e232d", "#dbe6fa": "#263a5e", "#fbe3d4": "#4f3320", "#cfe8d6": "#1c4630", "#e9ecf2": "#2c3340"}
    | {"#1d2a44": "#e6ebf5", "#9aa5b8": "#8994a8", "#b9c2d0": "#596172", "#5c6b84": "#a3adc0", "#fff": "#2b313d"},
)
HALO = {"stroke": PAPER, "stroke_width": 5, "paint_order": "stroke"}  # keeps a text readable where lines cross it


@dataclass(frozen=True)
class Box:
    """A box under a node, to be filled in by hand if it has no text."""

    label: str  # a sign in its corner
    text: str = ""


@dataclass
class Drawn:
    """A node to draw: a name in a shape, a few lines of text beside it, and how it looks."""

    name: str
    notes: list[str] = field(default_factory=list)  # small lines under the name
    is_max: bool = True  # an upright triangle for MAX, an inverted one for MIN
    is_leaf: bool = False
    faded: bool = False  # cut, never visited
    chosen: bool = False  # on the best line, or the current one
    move: str | None = None  # the legal move that leads here, if it may be clicked
    inside: str = ""  # what stands in the shape; the name, if nothing else is said
    boxes: list[list[Box]] = field(default_factory=list)  # rows of boxes; the branches begin below them
    crossed_out: bool = False  # is there a mark across the branch that leads here?
    children: list["Drawn"] = field(default_factory=list)

    @property
    def shape(self) -> str:
        """What it looks like, in words."""
        looks = "faded" if self.faded else "chosen" if self.chosen else ""
        return f"{looks} {'leaf' if self.is_leaf else 'MAX' if self.is_max else 'MIN'}".strip()

    @property
    def boxes_height(self) -> int:
        return len(self.boxes) * (BOX_HEIGHT + GAP)

    @property
    def tallest_boxes(self) -> int:
        """The height of the highest stack of boxes, here or below."""
        return max(self.boxes_height, *(child.tallest_boxes for child in self.children), 0)


Placed = list[tuple[Drawn, float, float]]


def draw_tree(root: Drawn, label: str, step: float = STEP) -> Picture:
    """The whole picture, with `step` from leaf to leaf. Every node is a place, numbered from above to below."""
    placed: Placed = []
    edges: list[Element] = []
    level = LEVEL + root.tallest_boxes
    width = _place(root, 0, 0, placed, edges, (step, level)) * step + 2 * MARGIN
    height = max(y for _, _, y in placed) + 2 * MARGIN + 44
    picture = Picture(width=width, height=height, label=label, classes="drawn-tree", dark=DARK)
    across, down = MARGIN + step / 2, MARGIN
    lines = svg.tag("g", *edges, transform=f"translate({across:g} {down})")
    picture.background += [svg.tag("rect", width=width, height=height, rx=10, fill=PAPER), lines]
    for number, (node, x, y) in enumerate(placed):
        place = picture.place(str(number), x + across, y + down, 50, 44)
        notes = [*filter(None, [node.inside]), *node.notes, *_read_out(node)]
        described = f"{node.name}: {', '.join(notes)}" if notes else node.name
        role = "button" if node.move else None
        shapes = _node(node)
        kind = " ".join(filter(None, (node.shape, *notes, node.name)))
        picture.put(f"node-{number}", kind, place, *shapes, label=described, move=node.move, role=role)
    return picture


def _read_out(node: Drawn) -> list[str]:
    return [f"{box.label} {box.text}".strip() for row in node.boxes for box in row]


def _place(
    node: Drawn, left: float, depth: int, placed: Placed, edges: list[Element], size: tuple[float, float]
) -> float:
    """Place a subtree with its left edge at `left` (in steps), and return how many steps wide it is.

    size: from leaf to leaf, and from level to level.
    """
    step, level = size
    here = len(placed)
    placed.append((node, 0, 0))
    width, centres = 0.0, []
    for child in node.children:
        at = len(placed)
        width += _place(child, left + width, depth + 1, placed, edges, size)
        centres.append((child, placed[at][1]))
    x = (centres[0][1] + centres[-1][1]) / 2 if centres else left * step
    y = depth * level
    placed[here] = (node, x, float(y))
    for child, child_x in centres:
        colour, dash = ("#b9c2d0", "4 4") if child.faded else ("#5c6b84", None)
        stroke = 3.5 if child.chosen else 1.5
        ends = (x, y + 16 + (node.boxes_height + 8 if node.boxes else 0), child_x, y + level - 16)
        x1, y1, x2, y2 = ends
        edges.append(
            svg.tag("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour, stroke_width=stroke, stroke_dasharray=dash)
        )
        if child.crossed_out:
            edges += _marks_across(*ends)
    return max(width, 1.0)


def _marks_across(x1: float, y1: float, x2: float, y2: float) -> list[Element]:
    """Two short strokes across the middle of a line."""
    length = math.hypot(x2 - x1, y2 - y1)
    right, down = (x2 - x1) / length, (y2 - y1) / length
    found = []
    for along in (-3, 3):
        x, y = (x1 + x2) / 2 + along * right, (y1 + y2) / 2 + along * down
        ends = {"x1": x - 8 * down, "y1": y + 8 * right, "x2": x + 8 * down, "y2": y - 8 * right}
        found.append(svg.tag("line", **ends, stroke="#1d2a44", stroke_width=2))
    return found


def _node(node: Drawn) -> list[Element]:
    """A node around its middle."""
    fill = "#e9ecf2" if node.faded else "#cfe8d6" if node.chosen else "#dbe6fa" if node.is_max else "#fbe3d4"
    ink = "#9aa5b8" if node.faded else "#1d2a44"
    if node.is_leaf:
        shape = svg.tag("rect", x=-15, y=-15, width=30, height=30, rx=4, fill=fill, stroke=ink)
    else:
        points = "0,-22 -25,17 25,17" if node.is_max else "0,22 -25,-17 25,-17"
        shape = svg.tag("polygon", points=points, fill=fill, stroke=ink)
    below = 9 if node.is_max and not node.is_leaf else 3
    name = svg.text(node.inside or node.name, 0, below, font_size=13, font_weight=600, fill=ink)
    notes = [svg.text(note, 0, 35 + 13 * i, font_size=11, fill=ink, **HALO) for i, note in enumerate(node.notes)]
    return [shape, name, *notes, *_boxes(node, ink)]


def _boxes(node: Drawn, ink: str) -> list[Element]:
    """The boxes under a node: a small sign in the corner, and the text if it is known."""
    found = []
    for row, boxes in enumerate(node.boxes):
        top = 26 + row * (BOX_HEIGHT + GAP)
        for column, box in enumerate(boxes):
            left = column * (BOX_WIDTH + GAP) - (len(boxes) * (BOX_WIDTH + GAP) - GAP) / 2
            frame = {"width": BOX_WIDTH, "height": BOX_HEIGHT, "rx": 3, "fill": "#fff", "stroke": "#9aa5b8"}
            found.append(svg.tag("rect", x=left, y=top, **frame))
            found.append(svg.text(box.label, left + 7, top + 10, font_size=10, fill="#5c6b84"))
            if box.text:
                middle = left + BOX_WIDTH / 2 + 5
                found.append(svg.text(box.text, middle, top + 17, font_size=13, font_weight=600, fill=ink))
    return found
