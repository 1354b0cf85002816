"""Small extensions of Sphinx: mathematics without scripts, docstrings and help texts as we write them."""

from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.addnodes import desc_name, desc_signature

import zermelo

PUBLIC = {f"zermelo.{home.replace(':', '.')}": name for name, home in zermelo._HOME.items()}
"""Where a thing is written -> what users call it."""


def indented_is_literal(lines: list[str]) -> list[str]:
    """Docstring lines in which every indented block is marked as code, as in Markdown.

    >>> indented_is_literal(["Try", "", "    z.catalogue()"])
    ['Try', '', '::', '', '    z.catalogue()']
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


def examples_are_literal(lines: list[str]) -> list[str]:
    """The help of a command in which every block of lines kept as they are (`| ...`) is marked as code.

    >>> examples_are_literal(["Try", "", "| zermelo games"])
    ['Try', '', '::', '', '    zermelo games']
    """
    marked: list[str] = []
    for number, line in enumerate(lines):
        if line.startswith("| "):
            if number == 0 or not lines[number - 1].startswith("| "):
                marked += ["::", ""]
            line = f"    {line[2:]}"
        marked.append(line)
    return marked


def _docstring(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    lines[:] = indented_is_literal(lines)


def _help(app: Any, context: Any, lines: list[str]) -> None:
    lines[:] = examples_are_literal(lines)


def _public_name(app: Any, domain: str, kind: str, content: Any) -> None:
    """A thing stands under the name that users have for it: alphabeta, not AlphaBetaPlayer."""
    for signature in content.parent.findall(desc_signature):
        public = PUBLIC.get(f"{signature.get('module')}.{signature.get('fullname')}")
        for name in signature.findall(desc_name):
            name.children = [nodes.Text(public or name.astext())]


def _inline_math(writer: Any, node: Any) -> None:
    writer.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def _block_math(writer: Any, node: Any) -> None:
    writer.body.append(tex2mathml(node.astext(), as_block=True))
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", _docstring)
    app.connect("object-description-transform", _public_name)
    app.connect("sphinx-click-process-description", _help)
    app.add_html_math_renderer("mathml", (_inline_math, None), (_block_math, None))
    return {"parallel_read_safe": True}
