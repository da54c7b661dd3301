from __future__ import annotations

import _thread
import time

from whence._core import limits
from whence._core.guard import guarded
from whence._delivery.batch import PATH, batch_body
from whence._delivery.spool import read_spool, remove_spool
from whence._delivery.worker import Worker
from whence._process.fork import is_forking

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from whence._core.create_event import Event
    from whence._core.pack_event import EventPacker
    from whence._delivery.file_sender import FileSender
    from whence._delivery.spool import Spool
    from whence._delivery.transport import Transport

#: How often a waiting thread checks that the sender still runs.
_POLL_S = 0.05
#: How long a crash waits for the sender, which may be writing this very event.
_CRASH_TURN_S = 0.25
#: How long a thread that only waits takes to end.
_ORDERLY_END_S = 0.01


class Flush:
    """Someone who waits until everything captured so far was sent."""

    __slots__ = ("done", "lost_before", "result")

    def __init__(self, lost_before: int) -> None:
        self.done = _thread.allocate_lock()
        self.done.acquire()
        self.lost_before = lost_before
        self.result = False


class LastFiles:
    """Someone who waits, until ``end``, for the files that the service asks for."""

    __slots__ = ("done", "end")

    def __init__(self, end: float) -> None:
        self.done = _thread.allocate_lock()
        self.done.acquire()
        self.end = end


class Sender:
    """The thread that writes, keeps, and sends events. It reads files and uses the network.

    It starts with the first event or at ``start``, isn't listed by :mod:`threading`, and never
    keeps the process alive. Callers only put events into the inbox and release ``_wake``, which no
    signal handler or fork can leave locked.
    """

    def __init__(
        self,
        transport: Transport,
        packer: Callable[[], EventPacker],
        spool: Spool | None,
        each_interval: Callable[[], None],
    ) -> None:
        self._transport = transport
        self._packer = packer
        self._spool = spool
        self._each_interval = each_interval
        self._adopted: list[str] = []
        self._is_closed = False
        self._renew()

    def _renew(self) -> None:
        now = time.monotonic()
        self._renew_locks()
        self._worker: Worker | None = None
        #: The one that takes its turn, or did last; None for a thread of the program.
        self._in_turn: Worker | None = None
        #: Held by the one that starts the thread: two at once would start two.
        self._starting = _thread.allocate_lock()
        self._is_urgent = False
        self._flushes: list[Flush] = []
        self._last_files: LastFiles | None = None
        self._lost_at_flush = 0
        self._next_flush = now + limits.FLUSH_INTERVAL_S
        self._next_look = now + limits.SPOOL_FIRST_LOOK_S

    def _renew_locks(self) -> None:
        self._wake = _thread.allocate_lock()
        self._wake.acquire()
        self._turn = _thread.allocate_lock()

    @property
    def has_work(self) -> bool:
        """Whether anything is captured and not sent."""
        return len(self._transport.inbox) > 0 or self._transport.has_work

    def start(self) -> bool:
        """Start the thread unless it runs; return whether it does, or will in a moment."""
        if self._is_running:
            return True
        if self._is_closed:
            return False
        if is_forking() or not self._starting.acquire(blocking=False):
            return True
        try:
            return self._is_running or self._start_thread()
        finally:
            self._starting.release()

    def _start_thread(self) -> bool:
        worker = Worker(self._run)
        if type(self._wake) is not type(_thread.allocate_lock()):
            # gevent patched `_thread` since: its thread must not wait for a lock of the system's.
            self._renew_locks()
        self._transport.connection.resume()
        self._worker = worker
        if not worker.start():
            self._worker = None
        return self._worker is not None

    @property
    def _is_running(self) -> bool:
        worker = self._worker
        # One that a fork couldn't wait for ends with what it waits for, in its turn.
        return worker is not None and not worker.has_ended and not worker.is_stopped

    def add(self, event: Event) -> None:
        """Put an event into the inbox; an urgent one is sent at once."""
        self._transport.inbox.add(event)
        if event.is_fatal or len(self._transport.inbox) >= limits.SEND_FROM_EVENTS:
            self._is_urgent = True
        self.start()
        self._wake_up()

    def write_now(self) -> None:
        """Write what was captured, on this thread: the process may end any moment."""
        if self._turn.acquire(timeout=_CRASH_TURN_S):
            try:
                guarded(self._collect)
            finally:
                self._turn.release()

    def flush(self, timeout_s: float) -> bool:
        """Send everything captured so far; return whether all since the last flush arrived."""
        waiting = Flush(self._lost_at_flush)
        self._flushes.append(waiting)
        end = time.monotonic() + timeout_s
        if not self.start():
            self._send_here(end)
            return waiting.result
        self._wake_up()
        while not waiting.done.acquire(timeout=max(0.0, min(_POLL_S, end - time.monotonic()))):
            if time.monotonic() >= end:
                self._drop_flush(waiting)
                return False
            if not self.start():
                self._send_here(end)
                return waiting.result
        return waiting.result

    def send_files(self, end: float) -> None:
        """Send the files that the service asks for, at most until ``end``."""
        files = self._transport.files
        if files is None or not files.has_work:
            return
        waiting = self._last_files = LastFiles(end)
        self._wake_up()
        while (left := end - time.monotonic()) > 0 and self._is_running:
            if waiting.done.acquire(timeout=min(_POLL_S, left)):
                return

    def pause(self) -> None:
        """End the threads before a fork, so that parent and child start with consistent locks."""
        self._end(limits.FORK_WAIT_S)
        # Last, as only this thread starts that one.
        if self._transport.files is not None:
            self._transport.files.end(limits.FORK_WAIT_S)

    def _end(self, timeout_s: float) -> None:
        worker = self._worker
        if worker is None or worker.is_current:
            return
        worker.is_stopped = True
        if self._transport.files is not None:
            self._transport.files.stop()
        self._wake_up()
        if not worker.wait(_ORDERLY_END_S):
            self._transport.connection.abort()
        if worker.wait_to_leave(max(timeout_s, _ORDERLY_END_S)):
            self._worker = None

    def leave_to_parent(self) -> None:
        """Begin the life of a forked process."""
        self._transport.leave_to_parent()
        if self._spool is not None:
            self._spool.leave_to_parent()
        self._adopted = []
        self._renew()

    def close(self, timeout_s: float) -> None:
        """End the threads; none starts later.

        What sends files is waited for only while it imports a module.
        """
        self._is_closed = True
        self._end(timeout_s)
        if self._transport.files is not None:
            self._transport.files.end(_ORDERLY_END_S)
        self._transport.connection.close()

    def _wake_up(self) -> None:
        try:
            self._wake.release()
        except RuntimeError:
            # It is already about to wake up.
            return

    def _drop_flush(self, waiting: Flush) -> None:
        if waiting in self._flushes:
            self._flushes.remove(waiting)

    def _run(self, worker: Worker) -> None:
        if self._is_closed:
            # The client closed while this thread started.
            return
        # Loaded here, so that it takes no time from the program's start.
        guarded(self._packer)
        while not worker.is_stopped:
            self._wake.acquire(True, self._wait_s())  # noqa: FBT003
            # What an earlier fork couldn't wait for may still be in its turn.
            while not worker.is_stopped:
                if self._turn.acquire(timeout=_POLL_S):
                    try:
                        self._in_turn = worker
                        guarded(self._take_turn, None)
                        if self._transport.files is not None and not worker.is_stopped:
                            guarded(self._take_turn_with_files, worker, self._transport.files)
                    finally:
                        self._turn.release()
                    break

    def _wait_s(self) -> float:
        now = time.monotonic()
        due = min(self._next_flush, self._next_look)
        if self._transport.files is not None:
            due = min(due, self._transport.files.due_at)
        if self._is_urgent or self._flushes:
            due = min(due, self._transport.back_off.until)
        return max(0.001, min(due - now, limits.FLUSH_INTERVAL_S))

    def _send_here(self, end: float) -> None:
        """Send on this thread, as the interpreter starts no other thread."""
        if not self._turn.acquire(timeout=max(0.0, end - time.monotonic())):
            return
        try:
            self._in_turn = None
            guarded(self._collect)
            # A name server that doesn't answer would hold up the end of the process.
            connection = self._transport.connection
            if connection.has_connected or connection.is_numeric:
                self._is_urgent = True
                guarded(self._take_turn, end)
        finally:
            self._turn.release()

    def _take_turn(self, end: float | None) -> None:
        # Before collecting: one who comes later may wait for what is captured later.
        flushes = self._flushes[:]
        self._collect()
        now = time.monotonic()
        is_interval = now >= self._next_flush
        if is_interval:
            self._next_flush = now + limits.FLUSH_INTERVAL_S
            if self._spool is not None:
                self._spool.touch()
        if is_interval or self._is_urgent or flushes:
            # With each batch, a heartbeat may leave.
            self._each_interval()
            is_due = end is not None or now >= self._transport.back_off.until
            # What is added from here on is as urgent as before.
            self._is_urgent = self._is_urgent and not is_due
            self._collect()
            if is_due:
                self._send_all(end, flushes)
        if now >= self._next_look:
            self._next_look = now + limits.SPOOL_LOOK_INTERVAL_S
            if self._spool is not None:
                self._adopted += self._spool.abandoned()
        self._send_adopted(end)

    def _take_turn_with_files(self, worker: Worker, files: FileSender) -> None:
        waiting, self._last_files = self._last_files, None
        if waiting is None:
            files.take_turn(worker)
            return
        guarded(files.send_last, worker, waiting.end)
        waiting.done.release()

    @property
    def _is_ending(self) -> bool:
        return self._in_turn is not None and self._in_turn.is_stopped

    def _collect(self) -> None:
        """Write captured events as JSON, and to disk."""
        for event in self._transport.inbox.take():
            packed = self._packer().pack(event)
            if packed is None:
                continue
            if self._spool is not None and event.type in ("exception", "log"):
                self._spool.append(packed.json)
            self._transport.outbox.add(packed)

    def _send_all(self, end: float | None, flushes: list[Flush]) -> None:
        while self._transport.has_work and not self._is_ending:
            if not self._transport.send_batch(_timeout(end)):
                break
        if self._transport.has_work:
            return
        if self._spool is not None:
            self._spool.clear()
        lost = self._transport.losses.total
        for waiting in flushes:
            waiting.result = lost == waiting.lost_before
            self._lost_at_flush = lost
            self._drop_flush(waiting)
            waiting.done.release()

    def _send_adopted(self, end: float | None) -> None:
        """Send what earlier processes of this service left on disk."""
        while self._adopted and not self._transport.has_work and not self._is_ending:
            if time.monotonic() < self._transport.back_off.until:
                return
            path = self._adopted[0]
            found = read_spool(path)
            if found is not None:
                header, events = found
                for start in range(0, len(events), limits.SEND_FROM_EVENTS):
                    body = batch_body(header, [], events[start : start + limits.SEND_FROM_EVENTS])
                    answer = self._transport.post(PATH, body, _timeout(end))
                    if answer is None or answer.status in (401, 403, 404):
                        return
            self._adopted.pop(0)
            remove_spool(path)


def _timeout(end: float | None) -> float:
    if end is None:
        return limits.REQUEST_TIMEOUT_S
    return max(0.05, min(limits.REQUEST_TIMEOUT_S, end - time.monotonic()))
