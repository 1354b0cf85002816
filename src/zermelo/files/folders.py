"""Where the user's own things are kept: games, tournaments, opening books."""

import os
from pathlib import Path

import platformdirs

from zermelo.errors import FileError
from zermelo.language import _


def data_folder() -> Path:
    """ZERMELO_DATA_DIR, or the user's data folder."""
    chosen = os.environ.get("ZERMELO_DATA_DIR")
    return Path(chosen) if chosen else platformdirs.user_data_path("zermelo", appauthor=False)


def make_folder(path: Path) -> None:
    """Make a folder and those above it, unless they are there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(_("{path}: cannot be made: {reason}").format(path=path, reason=error.strerror)) from None
