"""What reading a damaged file raises: Python's, NumPy's and Arrow's readers have many ways to say that it is one."""

import lzma
import struct
import zipfile
import zlib

DAMAGED: tuple[type[Exception], ...] = (
    ValueError,  # also what JSON, TOML, Unicode, NumPy and Arrow raise most often
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    EOFError,
    NotImplementedError,  # a ZIP file that names another compression
    RuntimeError,  # one that says it is encrypted; RecursionError: lists in lists in lists
    OverflowError,
    MemoryError,  # an array of 2^60 numbers, its header says
    struct.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
    zlib.error,
)

BAD_JSON: tuple[type[Exception], ...] = (ValueError, RecursionError)
"""What text raises that is no JSON or TOML; ValueError alone is not enough: lists may be in lists without end."""
