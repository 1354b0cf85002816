"""Small extensions of Sphinx: mathematics without scripts, docstrings and help texts as we write them."""

import base64
import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.addnodes import desc_name, desc_signature

import zermelo
from zermelo.games.how_to_play import Part, how_to_play
from zermelo.language import speaking

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


class HowToPlayDirective(Directive):
    """How a game is played: the text of its folder, with its pictures, and its lessons as lists of moves."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        with speaking("en"):
            found: list[nodes.Node] = []
            for part in how_to_play(zermelo.game(self.arguments[0]), "en").parts:
                found += self._text(part.text.replace("## ", "### ")) if part.kind == "text" else self._drawn(part)
        return found

    def _text(self, text: str) -> list[nodes.Node]:
        holder = nodes.container()
        self.state.nested_parse(StringList(text.split("\n"), source="help"), 0, holder, match_titles=True)
        return holder.children

    def _drawn(self, part: Part) -> list[nodes.Node]:
        assert part.position is not None
        data = base64.b64encode(part.position.svg().encode()).decode()
        label = escape(part.text or part.position.label)
        picture = f'<p><img alt="{label}" style="max-width: 18em" src="data:image/svg+xml;base64,{data}"></p>'
        told = [part.text] if part.text else []
        for number, step in enumerate(part.steps, 1):
            moves = ", ".join(f"`{move}`" for move in step.moves[:4])
            replies = "".join(f" The opponent replies `{reply}`." for reply in step.replies)
            told.append(f"{number}. {step.ask} ({moves}) {step.said}{replies}")
        return [nodes.raw("", picture, format="html"), *self._text("\n".join(told))]


def _inline_math(writer: Any, node: Any) -> None:
    writer.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def _block_math(writer: Any, node: Any) -> None:
    writer.body.append(tex2mathml(node.astext(), as_block=True))
    raise nodes.SkipNode


FRONT_BOARD = "connect4-exact"
"""The board to which the picture on the front page leads."""


def board_of(page: str, name: str, folder: Path) -> str | None:
    """The address of a published board from a page; None if `make docs` has not published it, into play/."""
    address = "../" * page.count("/") + f"play/{name}/index.html"
    return address if (folder / "play" / name / "index.html").exists() else None


def _playable(app: Any, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """A page whose name a published board has links to it, and so does the picture on the front page."""
    board = board_of(page, FRONT_BOARD if page == "index" else page.rpartition("/")[2], Path(app.outdir))
    if board is None or "body" not in context:
        return
    if page == "index":
        context["body"] = re.sub(
            r"<img [^>]*>", rf'<a class="board" href="{board}">\g<0></a>', context["body"], count=1
        )
    else:
        link = f'<p class="play"><a href="{board}">Play it here, in your browser</a></p>'
        context["body"] = context["body"].replace("</h1>", f"</h1>\n{link}", 1)


class PlayableDirective(Directive):
    """A published board within the text of a page. Where it has not been published, there is nothing."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        environment = self.state.document.settings.env
        board = board_of(environment.docname, self.arguments[0], Path(environment.app.outdir))
        if board is None:
            return []
        title = escape(" ".join(self.content))
        frame = f'<iframe class="board" src="{board}" title="{title}" loading="lazy"></iframe>'
        return [nodes.raw("", f"{frame}\n<p>{title}</p>", format="html")]


def setup(app: Any) -> dict[str, bool]:
    app.connect("html-page-context", _playable)
    app.connect("autodoc-process-docstring", _docstring)
    app.connect("object-description-transform", _public_name)
    app.connect("sphinx-click-process-description", _help)
    app.add_directive("how-to-play", HowToPlayDirective)
    app.add_directive("playable", PlayableDirective)
    app.add_html_math_renderer("mathml", (_inline_math, None), (_block_math, None))
    return {"parallel_read_safe": True}
