"""The rooms of the package and what each imports, read from the code: the table in docs/explanation/architecture.md.

`python tools/rooms.py` writes the table again. tests/test_architecture.py fails if the table is out of date.
"""

import ast
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "zermelo"
PAGE = ROOT / "docs" / "explanation" / "architecture.md"
BEGIN, END = "<!-- rooms: written by tools/rooms.py -->\n", "<!-- end of rooms -->\n"


def rooms() -> list[str]:
    """The names of the rooms: the folders and modules at the top of the package."""
    found = [path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()]
    return sorted(found + [file.stem for file in PACKAGE.glob("[!_]*.py")])


def files_of(room: str) -> list[Path]:
    """The modules of a room."""
    folder = PACKAGE / room
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]


def imported(file: Path) -> set[str]:
    """The full names of our own modules that a file imports, at its top or inside a function."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "zermelo":
            found |= {f"zermelo.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("zermelo."):
            found.add(str(node.module))
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.startswith("zermelo.")}
    return found


def graph() -> dict[str, set[str]]:
    """Each room with the other rooms that it imports."""
    known = set(rooms())
    return {
        room: {name.split(".")[1] for file in files_of(room) for name in imported(file)} & (known - {room})
        for room in known
    }


def cross_imports() -> int:
    """The number of imports from one room into another."""
    return sum(name.split(".")[1] != room for room in rooms() for file in files_of(room) for name in imported(file))


def from_below() -> list[str]:
    """The rooms in an order in which each imports only earlier ones. It is an error if there is no such order."""
    left, order = graph(), []
    while left:
        free = sorted(room for room, others in left.items() if not others & set(left))
        if not free:
            raise SystemExit(f"these import each other: {', '.join(sorted(left))}")
        order += free
        for room in free:
            del left[room]
    return order


def about(room: str) -> str:
    """The first sentence of a room's docstring, which describes it."""
    folder = PACKAGE / room
    file = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return text.split("\n\n")[0].replace("\n", " ").replace("|", "\\|")


def table() -> str:
    """The table of the rooms in Markdown, from the lowest to the highest."""
    links = graph()
    rows = ["| room | what is in it | modules | imports |", "|---|---|---:|---|"]
    for room in from_below():
        name = f"`{room}/`" if (PACKAGE / room).is_dir() else f"`{room}.py`"
        others = ", ".join(sorted(links[room])) or "nothing of ours"
        rows.append(f"| {name} | {about(room)} | {len(files_of(room))} | {others} |")
    return "\n".join(rows) + "\n"


def page(text: str) -> str:
    """The text of the page, with an up-to-date table."""
    head, _, rest = text.partition(BEGIN)
    return head + BEGIN + "\n" + table() + "\n" + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"{len(rooms())} parts, {cross_imports()} imports from one into another")
