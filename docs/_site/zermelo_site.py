"""Two small things that Sphinx is told: mathematics without scripts, and docstrings as this project writes them."""

from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml


def indented_is_literal(lines: list[str]) -> list[str]:
    """Docstring lines in which every indented block is marked as code, as in Markdown.

    >>> indented_is_literal(["Try", "", "    z.games()"])
    ['Try', '', '::', '', '    z.games()']
    """
    marked: list[str] = []
    inside = False
    for line in lines:
        indented = line.startswith("    ")
        if indented and not inside and (not marked or not marked[-1].strip()):
            marked += ["::", ""]
            inside = True
        elif line.strip() and not indented:
            inside = False
        marked.append(line)
    return marked


def _docstring(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    lines[:] = indented_is_literal(lines)


def _inline_math(writer: Any, node: Any) -> None:
    writer.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def _block_math(writer: Any, node: Any) -> None:
    writer.body.append(tex2mathml(node.astext(), as_block=True))
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", _docstring)
    app.add_html_math_renderer("mathml", (_inline_math, None), (_block_math, None))
    return {"parallel_read_safe": True}
