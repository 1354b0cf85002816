"""A picture of a position: a background, named places, and glyphs that stand at them.

One description gives the board everywhere. As SVG it is shown in notebooks, reports, documentation and when a page is
first loaded. As JSON it is sent to a page that is open, whose script moves the glyphs from place to place. A glyph that
has the same name in two pictures is the same thing: a disc that was flipped, a man that has moved.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Any, Literal, NamedTuple

from zermelo.drawing import svg
from zermelo.drawing.svg import Element

Use = Literal["document", "board", "view", "image"]
"""A document stands alone. A board in a page can be played on. A view in a page is only to be looked at."""

WIDE = 1.15  # times as wide as high: a page gives such a board the width of its column, and others the window's height
CONTROLS = ("data-", "role", "tabindex", "aria-label")
ROOT = {"viewBox", "width", "height", "role", "aria-label", "font-family", "style"}  # what a picture's root says itself


class Place(NamedTuple):
    """Somewhere that a glyph can stand: its middle, and its size."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, kw_only=True)
class Glyph:
    """Something that is drawn at a place: a stone, a die, a card, the dot on the last move, a button for a move."""

    name: str
    """Tells it from the other glyphs of its picture, and finds it again in the next picture."""
    kind: str
    """What it is, such as `red-stone`. Glyphs that can move are drawn alike if they are of one kind."""
    place: str | None = None
    shapes: tuple[Element, ...] = ()
    offset: tuple[float, float] | None = None
    """From the middle of the place to the origin of the shapes; None: the shapes are where they are, and stay there."""
    label: str = ""
    """What a pointer and a screen reader are told about it."""
    role: str | None = None
    is_focusable: bool = False
    move: str | None = None
    """The legal move that a click on it makes."""
    data: Mapping[str, str] = field(default_factory=dict)
    """What else a page is told, as `data-...`: a `place` to click, where a move comes `from` and where it goes `to`."""
    classes: str | None = None
    motion: str = ""
    """How a page shows that it comes or changes: `drop`, `flip`, `pop`, `glide`, or `walk` (glide upright)."""
    is_ahead: bool = False
    """Is it what a move will put here? Only boards have it; a page shows it as soon as the move is chosen."""
    parts: tuple["Glyph", ...] = ()
    """The glyphs of a group."""


@dataclass(kw_only=True)
class Picture:
    """What is drawn of a position, from below to above: the background, then the glyphs in their order."""

    width: float
    height: float
    label: str
    background: list[Element] = field(default_factory=list)
    places: dict[str, Place] = field(default_factory=dict)
    glyphs: list[Glyph] = field(default_factory=list)
    style: str = ""
    page_style: str = ""
    """The style that only boards in pages have."""
    dark: str = ""
    """The style of dark pages; see `dark_style`. A document has none, since it may be printed."""
    tall: tuple[float, float, float, float] | None = None
    """What a page shows where there is more height than width, after turning all by 60 degrees: x, y, width, height."""
    classes: str = ""
    words: str = ""
    """How a move is written from what was chosen one after another, such as `{card}:{from}-{to}`; else empty."""

    # -------------------------------------------------------------------------------- drawing one

    def place(self, name: str, x: float, y: float, width: float, height: float | None = None) -> str:
        """Name a place by its middle and its size (a square's, if no height is given)."""
        self.places[name] = Place(x, y, width, width if height is None else height)
        return name

    def put(self, name: str, kind: str, place: str, *shapes: Element, **told: Any) -> None:
        """Add a glyph that can move. Its shapes are drawn around the middle of its place, which is their origin."""
        self.glyphs.append(glyph(name, kind, place, *shapes, **({"offset": (0.0, 0.0)} | told)))

    def draw(self, name: str, kind: str, place: str | None, *shapes: Element, **told: Any) -> None:
        """Add a glyph that stays where it is: a square, a highlight, a button. Its shapes have their own places."""
        self.glyphs.append(glyph(name, kind, place, *shapes, **told))

    # -------------------------------------------------------------------------------- what it shows

    def all_glyphs(self) -> Iterator[Glyph]:
        """The glyphs, those within groups too."""

        def within(glyphs: Iterable[Glyph]) -> Iterator[Glyph]:
            for one in glyphs:
                yield one
                yield from within(one.parts)

        return within(self.glyphs)

    def at(self, place: str) -> list[Glyph]:
        """The glyphs at a place, from below to above."""
        return [one for one in self.all_glyphs() if one.place == place]

    @property
    def moves(self) -> dict[str, str | None]:
        """The moves that can be clicked, and the places where they are."""
        return {one.move: one.place for one in self.all_glyphs() if one.move is not None}

    # -------------------------------------------------------------------------------- as SVG and as JSON

    def svg(self, use: Use = "document", label: str | None = None) -> str:
        """The picture as SVG. The label is what a screen reader calls it, if not by its own.

        Only a document and an image have their style inside: the security policy of the pages forbids inline style. An
        image is what a page shows as a file of its own: its colours follow the wish of the reader.
        """
        inside = {"document": self.style, "image": self.dark}.get(use, "")
        style = svg.tag("style", inside) if inside else ""
        use = "view" if use == "image" else use
        elements = list(self._elements(use))
        if use == "board":  # one group, which the page can turn
            elements = [Element("g", {"class": "whole"}, elements)]
        return Element("svg", self._root(use, label), [*self._title(use, label), style, *elements])

    @property
    def board_style(self) -> str:
        return self.style + self.page_style + self.dark

    def to_json(self, use: Use = "board", label: str | None = None) -> dict[str, Any]:
        """The picture as the script of a page draws it. Shapes that several glyphs may have are written once."""
        shapes: dict[str, tuple[Element, ...]] = {}
        for one in self.all_glyphs():
            if one.offset is not None and shapes.setdefault(one.kind, one.shapes) != one.shapes:
                raise ValueError(f"{one.name}: another glyph of the kind {one.kind!r} is drawn differently")
        return {
            "root": {key: value for key, value in self._root(use, label).items() if key != "xmlns"},
            "title": [part.to_json() for part in self._title(use, label)],
            "style": self.board_style if use == "board" else self.dark,
            "background": [part.to_json() for part in self._background(use)],
            "places": {name: [round(number, 2) for number in place] for name, place in self.places.items()},
            "shapes": {kind: [part.to_json() for part in parts] for kind, parts in shapes.items()},
            "glyphs": [self._glyph_json(one, use) for one in self.glyphs],
        }

    def _root(self, use: Use, label: str | None) -> dict[str, str]:
        wide = "wide" if use == "board" and self.width > WIDE * self.height else ""
        told: dict[str, str] = {"aria-hidden": "true"}
        if use != "view":  # as an image, a board's parts would be hidden from screen readers: so it is a group
            told = {"role": "img" if use == "document" else "group", "aria-label": label or self.label}
        if use == "board" and self.words:
            told["data-words"] = self.words
        if use == "board" and self.tall is not None:
            told["data-tall"] = " ".join([svg.number_text(number) for number in self.tall])
        classes = " ".join(filter(None, (self.classes, wide)))
        attributes = svg.tag("svg", **svg.root(self.width, self.height)).attributes
        return attributes | told | ({"class": classes} if classes else {})

    def _title(self, use: Use, label: str | None) -> list[Element]:
        """None on a board, where it would pop up everywhere."""
        return [] if use == "board" else [svg.title(label or self.label)]

    def _background(self, use: Use) -> list[Element]:
        return [part.without(*CONTROLS) for part in self.background] if use == "view" else self.background

    def _elements(self, use: Use) -> Iterator[Element]:
        yield from self._background(use)
        for one in self.glyphs:
            yield self._element(one, use)

    def _element(self, one: Glyph, use: Use) -> Element:
        title = [svg.title(one.label)] if one.label and one.role != "group" else []
        parts = [self._element(part, use) for part in one.parts if use == "board" or not part.is_ahead]
        attributes, shapes = _attributes(one, use), one.shapes
        if one.offset is not None:
            place = self.places[one.place or ""]
            x, y = place.x + one.offset[0], place.y + one.offset[1]
            if use == "board":  # whose glyphs the page will move
                attributes["transform"] = svg.translation(x, y)
            else:
                shapes = tuple(shape.moved(x, y) for shape in shapes)
        return Element("g", attributes, [*title, *shapes, *parts])

    def _glyph_json(self, one: Glyph, use: Use) -> dict[str, Any]:
        """Without what is empty."""
        told: dict[str, Any] = {"kind": one.kind, "place": one.place, "attributes": _attributes(one, use)}
        if one.label and one.role != "group":
            told["title"] = one.label
        if one.offset is None:
            told["shapes"] = [part.to_json() for part in one.shapes]
        else:
            told["offset"] = [round(number, 2) for number in one.offset]
        if one.parts:
            told["parts"] = [self._glyph_json(part, use) for part in one.parts if use == "board" or not part.is_ahead]
        return {"name": one.name} | {key: value for key, value in told.items() if value is not None}


def dark_style(classes: str, colours: Mapping[str, str]) -> str:
    """The style of pictures of this class for pages in dark mode. It replaces the colours of fills and strokes."""
    rules = [
        f'.{classes} [{what}="{light}"]{{{what}:{dark}}}'
        for light, dark in colours.items()
        for what in ("fill", "stroke")
    ]
    return "@media (prefers-color-scheme:dark){" + "".join(rules) + "}"


def glyph(name: str, kind: str, place: str | None, *shapes: Element, **told: Any) -> Glyph:
    """A glyph of these shapes. One that makes a move is a button, if nothing else is said."""
    if told.get("move") is not None:
        told = {"role": "button"} | told
    return Glyph(name=name, kind=kind, place=place, shapes=tuple(shape for shape in shapes if shape), **told)


def _attributes(one: Glyph, use: Use) -> dict[str, str]:
    attributes = {"class": one.classes} if one.classes else {}
    if use != "document":
        attributes["data-glyph"] = one.name
        if one.motion:
            attributes["data-motion"] = one.motion
    if use == "view":
        return attributes
    if one.move is not None:
        attributes["data-move"] = one.move
    attributes |= {f"data-{key}": value for key, value in one.data.items()}
    if one.role is not None:
        attributes |= {"role": one.role} | ({"tabindex": "0"} if one.is_focusable else {})
        attributes |= {"aria-label": one.label} if one.label else {}
    return attributes


def read_picture(text: str) -> Picture:
    """The picture of an SVG text, as a game of version 0.1 draws one: all of it is background. Goes in version 0.3."""
    whole = svg.read(text)
    box = [float(number) for number in whole.attributes.get("viewBox", "0 0 100 100").replace(",", " ").split()]
    head = [part for part in whole.content if isinstance(part, Element) and part.name in ("title", "style")]
    style = "".join(unescape("".join(part.content)) for part in head if part.name == "style")
    title = "".join(unescape("".join(part.content)) for part in head if part.name == "title")
    background = [part for part in whole.content if isinstance(part, Element) and part not in head]
    label = whole.attributes.get("aria-label", title)
    others = {key: value for key, value in whole.attributes.items() if key not in ROOT}
    if box[:2] != [0, 0]:
        others["transform"] = svg.translation(-box[0], -box[1])
    if others:
        background = [Element("g", others, background)]
    return Picture(width=box[2], height=box[3], label=label, background=background, style=style)
