from __future__ import annotations

import time

from whence._core import limits
from whence._core.trim_event import to_json
from whence._delivery.batch import PATH, batch_body, wanted_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from whence._core.event import Json
    from whence._delivery.http import Answer, Connection

_FILES_PATH = "/api/telemetry/sources"
_ACCEPTED = 202
_RATE_LIMITED = 429
_FAILED = 500


class FileSender:
    """Sends files of the program that an investigation lacks, when an answer to a batch names them.

    After the first batch, and after one with an exception, it asks again shortly, when the
    investigation has begun. It works on the sender's thread, between the batches. It has its own
    connection: a thread that can't wait for it aborts that.
    """

    def __init__(self, connection: Connection, header: Callable[[], Mapping[str, Json]]) -> None:
        self.connection = connection
        self._header = header
        self._renew()

    def _renew(self) -> None:
        #: Paths that the service has.
        self._sent: set[str] = set()
        self._bytes = 0
        #: Wanted paths that aren't handled yet, and those that are.
        self._wanted: list[str] = []
        self._handled: set[str] = set()
        self._asks_at: list[float] = []
        self._has_asked = False
        self._next_ask_at = 0.0

    def leave_to_parent(self) -> None:
        """Begin the life of a forked process, which may send files of its own."""
        self.connection.leave_to_parent()
        self._renew()

    @property
    def sent(self) -> int:
        """Files sent so far."""
        return len(self._sent)

    @property
    def due_at(self) -> float:
        """When to ask next."""
        return self._asks_at[0] if self._asks_at else float("inf")

    def answered(self, answer: Answer, *, has_exception: bool) -> None:
        """Note what the answer to an accepted batch asks for."""
        wanted = wanted_files(answer)
        if wanted is None:
            return
        now = time.monotonic()
        if not self._has_asked or (has_exception and now >= self._next_ask_at):
            self._has_asked = True
            # The first batch doesn't count: an exception may follow soon.
            if has_exception:
                self._next_ask_at = now + limits.FILES_ASKED_AGAIN_S
            self._asks_at = [now + limits.FILES_ASKED_FIRST_S, now + limits.FILES_ASKED_LAST_S]
        room = max(0, limits.HANDLED_PATHS_MAX - len(self._handled))
        unhandled = [
            path
            for path in wanted
            if len(path) <= limits.TEXT_LENGTH_MAX and path not in self._handled
        ]
        self._wanted = unhandled[: min(room, limits.WANTED_FILES_MAX)]

    def take_turn(self, is_needed: Callable[[], bool]) -> None:
        """Ask and send if it is time to, until the thread is needed for something else."""
        if not self._wanted and time.monotonic() < self.due_at:
            return
        # Before the check: what needs the thread from now on aborts the connection.
        self.connection.resume()
        if is_needed():
            return
        try:
            if time.monotonic() >= self.due_at:
                self._ask()
            if self._wanted:
                self._send(is_needed)
        finally:
            self.connection.close()

    def _ask(self) -> None:
        """Send a batch without events, whose answer names the wanted files."""
        del self._asks_at[0]
        answer = self._post(PATH, batch_body(self._header(), [], []))
        if answer is not None and answer.status == _ACCEPTED:
            self.answered(answer, has_exception=False)

    def _send(self, is_needed: Callable[[], bool]) -> None:
        wanted, self._wanted = self._wanted, []
        read = self._read(wanted, is_needed)
        if is_needed():
            # It is sent later.
            self._wanted = wanted
            return
        header = self._header()
        if read:
            about = to_json({"service": header["service"], "release": header.get("release")})
            items = b",".join(item for item, _ in read.values())
            answer = self._post(_FILES_PATH, b'%s,"files":[%s]}' % (about[:-1], items))
            if answer is None or answer.status == _RATE_LIMITED or answer.status >= _FAILED:
                # What didn't arrive is sent when the service asks again.
                return
            if answer.status == _ACCEPTED:
                self._sent.update(read)
                self._bytes += sum(size for _, size in read.values())
        self._handled.update(wanted)

    def _read(
        self, wanted: list[str], is_needed: Callable[[], bool]
    ) -> dict[str, tuple[bytes, int]]:
        """Return the wanted files and those around them as JSON, with their sizes, by path."""
        from whence._source.loaded_files import sendable_files

        read: dict[str, tuple[bytes, int]] = {}
        size = self._bytes
        for path, text in sendable_files(wanted):
            # The program's threads, and gevent's greenlets, get their turn.
            time.sleep(0)
            if is_needed() or len(self._sent) + len(read) >= limits.SENT_FILES_MAX:
                break
            content = text.encode("utf-8", "replace")
            if path in self._sent or path in read or len(content) > limits.SENT_FILE_BYTES_MAX:
                continue
            if size + len(content) > limits.SENT_BYTES_MAX:
                # Smaller ones would fit, but are worth less than reading all that is left.
                break
            read[path] = _item(path, text, content), len(content)
            size += len(content)
        return read

    def _post(self, path: str, body: bytes) -> Answer | None:
        from http.client import HTTPException

        try:
            return self.connection.post(path, body, limits.REQUEST_TIMEOUT_S)
        except (OSError, HTTPException, ValueError):
            # The service can't be reached, or the thread is needed.
            return None


def _item(path: str, text: str, content: bytes) -> bytes:
    from hashlib import sha256

    return to_json({"path": path, "sha256": sha256(content).hexdigest(), "content": text})
