"""Scripts in one: browsers load no module scripts from files, so ES modules become one classic script.

The scripts of a page without a server are here, in `static/`; those that it shares with the lab are in web/static/js. A
name that both folders have is found here first: `language.js` has all languages inside, for example.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from zermelo.errors import PublishError

OWN = Path(__file__).parent / "static"
LAB = Path(__file__).parent.parent / "web" / "static"
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w/]+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async function|function|const|let|class)\b)", re.MULTILINE)
EXPORTED = re.compile(r"^export (?:async function\*?|function\*?|const|let|class)\s+([\w$]+)", re.MULTILINE)
LIST = re.compile(r"^export \{([^}]*)\};?$", re.MULTILINE)
OTHER = re.compile(r"^(?:import|export)\b.*|^(?:const|let) [^=]*= await ", re.MULTILINE)
SAID = re.compile(r'\bt\("((?:[^"\\]|\\.)*)"')


def source_of(name: str) -> str:
    """The text of a script, ours or the lab's."""
    for folder in (OWN, LAB / "js"):
        file = folder / f"{name}.js"
        if file.exists():
            return file.read_text(encoding="utf-8")
    raise PublishError("the script {name}.js is missing: install zermelo again", name=name)


def bundle(entry: str, made: Mapping[str, str] | None = None) -> str:
    """A classic script that does what the module does, and all modules that it imports; made: modules not in files."""
    return f"{_together(entry, made)};\n"


def module_bundle(entry: str, made: Mapping[str, str] | None = None) -> str:
    """One ES module whose default export has what the module `entry` exports; as bundle otherwise."""
    return f"export default {_together(entry, made)};\n"


def _together(entry: str, made: Mapping[str, str] | None) -> str:
    """An expression that runs all modules; its value has what `entry` exports."""
    written: dict[str, str] = {}

    def add(name: str) -> None:
        if name in written:
            return
        text = (made or {}).get(name) or source_of(name)
        written[name] = ""  # in the making
        for _names, other in IMPORT.findall(text):
            add(other)
        del written[name]
        written[name] = _module(name, text)

    add(entry)
    parts = [f"const {_variable(name)} = (() => {{\n{text}}})();" for name, text in written.items()]
    return '(() => {\n"use strict";\n' + "\n".join(parts) + f"\nreturn {_variable(entry)};\n}})()"


def _variable(name: str) -> str:
    return f"module_{name.replace('/', '_')}"


def _module(name: str, text: str) -> str:
    exported = EXPORTED.findall(text)
    for names in LIST.findall(text):
        exported += [one.strip() for one in names.split(",") if one.strip()]
    text = LIST.sub("", EXPORT.sub("", text))
    text = IMPORT.sub(lambda found: _import(found[1], found[2]), text)
    other = OTHER.search(text)
    if other:
        raise PublishError("{name}.js cannot be part of one script: {line}", name=name, line=other[0][:80])
    return f"{text}\nreturn {{{', '.join(exported)}}};\n"


def _import(names: str, module: str) -> str:
    parts = [one.strip().replace(" as ", ": ") for one in names.split(",") if one.strip()]
    return f"const {{{', '.join(parts)}}} = {_variable(module)};\n"


def said_in(script: str) -> set[str]:
    """The texts that a script translates."""
    return {found.replace('\\"', '"') for found in SAID.findall(script)}
