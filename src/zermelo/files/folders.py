"""Where the user's own games, tournaments and opening books are kept."""

import os
from pathlib import Path

from zermelo.errors import FileError


def data_folder() -> Path:
    """The folder that ZERMELO_DATA_DIR names, or else the user's data folder."""
    import platformdirs  # only when a folder is asked for

    chosen = os.environ.get("ZERMELO_DATA_DIR")
    return Path(chosen) if chosen else platformdirs.user_data_path("zermelo", appauthor=False)


def make_folder(path: Path) -> None:
    """Make a folder and those above it, unless they exist."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError("{path}: the folder cannot be created: {reason}", path=path, reason=error.strerror) from None
