from __future__ import annotations

import os
import stat
import sys
import time

from whence._core import limits
from whence._core.trim_event import to_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from whence._core.event import Json

_SUFFIX = ".pyspool"


class Spool:
    """Unsent events on disk, in a file of this process, which its next start sends if it can't.

    The folder belongs to this user alone. A file's first line is the batch's header; each further
    line is one event, so an incomplete one at the end affects no other.
    """

    def __init__(
        self, folder: str, service: tuple[str, ...], header: Callable[[], Mapping[str, Json]]
    ) -> None:
        self.folder = folder
        self.errors = 0
        self._header = header
        self._service = service
        self._names: tuple[str, str] | None = None
        self._file: int | None = None
        self._path = ""
        self._bytes = 0
        self._retry_at = 0.0

    @property
    def _own_names(self) -> tuple[str, str]:
        """Whose events a file holds, and the machine on which its process runs."""
        if self._names is None:
            import hashlib

            group = hashlib.sha256(to_json(self._service)).hexdigest()[:16]
            self._names = group, hashlib.sha256(_machine().encode()).hexdigest()[:8]
        return self._names

    def append(self, event: bytes) -> None:
        """Write one event. A disk that takes none is tried again later."""
        if time.monotonic() < self._retry_at:
            return
        if self._bytes + len(event) > limits.SPOOL_FILE_BYTES_MAX:
            return
        try:
            file = self._file if self._file is not None else self._open()
            self._bytes += os.write(file, event + b"\n")
        except OSError:
            self.errors += 1
            self._retry_at = time.monotonic() + limits.SPOOL_RETRY_S
            self._close()

    def clear(self) -> None:
        """Delete this process's file: all of its events were sent."""
        if self._file is None:
            return
        self._close()
        _unlink(self._path)

    def touch(self) -> None:
        """Show others that this process lives."""
        if self._file is not None:
            try:
                os.utime(self._path)
            except OSError:
                # Someone deleted it: what it held can be written again only by a new file.
                self._close()

    def leave_to_parent(self) -> None:
        """Let go of the file that a forked process has inherited."""
        self._close()
        self._bytes = 0

    def abandoned(self) -> list[str]:
        """Return files of this service whose process is gone, each now held by this one."""
        result: list[str] = []
        try:
            found = sorted(os.scandir(self.folder), key=lambda entry: entry.name)
        except OSError:
            return []
        now = time.time()
        bytes_kept = 0
        for count, entry in enumerate(found):
            parts = entry.name.split(".")
            if not entry.name.endswith(_SUFFIX) or len(parts) != 5:  # noqa: PLR2004
                continue
            try:
                info = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            bytes_kept += info.st_size
            age = now - info.st_mtime
            if not self._is_abandoned(parts[1], parts[2], age):
                continue
            is_too_much = count >= limits.SPOOL_FILES_MAX or bytes_kept > limits.SPOOL_BYTES_MAX
            if age > limits.SPOOL_AGE_MAX_S or is_too_much:
                _unlink(entry.path)
            elif parts[0] == self._own_names[0]:
                claimed = self._claimed(entry.path, parts)
                if claimed is not None:
                    result.append(claimed)
        return result

    def _claimed(self, path: str, parts: list[str]) -> str | None:
        mine = f"{parts[0]}.{self._own_names[1]}.{os.getpid()}.{parts[3]}{_SUFFIX}"
        claimed = os.path.join(self.folder, mine)  # noqa: PTH118
        try:
            os.utime(path)
            os.rename(path, claimed)  # noqa: PTH104
        except OSError:
            # Another process was first.
            return None
        return claimed

    def _is_abandoned(self, host: str, pid: str, age: float) -> bool:
        if host == self._own_names[1] and pid.isdigit():
            return int(pid) != os.getpid() and not _is_alive(int(pid))
        return age > limits.SPOOL_STALE_S

    def _open(self) -> int:
        _prepare(self.folder)
        header = self._header()
        group, host = self._own_names
        name = f"{group}.{host}.{os.getpid()}.{header['instance']}{_SUFFIX}"
        self._path = os.path.join(self.folder, name)  # noqa: PTH118
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        self._file = os.open(self._path, flags, 0o600)
        self._bytes = os.write(self._file, to_json(header) + b"\n")
        return self._file

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            os.close(file)


def default_folder(temporary: str | None) -> str:
    """Return the folder of this user in the system's temporary folder."""
    if temporary is None:
        import tempfile

        temporary = "/tmp" if sys.platform != "win32" else tempfile.gettempdir()  # noqa: S108
    user = os.getuid() if sys.platform != "win32" else "user"
    return os.path.join(temporary, f"whence-spool-{user}")  # noqa: PTH118


def read_spool(path: str) -> tuple[dict[str, Json], list[bytes]] | None:
    """Return the header and events of a file; None when it holds none."""
    import json

    try:
        with open(path, "rb") as file:  # noqa: PTH123
            lines = file.read(limits.SPOOL_FILE_BYTES_MAX + 1).split(b"\n")
    except OSError:
        return None
    valid: list[bytes] = []
    for line in lines:
        try:
            json.loads(line)
        except ValueError:
            # The process ended while it wrote this one.
            continue
        valid.append(line)
    return (json.loads(valid[0]), valid[1:]) if len(valid) > 1 else None


def remove_spool(path: str) -> None:
    """Delete a file whose events were sent."""
    _unlink(path)


def _prepare(folder: str) -> None:
    """Create the folder; raise OSError when it isn't this user's alone."""
    os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103
    found = os.lstat(folder)
    is_private = stat.S_ISDIR(found.st_mode) and (
        sys.platform == "win32" or (found.st_uid == os.getuid() and found.st_mode & 0o077 == 0)
    )
    if not is_private:
        raise PermissionError(f"{folder} isn't a folder of this user alone")


def _machine() -> str:
    """Return the machine, and on Linux the process-id namespace, in which a pid is valid."""
    import socket

    try:
        namespace = os.readlink("/proc/self/ns/pid")  # noqa: PTH115
    except OSError:
        namespace = ""
    return f"{socket.gethostname()} {namespace}"


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return True


def _unlink(path: str) -> None:
    try:
        os.unlink(path)  # noqa: PTH108
    except OSError:
        return
