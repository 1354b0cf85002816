"""Writing SVG: elements from Python values, escaped once, here."""

from collections.abc import Iterable, Mapping
from html import escape, unescape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xml.etree import ElementTree

SPACE = "http://www.w3.org/2000/svg"


class Element(str):
    """An element: its SVG text, which remembers the parts it was written from, so that it can be sent as JSON too."""

    name: str
    attributes: dict[str, str]
    content: tuple[str, ...]  # elements, and texts that are escaped already

    __slots__ = ("attributes", "content", "name")

    def __new__(cls, name: str, attributes: Mapping[str, str], content: Iterable[str] = ()) -> "Element":
        inside = tuple(part for part in content if part)
        head = name + "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
        element = super().__new__(cls, f"<{head}>{''.join(inside)}</{name}>" if inside else f"<{head}/>")
        element.name, element.attributes, element.content = name, dict(attributes), inside
        return element

    def to_json(self) -> list[Any]:
        """`["circle", {"r": "5"}]`, followed by the content: such lists, and texts."""
        return [self.name, self.attributes, *(part_to_json(part) for part in self.content)]

    def moved(self, x: float, y: float) -> "Element":
        """The same element so far to the right and down, with its own coordinates changed where it has simple ones."""
        names = {"circle": ("cx", "cy"), "rect": ("x", "y"), "text": ("x", "y")}.get(self.name)
        if names is not None:
            at = [float(self.attributes.get(name, 0)) + by for name, by in zip(names, (x, y), strict=True)]
            changed = dict(zip(names, map(number_text, at), strict=True))
        elif self.name == "polygon":
            corners = (corner.split(",") for corner in self.attributes["points"].split())
            changed = {"points": " ".join(f"{float(a) + x:g},{float(b) + y:g}" for a, b in corners)}
        else:
            changed = {"transform": translation(x, y)}
        return Element(self.name, self.attributes | changed, self.content)

    def without(self, *prefixes: str) -> "Element":
        """The same without the attributes whose names begin so, here and in its content."""
        kept = {key: value for key, value in self.attributes.items() if not key.startswith(prefixes)}
        inside = (part.without(*prefixes) if isinstance(part, Element) else part for part in self.content)
        return Element(self.name, kept, inside)


def part_to_json(part: str) -> list[Any] | str:
    """An element as a list, or a text as it is read."""
    if isinstance(part, Element):
        return part.to_json()
    if "<" in part:
        raise TypeError(f"an element joined to other texts has lost its parts: {part[:80]!r}")
    return unescape(part)


def tag(name: str, *content: str, **attributes: Any) -> Element:
    """An element. Attribute names: `_` for `-`, a trailing `_` dropped (`class_`); None leaves one out."""
    written = {
        key.rstrip("_").replace("_", "-"): number_text(value) for key, value in attributes.items() if value is not None
    }
    return Element(name, written, content)


def number_text(value: Any) -> str:
    """A number with two decimals at most; other values as they are written."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def translation(x: float, y: float) -> str:
    """The transformation that moves an element."""
    return f"translate({number_text(float(x))} {number_text(float(y))})"


def text(content: str, x: float, y: float, **attributes: Any) -> Element:
    """A piece of text, centred on x unless text_anchor says otherwise."""
    return tag("text", escape(content), x=x, y=y, **({"text_anchor": "middle"} | attributes))


def title(content: str) -> Element:
    """What a pointer or a screen reader is told about the element it stands in."""
    return tag("title", escape(content))


def picture(width: float, height: float, *content: str, label: str, style: str = "") -> Element:
    """A whole SVG document, which scales to the width it is given."""
    head = [title(label), tag("style", style) if style else ""]
    return tag("svg", *head, *content, **root(width, height), role="img", aria_label=label)


def root(width: float, height: float) -> dict[str, str]:
    """The attributes that every picture's root has."""
    box = f"0 0 {number_text(float(width))} {number_text(float(height))}"
    return {"xmlns": SPACE, "viewBox": box, "font_family": "system-ui, sans-serif"}


def read(text: str) -> Element:
    """The elements of an SVG text. Spaces between elements are left out; ValueError if it is not SVG."""
    from xml.etree import ElementTree  # rarely needed

    try:
        return _read(ElementTree.fromstring(text))
    except ElementTree.ParseError as error:
        raise ValueError(f"this is not SVG: {error}") from None


def _read(found: "ElementTree.Element") -> Element:
    inside: list[str] = [escape(found.text)] if found.text and found.text.strip() else []
    for child in found:
        inside.append(_read(child))
        if child.tail and child.tail.strip():
            inside.append(escape(child.tail))
    return Element(found.tag.rpartition("}")[2], found.attrib, inside)
