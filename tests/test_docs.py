"""Every code block of the README and the docs runs and prints what the page shows.

python    run; if the first line is `# name.py` or `# folder/name.py`, also written to that file, for later blocks;
          only written if the folder is `handed-in`: such files need the modules of a course, which the lab provides
pycon     run as a doctest
console   each `$ command` runs; `...` in its output stands for anything; `# fails` after it: its status is not 0
toml      written to my-tree.toml, or to the file that its first line names: `# cup.toml`
json      each line is JSON
"""

import ast
import doctest
import io
import json
import os
import re
import shlex
from pathlib import Path

import pytest

import started
from zermelo.core import JIT
from zermelo.language import speaking

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", ROOT / "README.es.md", *(ROOT / "docs").rglob("*.md")])
LINKED = sorted({*PAGES, *ROOT.glob("*.md"), *(ROOT / "examples").rglob("README.md"), ROOT / "bench" / "README.md"})
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
CHECKER = doctest.OutputChecker()
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

pytestmark = pytest.mark.skipif(not JIT, reason="the docs show compiled code")


def write_named(text, folder, otherwise=None):
    """Write a block to the file that its first line names, or to another if it names none."""
    named = re.match(r"# ([\w/-]+\.(?:py|toml))\n", text)
    name = named[1] if named else otherwise
    if name:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)


def run_python(text, namespace, folder):
    write_named(text, folder)
    if text.startswith("# handed-in/"):
        return
    # From a file, as a user's code is: explanations of errors show its lines.
    file = folder / f"block{len(list(folder.iterdir()))}.py"
    file.write_text(text)
    exec(compile(text, str(file), "exec"), namespace)


def run_pycon(text, namespace, page):
    test = doctest.DocTestParser().get_doctest(text, namespace, page.name, str(page), 0)
    failures = []
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=failures.append, clear_globs=False)
    namespace.update(test.globs)
    assert not failures, "".join(failures)


def language_of(page):
    """README.es.md is Spanish, and so is what its blocks print."""
    return page.suffixes[0].removeprefix(".") if len(page.suffixes) > 1 else "en"


def commands_of(text):
    """The commands of a block, and what each prints."""
    return [part.partition("\n")[::2] for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]]


def run_console(text, folder, language):
    for command, expected in commands_of(text):
        fails = command.endswith("# fails")
        words = shlex.split(command.removesuffix("# fails"))
        assert words[0].endswith("zermelo"), f"only zermelo itself can be tested: {command}"
        environment = os.environ | {"COLUMNS": "100", "ZERMELO_LANG": language}
        done = started.run(words[1:], cwd=folder, env=environment)
        assert (done.returncode != 0) == fails, done.stderr
        printed = re.sub(r"compiling .*\n", "", done.stderr) if fails else done.stdout
        assert CHECKER.check_output(expected, printed, FLAGS), f"{command}\n{printed}"


TRANSLATED = [page for page in PAGES if language_of(page) != "en"]


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=[pytest.mark.slow] if page in TRANSLATED else []) for page in PAGES],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_every_block_runs(page, tmp_path, monkeypatch):
    """The blocks of translated pages run only in the long tests; the next two tests are about them, too."""
    folder = tmp_path
    monkeypatch.chdir(folder)
    monkeypatch.setattr("sys.stdin", io.StringIO())  # engines that wait for questions get none
    namespace = {"__name__": "docs"}
    for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind == "python":
            run_python(text, namespace, folder)
        elif kind == "pycon":
            with speaking(language_of(page)):
                run_pycon(text, namespace, page)
        elif kind == "console":
            run_console(text, folder, language_of(page))
        elif kind == "toml":
            write_named(text, folder, otherwise="my-tree.toml")
        elif kind == "json":
            assert all(json.loads(line) for line in text.splitlines())
        else:
            pytest.fail(f"a block of {kind}: say here how to test it")


def without_words(kind, text):
    """A block as it is in every language: its code without docstrings and comments, or its commands."""
    if kind == "python":
        tree = ast.parse(text)
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)) and ast.get_docstring(node):
                node.body = node.body[1:]
        return ast.unparse(tree)
    if kind == "toml":
        return text
    if kind == "pycon":
        examples = doctest.DocTestParser().get_examples(text)
        return [example.source for example in examples]
    return [command for command, _ in commands_of(text)]


@pytest.mark.parametrize("page", TRANSLATED, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_translated_page_has_the_same_blocks(page):
    """Not all of them, but what it has is the same but for words."""
    original = page.with_name(page.name.replace(f".{language_of(page)}.", "."))
    mine, theirs = (
        [without_words(kind, text) for kind, text in BLOCK.findall(one.read_text(encoding="utf-8"))]
        for one in (page, original)
    )
    assert mine == [block for block in theirs if block in mine]
    assert len(mine) >= len(theirs) - 1


@pytest.mark.parametrize("page", TRANSLATED, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_translated_page_prints(page, tmp_path):
    """Of the commands, those that need no file of the page, for such files must be compiled."""
    for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        for command, printed in commands_of(text) if kind == "console" else ():
            if not re.search(r"\.py|handed-in|\.toml", command):
                run_console(f"$ {command}\n{printed}", tmp_path, language_of(page))


@pytest.mark.parametrize("page", LINKED, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#]+)", text) + re.findall(r'src="([^"]+)"', text)
    for target in targets:
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_the_pictures_are_those_the_project_draws(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    from make_pictures import IMAGES, pictures

    for name, text in pictures().items():
        assert (IMAGES / name).read_text(encoding="utf-8") == text + "\n", f"draw it again: {name}"
