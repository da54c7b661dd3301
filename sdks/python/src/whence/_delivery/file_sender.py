from __future__ import annotations

import _thread
import time

from whence._core import limits
from whence._core.guard import guarded
from whence._core.trim_event import to_json
from whence._delivery.back_off import BackOff
from whence._delivery.batch import PATH, batch_body, wanted_files
from whence._delivery.worker import Worker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from whence._core.event import Json
    from whence._delivery.http import Answer, Connection

_FILES_PATH = "/api/telemetry/sources"
_ACCEPTED = 202
_RATE_LIMITED = 429
_FAILED = 500
_NEVER = float("inf")


class FileSender:
    """Sends files of the program that an investigation lacks, when an answer to a batch names them.

    After the first batch, and after one with an exception, it asks again shortly, when the
    investigation has begun. What it does, it does on a thread of its own, one at a time, with a
    connection of its own, so that no event waits for it. The sender starts that thread when there
    is something to do, and ends its connection when it takes too long.
    """

    def __init__(
        self, connect: Callable[[], Connection], header: Callable[[], Mapping[str, Json]]
    ) -> None:
        self._connect = connect
        self._header = header
        self._renew()

    def _renew(self) -> None:
        self._lock = _thread.allocate_lock()
        self._worker: Worker | None = None
        self._connection: Connection | None = None
        self._ends_at = _NEVER
        #: Whether a thread may start.
        self._starts = True
        #: Paths that the service has.
        self._sent: set[str] = set()
        self._bytes = 0
        #: Wanted paths that aren't handled yet, and those that are.
        self._wanted: list[str] = []
        self._handled: set[str] = set()
        self._back_off = BackOff()
        self._attempts = 0
        self._asks_at: list[float] = []
        self._has_asked = False
        self._next_ask_at = 0.0

    def leave_to_parent(self) -> None:
        """Begin the life of a forked process, which may send files of its own."""
        connection = self._connection
        if connection is not None:
            connection.leave_to_parent()
        self._renew()

    @property
    def sent(self) -> int:
        """Files sent so far."""
        return len(self._sent)

    @property
    def due_at(self) -> float:
        """When it is to take its next turn."""
        if self._is_busy:
            return self._ends_at
        if not self._starts:
            return _NEVER
        return min(self._asks_at[0] if self._asks_at else _NEVER, self._sends_at)

    @property
    def _sends_at(self) -> float:
        return self._back_off.until if self._wanted else _NEVER

    @property
    def _is_busy(self) -> bool:
        return self._worker is not None and not self._worker.has_ended

    def answered(self, answer: Answer, *, has_exception: bool) -> None:
        """Note what the answer to an accepted batch asks for."""
        # Without a release, there is nothing to send files under.
        wanted = wanted_files(answer) if self._header().get("release") else None
        if wanted is None:
            return
        now = time.monotonic()
        self._starts = True
        with self._lock:
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

    def take_turn(self, sender: Worker) -> None:
        """Start what is due, or end what takes too long. Only for the sender, in its turn."""
        now = time.monotonic()
        if now < self.due_at:
            return
        if self._is_busy:
            self.stop()
            return
        self._connection = self._connect()
        self._ends_at = now + limits.FILES_TIME_MAX_S
        self._worker = Worker(self._run, sender)
        if not self._worker.start():
            # It does with the next answer, or the sender sends them at the program's end.
            self._starts = False

    @property
    def has_work(self) -> bool:
        """Whether files are being sent, or the service asks for some."""
        return self._is_busy or bool(self._wanted)

    def send_last(self, sender: Worker, end: float) -> None:
        """Send what the service asks for, until ``end``. Only for the sender, in its turn.

        At the end of a program, no other thread starts.
        """
        worker = self._worker
        if worker is not None and not worker.has_ended:
            worker.wait(max(0.0, end - time.monotonic()))
        now = time.monotonic()
        if self._is_busy or now < self._sends_at or now >= end:
            return
        connection = self._connection = self._connect()
        try:
            self._send(connection, sender, end - now)
        finally:
            connection.close()

    def stop(self) -> None:
        """Have the thread end, without waiting for it."""
        self._ends_at = _NEVER
        worker, connection = self._worker, self._connection
        if worker is not None:
            worker.is_stopped = True
        if connection is not None:
            connection.abort()

    def end(self, timeout_s: float) -> None:
        """End the thread before a fork or the process's end."""
        worker = self._worker
        if worker is None or worker.has_ended or worker.is_current:
            return
        self.stop()
        worker.wait_to_leave(timeout_s)

    def _run(self, worker: Worker) -> None:
        connection = self._connection
        if connection is None:
            return
        try:
            while not worker.is_stopped:
                now = time.monotonic()
                if now >= self._sends_at:
                    guarded(self._send, connection, worker, limits.REQUEST_TIMEOUT_S)
                elif self._takes_ask(now):
                    guarded(self._ask, connection)
                else:
                    return
        finally:
            connection.close()

    def _takes_ask(self, now: float) -> bool:
        with self._lock:
            is_due = bool(self._asks_at) and now >= self._asks_at[0]
            if is_due:
                del self._asks_at[0]
            return is_due

    def _ask(self, connection: Connection) -> None:
        """Send a batch without events, whose answer names the wanted files."""
        body = batch_body(self._header(), [], [])
        answer = _post(connection, PATH, body, limits.REQUEST_TIMEOUT_S)
        if answer is not None and answer.status == _ACCEPTED:
            self.answered(answer, has_exception=False)

    def _send(self, connection: Connection, worker: Worker, timeout_s: float) -> None:
        with self._lock:
            wanted, self._wanted = self._wanted, []
        has_arrived, retry_after = False, None
        try:
            has_arrived, retry_after = self._upload(connection, worker, wanted, timeout_s)
        finally:
            with self._lock:
                if has_arrived:
                    self._handled.update(wanted)
                    self._wanted = [path for path in self._wanted if path not in self._handled]
                self._settle(retry_after, has_arrived=has_arrived)

    def _settle(self, retry_after: float | None, *, has_arrived: bool) -> None:
        """Wait after a failure. What didn't arrive is sent when the service asks again later."""
        self._attempts = 0 if has_arrived else self._attempts + 1
        if has_arrived:
            self._back_off.succeed()
            return
        now = time.monotonic()
        self._back_off.fail(now, retry_after)
        if self._attempts >= limits.FILES_ATTEMPTS_MAX:
            later = max(self._back_off.until, now + limits.FILES_TRIED_AGAIN_S)
            self._attempts = 0
            self._back_off.succeed()
            self._back_off.until = later

    def _upload(
        self, connection: Connection, worker: Worker, wanted: list[str], timeout_s: float
    ) -> tuple[bool, float | None]:
        """Return whether this is done, and what the service wishes to be waited for before more."""
        read = self._read(wanted, worker)
        if worker.is_stopped or not read:
            return not worker.is_stopped, None
        header = self._header()
        about = to_json({"service": header["service"], "release": header.get("release")})
        items = b",".join(item for item, _ in read.values())
        body = b'%s,"files":[%s]}' % (about[:-1], items)
        answer = _post(connection, _FILES_PATH, body, timeout_s)
        if answer is None:
            return False, None
        if answer.status == _RATE_LIMITED or answer.status >= _FAILED:
            return False, answer.retry_after
        if answer.status == _ACCEPTED:
            self._sent.update(read)
            self._bytes += sum(size for _, size in read.values())
        return True, None

    def _read(self, wanted: list[str], worker: Worker) -> dict[str, tuple[bytes, int]]:
        """Return the wanted files and those around them as JSON, with their sizes, by path."""
        from whence._source.loaded_files import sendable_files

        read: dict[str, tuple[bytes, int]] = {}
        size = self._bytes
        for path, text in sendable_files(wanted, lambda: worker.is_stopped):
            if worker.is_stopped or len(self._sent) + len(read) >= limits.SENT_FILES_MAX:
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


def _post(connection: Connection, path: str, body: bytes, timeout_s: float) -> Answer | None:
    from http.client import HTTPException

    try:
        return connection.post(path, body, timeout_s)
    except (OSError, HTTPException, ValueError):
        # The service can't be reached, or the thread is to end.
        return None


def _item(path: str, text: str, content: bytes) -> bytes:
    from hashlib import sha256

    return to_json({"path": path, "sha256": sha256(content).hexdigest(), "content": text})
