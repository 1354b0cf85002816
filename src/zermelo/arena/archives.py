"""The files of a submission: names, sizes, text, and ZIP files. Nothing is ever executed here, or even parsed.

Python's own parser can be brought down by a file of a few kilobytes that is nested deeply enough, so a submission is
parsed only inside the sandbox.
"""

import io
import stat
import unicodedata
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from zermelo.errors import ZermeloError
from zermelo.files.whole import DAMAGED

MOST_FILES = 30
LONGEST_PATH = 100
DEEPEST = 4
"""How many folders may stand above a file."""
COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The others are read in pieces whose size cannot be limited."""
JUNK = ("__MACOSX", "__pycache__", ".git", ".ipynb_checkpoints", ".DS_Store", "Thumbs.db", "desktop.ini", ".vscode")
"""What programs add to folders by themselves. It is left out without a word."""


class TooLargeError(ZermeloError):
    """A submission is larger than the arena allows."""

    http_status = 413


def too_large(most_bytes: int) -> TooLargeError:
    return TooLargeError(
        "this is too large: all files of a submission together may have {most:,} bytes", most=most_bytes
    )


def texts_in(name: str, data: bytes, most_bytes: int) -> dict[str, str]:
    """The texts of a file that was handed in, by path: one Python file, or the Python files of a ZIP file."""
    if len(data) > most_bytes:
        raise too_large(most_bytes)
    if data[:4] in (b"PK\x03\x04", b"PK\x05\x06") or name.lower().endswith(".zip"):
        return checked_texts(_unpacked(name, data, most_bytes), most_bytes)
    return checked_texts({name: data}, most_bytes)


def checked_texts(files: Mapping[str, str | bytes], most_bytes: int) -> dict[str, str]:
    """The files as texts with clean names; ZermeloError says what is wrong with which file.

    Line endings become those of Unix, and a mark of UTF-8 at the beginning is dropped. Nothing else is changed.
    """
    found: dict[str, str] = {}
    left = most_bytes
    for name, content in files.items():
        path = clean_path(name)
        if JUNK_PARTS.intersection(PurePosixPath(path).parts):
            continue
        if not path.endswith(".py"):
            raise ZermeloError("{name}: only Python files (.py), or a ZIP file of them, can be handed in", name=path)
        text = _text(path, content)
        left -= len(text.encode())
        if left < 0:
            raise too_large(most_bytes)
        if path.casefold() in {known.casefold() for known in found}:
            raise ZermeloError("{name}: there are two files of this name", name=path)
        if len(found) == MOST_FILES:
            raise ZermeloError("a submission may have at most {most} files", most=MOST_FILES)
        found[path] = text
    if not any(text.strip() for text in found.values()):
        raise ZermeloError("there is nothing in this submission: it needs a Python file (.py) with some code")
    return _without_common_folder(found)


JUNK_PARTS = frozenset(JUNK)


def clean_path(name: str) -> str:
    """The path of a file below the folder of its submission; ZermeloError if it leads elsewhere or is odd."""
    path = unicodedata.normalize("NFC", name[:10_000].replace("\\", "/"))
    parts = [part for part in path.split("/") if part not in ("", ".")]
    shown = "".join(letter if letter.isprintable() else "?" for letter in path)[:LONGEST_PATH]
    if not parts or path.startswith("/") or ".." in parts or any(":" in part for part in parts):
        raise ZermeloError("{name!r} is not the name of a file inside the submission", name=shown)
    if not all(letter.isprintable() and letter not in '"<>|*?' for letter in path):
        raise ZermeloError("{name!r}: rename the file; its name contains characters that cannot be used", name=shown)
    if len(path.encode()) > LONGEST_PATH or len(parts) > DEEPEST + 1 or any(part.startswith("-") for part in parts):
        raise ZermeloError("{name!r}: rename the file; its name is too long, or begins with a dash", name=shown)
    return "/".join(parts)


def main_file(texts: Mapping[str, str], wanted: str | None = None) -> str:
    """The file that contains the player: the only one, the one asked for, main.py, or the only one not in a folder."""
    if wanted is not None and (path := clean_path(wanted)) in texts:
        return path
    outside = [path for path in texts if "/" not in path and path != "__init__.py"]
    for choice in (list(texts), [path for path in outside if path == "main.py"], outside):
        if len(choice) == 1:
            return choice[0]
    raise ZermeloError(
        "it is not clear which file contains your player: {names}; call that one main.py", names=", ".join(texts)
    )


def _text(path: str, content: str | bytes) -> str:
    if isinstance(content, bytes):
        try:
            content = content.decode()
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            raise ZermeloError(
                "{name}, line {line}: this is not text in UTF-8; save the file with that encoding", name=path, line=line
            ) from None
    content = content.removeprefix("\ufeff")
    if "\0" in content or any("\ud800" <= letter <= "\udfff" for letter in content):
        raise ZermeloError("{name}: this is not a text file", name=path)
    return content.replace("\r\n", "\n").replace("\r", "\n")


def _unpacked(name: str, data: bytes, most_bytes: int) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    left = most_bytes
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in _members(archive):
                with archive.open(member) as file:
                    content = file.read(left + 1)
                left -= len(content)
                if left < 0:
                    raise too_large(most_bytes)
                if member.filename in found:
                    raise ZermeloError("{name}: there are two files of this name", name=member.filename)
                found[member.filename] = content
    except ZermeloError:
        raise
    except DAMAGED as error:
        raise ZermeloError("{name}: this ZIP file is damaged: {error}", name=clean_path(name), error=error) from None
    return found


def _members(archive: zipfile.ZipFile) -> Iterator[zipfile.ZipInfo]:
    """The files in an archive, without folders and junk."""
    for member in archive.infolist():
        if member.is_dir() or JUNK_PARTS.intersection(member.filename.replace("\\", "/").split("/")):
            continue
        name = clean_path(member.filename)
        kind = stat.S_IFMT(member.external_attr >> 16)
        if kind not in (0, stat.S_IFREG):
            raise ZermeloError("{name}: this is a link, not a file; put the file itself into the ZIP file", name=name)
        if member.flag_bits & 1:
            raise ZermeloError("{name}: the ZIP file has a password; make one without", name=name)
        if member.compress_type not in COMPRESSIONS:
            raise ZermeloError(
                "{name}: this kind of compression is not supported; make an ordinary ZIP file", name=name
            )
        yield member


def _without_common_folder(texts: dict[str, str]) -> dict[str, str]:
    """The same files without the folder in which all of them are, as in the ZIP file of a folder."""
    first = {path.partition("/")[0] for path in texts}
    if len(first) == 1 and all("/" in path for path in texts) and f"{min(first)}/__init__.py" not in texts:
        return {path.partition("/")[2]: text for path, text in texts.items()}
    return texts
