"""The script and the style of the widgets: the lab's own board and tree modules, bundled as they are."""

import functools
import json
import re
from pathlib import Path

from zermelo.language import gettext, speaking
from zermelo.publish.bundling import LAB, module_bundle, said_in

OWN = Path(__file__).parent / "static"
COLOURS = re.compile(
    r"^:root \{.*?^\}\n|^@media \(prefers-color-scheme: dark\) \{\n  :root \{.*?^\}\n", re.MULTILINE | re.DOTALL
)
OF_BOARDS = re.compile(r"(@media [^{]*\{ )?\.board\b.*\}$")
LANGUAGE = """\
const words = {words};

export const language = {language};

export function t(text, parts = {{}}) {{
  return (words[text] ?? text).replace(/\\{{(\\w+)\\}}/g, (whole, name) => parts[name] ?? whole);
}}
"""


@functools.cache
def script(language: str) -> str:
    """The ES module of the widgets, with its texts in this language."""
    entry = (OWN / "widget.js").read_text(encoding="utf-8")
    said = said_in(module_bundle("widget", {"widget": entry, "language": LANGUAGE.format(words="{}", language='"en"')}))
    with speaking(language):
        words = json.dumps({text: gettext(text) for text in sorted(said)}, ensure_ascii=False)
    made = LANGUAGE.format(words=words, language=json.dumps(language))
    return module_bundle("widget", {"widget": entry, "language": made})


@functools.cache
def style() -> str:
    """The style of the widgets: the lab's colours and its rules for boards and trees, only inside a widget."""
    lab = (LAB / "css" / "lab.css").read_text(encoding="utf-8")
    colours = [found.replace(":root", "&") for found in COLOURS.findall(lab)]
    rules = [line for line in lab.splitlines() if OF_BOARDS.match(line)]
    trees = (LAB / "css" / "trees.css").read_text(encoding="utf-8")
    inside = "\n".join([*colours, *rules, trees])
    moving = "\n".join(line for line in lab.splitlines() if line.startswith("@keyframes"))
    return f".zermelo-widget {{\n{inside}\n}}\n{moving}\n{(OWN / 'widget.css').read_text(encoding='utf-8')}"
