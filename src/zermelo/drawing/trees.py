"""Drawing trees: a tidy layout in which leaves stand side by side and parents above the middle of their children."""

from dataclasses import dataclass, field

from zermelo.drawing import svg
from zermelo.drawing.picture import Picture
from zermelo.drawing.svg import Element

STEP, LEVEL, MARGIN = 64, 104, 36
PAPER = "#fbfcfe"
HALO = {"stroke": PAPER, "stroke_width": 5, "paint_order": "stroke"}  # keeps a text readable where lines cross it


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
    children: list["Drawn"] = field(default_factory=list)

    @property
    def shape(self) -> str:
        """What it looks like, in words."""
        looks = "faded" if self.faded else "chosen" if self.chosen else ""
        return f"{looks} {'leaf' if self.is_leaf else 'MAX' if self.is_max else 'MIN'}".strip()


Placed = list[tuple[Drawn, float, float]]


def draw_tree(root: Drawn, label: str) -> Picture:
    """The whole picture. Every node is a place; the first is called 0, and they are numbered from above to below."""
    placed: Placed = []
    edges: list[Element] = []
    width = _place(root, 0, 0, placed, edges) * STEP + 2 * MARGIN
    height = max(y for _, _, y in placed) + 2 * MARGIN + 44
    picture = Picture(width=width, height=height, label=label)
    across, down = MARGIN + STEP / 2, MARGIN
    lines = svg.tag("g", *edges, transform=f"translate({across:g} {down})")
    picture.background += [svg.tag("rect", width=width, height=height, rx=10, fill=PAPER), lines]
    for number, (node, x, y) in enumerate(placed):
        place = picture.place(str(number), x + across, y + down, 50, 44)
        described = f"{node.name}: {', '.join(node.notes)}" if node.notes else node.name
        role = "button" if node.move else None
        shapes = _node(node)
        kind = " ".join(filter(None, (node.shape, *node.notes, node.name)))
        picture.put(f"node-{number}", kind, place, *shapes, label=described, move=node.move, role=role)
    return picture


def _place(node: Drawn, left: float, depth: int, placed: Placed, edges: list[Element]) -> float:
    """Place a subtree with its left edge at `left` (in steps), and return how many steps wide it is."""
    here = len(placed)
    placed.append((node, 0, 0))
    width, centres = 0.0, []
    for child in node.children:
        at = len(placed)
        width += _place(child, left + width, depth + 1, placed, edges)
        centres.append((child, placed[at][1]))
    x = (centres[0][1] + centres[-1][1]) / 2 if centres else left * STEP
    y = depth * LEVEL
    placed[here] = (node, x, float(y))
    for child, child_x in centres:
        colour, dash = ("#b9c2d0", "4 4") if child.faded else ("#5c6b84", None)
        stroke = 3.5 if child.chosen else 1.5
        edges.append(
            svg.tag(
                "line",
                x1=x,
                y1=y + 16,
                x2=child_x,
                y2=y + LEVEL - 16,
                stroke=colour,
                stroke_width=stroke,
                stroke_dasharray=dash,
            )
        )
    return max(width, 1.0)


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
    name = svg.text(node.name, 0, below, font_size=13, font_weight=600, fill=ink)
    notes = [svg.text(note, 0, 35 + 13 * i, font_size=11, fill=ink, **HALO) for i, note in enumerate(node.notes)]
    return [shape, name, *notes]
