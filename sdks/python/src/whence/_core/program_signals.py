"""Signals are the program's: the client's threads take none, except within the program's hooks."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` takes long to import

from whence._core.builtin_types import ContextVar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import ParamSpec, TypeVar

    P = ParamSpec("P")
    T = TypeVar("T")

#: Signals for the thread that caused them.
_FAULTS = ("SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGSYS", "SIGTRAP")

#: In a thread of the client, the signals that the thread which started it blocked.
_blocked_by_starter: ContextVar[set[int] | None] = ContextVar(
    "whence_blocked_by_starter", default=None
)


def start_without_signals(start: Callable[[set[int] | None], None]) -> None:
    """Start a thread that takes no signal of the process, but those that it causes.

    A program that waits for a signal blocks it, and any thread that doesn't would be ended by it,
    and the process with that. ``start`` gets what the thread passes to ``keep_program_signals``.
    """
    if not hasattr(_signal, "pthread_sigmask"):
        start(None)
        return
    blocked = _signal.pthread_sigmask(_signal.SIG_BLOCK, ())
    try:
        faults = {getattr(_signal, name) for name in _FAULTS}
        _signal.pthread_sigmask(_signal.SIG_BLOCK, _signal.valid_signals() - faults)
        start(blocked)
    finally:
        _signal.pthread_sigmask(_signal.SIG_SETMASK, blocked)


def keep_program_signals(blocked: set[int] | None) -> None:
    """Keep what the thread that started this one blocked, for hooks of the program."""
    _blocked_by_starter.set(blocked)


def with_program_signals(hook: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what a hook returns. Threads and processes that it starts inherit what is blocked."""
    blocked = _blocked_by_starter.get()
    if blocked is None:
        return hook(*args, **kwargs)
    own = _signal.pthread_sigmask(_signal.SIG_SETMASK, blocked)
    try:
        return hook(*args, **kwargs)
    finally:
        _signal.pthread_sigmask(_signal.SIG_SETMASK, own)
