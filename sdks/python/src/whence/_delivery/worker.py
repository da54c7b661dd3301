from __future__ import annotations

import _thread
import os
import sys
import time

from whence._core import limits
from whence._core.builtin_types import BuiltinFunctionType
from whence._core.program_signals import keep_program_signals, start_without_signals
from whence._core.signal_handlers import signal_behind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class _Threads:
    """The functions of `_thread` as they are now."""

    def __init__(self) -> None:
        self.start_new_thread = _thread.start_new_thread
        self.allocate_lock = _thread.allocate_lock
        self.get_ident = _thread.get_ident


class Worker:
    """One thread of the client, which :mod:`threading` doesn't list and no process waits for.

    Each has its own flag to stop: one that a fork couldn't wait for still ends, whatever other
    thread runs since.
    """

    def __init__(self, run: Callable[[Worker], None], beside: Worker | None = None) -> None:
        """``beside`` starts this one: gevent may have patched `_thread` since that one started.

        Of a thread of the system, gevent's would never run: it doesn't wait in gevent's loop.
        """
        self.is_stopped = False
        self.has_ended = False
        self._is_started = False
        self._was_left = False
        self._run = run
        self._threads: _Threads = _Threads() if beside is None else beside._threads
        self._ended = self._threads.allocate_lock()
        self._ended.acquire()
        self._ident = 0
        self._native_id = 0

    def start(self) -> bool:
        """Start the thread; return False if the interpreter or the system allows no further one."""
        # The thread that imports it is the main one to it, and a program waits for that one's end.
        import threading  # noqa: F401

        try:
            if type(self._threads.start_new_thread) is BuiltinFunctionType:
                start_without_signals(self._start)
            else:
                # One of gevent's runs within a thread of the program.
                self._start(None)
        except RuntimeError as error:
            if signal_behind(error) is not None:
                raise
            return False
        finally:
            self.has_ended = self.has_ended or not self._is_started
        return True

    def _start(self, blocked: set[int] | None) -> None:
        self._threads.start_new_thread(self._begin, (blocked,))
        self._is_started = True

    @property
    def is_current(self) -> bool:
        """Whether this thread is the one that asks."""
        return self._threads.get_ident() == self._ident

    def wait(self, timeout_s: float) -> bool:
        """Wait for the thread's end; return whether it ended."""
        if self.has_ended:
            # A signal may have ended an earlier wait before it released the lock.
            return True
        if not self._ended.acquire(timeout=timeout_s):
            return False
        self._ended.release()
        return True

    def wait_to_leave(self, timeout_s: float) -> bool:
        """Wait for the thread's end before a fork or the process's end; return whether it ended.

        What one fork couldn't wait for, a further one doesn't. An import is waited for longer: in
        Python 3.11, a thread that is within one when the interpreter goes ends it with SIGSEGV.
        """
        if self._was_left and not self.has_ended and not self._is_importing():
            return False
        end = time.monotonic() + limits.FORK_WAIT_MAX_S
        # What it imports now, no other thread or child could: the lock of the import stays taken.
        while not self.wait(timeout_s):
            if not self._is_importing() or time.monotonic() >= end:
                self._was_left = True
                return False
            timeout_s = limits.FORK_WAIT_S
        self._await_system_thread(end)
        return True

    def _begin(self, blocked: set[int] | None) -> None:
        try:
            keep_program_signals(blocked)
            self._ident = self._threads.get_ident()
            self._native_id = _thread.get_native_id()
            self._run(self)
        finally:
            self.has_ended = True
            self._ended.release()

    def _is_importing(self) -> bool:
        frame = sys._current_frames().get(self._ident)
        while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
            frame = frame.f_back
        return frame is not None

    def _await_system_thread(self, end: float) -> None:
        """Wait until the system has ended the thread, too: a fork counts those (Python 3.12)."""
        if self._native_id == _thread.get_native_id():
            # To gevent, it was no thread of the system.
            return
        task = f"/proc/self/task/{self._native_id}"
        # A signal's handler may raise any error, which `os.path.exists` would take for its own.
        while os.access(task, os.F_OK) and time.monotonic() < end:
            time.sleep(0.0001)
