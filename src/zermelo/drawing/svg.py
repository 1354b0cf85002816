"""Writing SVG: elements from Python values, escaped once, here."""

from html import escape
from typing import Any


def tag(name: str, *content: str, **attributes: Any) -> str:
    """An element. Attribute names: `_` for `-`, a trailing `_` dropped (`class_`); None leaves one out."""
    written = [
        f' {key.rstrip("_").replace("_", "-")}="{escape(_number(value))}"'
        for key, value in attributes.items()
        if value is not None
    ]
    inside = "".join(content)
    return f"<{name}{''.join(written)}>{inside}</{name}>" if inside else f"<{name}{''.join(written)}/>"


def _number(value: Any) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def text(content: str, x: float, y: float, **attributes: Any) -> str:
    """A piece of text, centred on x unless text_anchor says otherwise."""
    return tag("text", escape(content), x=x, y=y, **({"text_anchor": "middle"} | attributes))


def title(content: str) -> str:
    """What a pointer or a screen reader is told about the element it stands in."""
    return f"<title>{escape(content)}</title>"


def picture(width: float, height: float, *content: str, label: str, style: str = "") -> str:
    """A whole SVG document, which scales to the width it is given."""
    head = title(label) + (tag("style", style) if style else "")
    return tag(
        "svg",
        head,
        *content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_number(float(width))} {_number(float(height))}",
        role="img",
        aria_label=label,
        font_family="system-ui, sans-serif",
    )
