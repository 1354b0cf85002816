"""Writing a site: completely or not at all, and never over what somebody else wrote."""

import contextlib
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from zermelo.errors import PublishError
from zermelo.files.folders import make_folder
from zermelo.files.whole import BAD_JSON, cannot_write
from zermelo.publish.sites import MADE_BY, MARK

UNREADABLE: tuple[type[Exception], ...] = (OSError, KeyError, TypeError, *BAD_JSON)


def check_file(file: Path) -> None:
    """PublishError if a file cannot be written there, because it is a folder or its folder is missing."""
    if file.is_dir():
        raise PublishError("{file} is a folder; with --single-file, name the HTML file to write", file=file)
    if not file.parent.is_dir():
        raise PublishError("{file}: there is no folder {folder}", file=file, folder=file.parent)


def check_folder(folder: Path) -> None:
    """PublishError if the folder holds anything but a site that was published before."""
    if folder.is_file():
        raise PublishError("{folder} is a file, and a site is a folder", folder=folder)
    if folder.is_dir() and any(folder.iterdir()) and former_files(folder) is None:
        raise PublishError(
            "{folder} is not empty, and what is in it was not written by zermelo publish; choose another folder",
            folder=folder,
        )


def former_files(folder: Path) -> list[str] | None:
    """The files of the site in a folder; None if there is none."""
    try:
        found = json.loads((folder / MARK).read_text(encoding="utf-8"))
        files = [str(one) for one in found["files"]] if found["made_by"] == MADE_BY else None
    except UNREADABLE:
        return None
    return files


def write_site(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files of a site. A former site in the folder is replaced; other files in it stay."""
    check_folder(folder)
    former = former_files(folder) or []
    make_folder(folder.parent)
    part = folder.with_name(f".{folder.name}.{os.getpid()}.part")
    try:
        for path, data in files.items():
            target = part / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        if not folder.exists():
            part.rename(folder)
            return
        for path in sorted(files, key=lambda one: one == MARK):  # the list of files comes last
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (part / path).replace(folder / path)
        for path in set(former) - set(files):
            _remove(folder, path)
    except OSError as error:
        raise cannot_write(folder, error) from None
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _remove(folder: Path, path: str) -> None:
    """Remove a file of a former site, and its folder if that is empty now; never a file outside of the folder."""
    target = folder / path
    if ".." in Path(path).parts or Path(path).is_absolute():
        return
    with contextlib.suppress(OSError):
        target.unlink()
        if target.parent != folder:
            target.parent.rmdir()
