from __future__ import annotations

import os
import stat

from whence._core import limits
from whence._process.start_time import process_started_at

#: A file that changed since then isn't the code that runs. A forked process runs its parent's.
_started_at = process_started_at()


class SourceFiles:
    """The lines of the program's own files, as they are on disk. Reads files: not for callers."""

    def __init__(self) -> None:
        self._files: dict[str, list[str] | None] = {}

    def lines_of(self, file: str) -> list[str] | None:
        """Return the lines of a file; None when it can't be read or isn't what runs."""
        if file in self._files:
            return self._files[file]
        if len(self._files) >= limits.SOURCE_FILES_CACHED_MAX:
            self._files.clear()
        lines = _read(file)
        self._files[file] = lines
        return lines


def read_text(
    file: str, bytes_max: int, *, is_code: bool = True, is_whole: bool = False
) -> str | None:
    """Return the text of a file; None when it can't be read, is larger, or isn't what runs.

    A whole file isn't taken either if it was put in the place of another since the start: its
    content may be older.
    """
    try:
        found = os.stat(file)  # noqa: PTH116 - pathlib takes long to import
        if not stat.S_ISREG(found.st_mode) or found.st_size > bytes_max:
            return None
        changed_at = max(found.st_mtime, found.st_ctime) if is_whole else found.st_mtime
        if changed_at > _started_at + limits.LATE_WRITE_S:
            return None
        encoding = _encoding(file) if is_code else "utf-8-sig"
        with open(file, encoding=encoding, errors="replace") as source:  # noqa: PTH123
            return source.read(bytes_max)
    except (OSError, LookupError, ValueError, SyntaxError):
        return None


def _read(file: str) -> list[str] | None:
    if not file.endswith((".py", ".pyw")):
        return None
    text = read_text(file, limits.SOURCE_FILE_BYTES_MAX)
    return None if text is None else text.split("\n")


def _encoding(file: str) -> str:
    """Return the declared encoding, which :mod:`tokenize` reads; it is loaded only if needed."""
    with open(file, "rb") as source:  # noqa: PTH123
        head = source.readline(200) + source.readline(200)
    if b"coding" not in head and not head.startswith(b"\xef\xbb\xbf"):
        return "utf-8"
    import tokenize

    with open(file, "rb") as source:  # noqa: PTH123
        return tokenize.detect_encoding(source.readline)[0]
