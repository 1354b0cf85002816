"""Where the user's own things are kept: games, tournaments, opening books."""

import os
from pathlib import Path

from numba.misc.appdirs import AppDirs


def data_folder() -> Path:
    """ZERMELO_DATA_DIR, or the user's data folder."""
    chosen = os.environ.get("ZERMELO_DATA_DIR")
    return Path(chosen) if chosen else Path(AppDirs(appname="zermelo", appauthor=False).user_data_dir)
