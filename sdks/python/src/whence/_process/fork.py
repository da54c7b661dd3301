"""The client's fork hooks. A hook can't be removed, so they only know clients that still live."""

from __future__ import annotations

import _thread
import os
import sys

from whence._core.builtin_types import partial, ref
from whence._core.guard import guarded
from whence._core.signal_handlers import signal_behind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from whence._client import Client

_clients: list[ref[Client]] = []
_registered: list[bool] = []
#: The process whose forks the clients know of.
_pid = [0]
#: The hook that starts a thread after a fork.
_starts: list[partial[int]] = []
#: Not empty during a fork.
_under_way: list[None] = []
#: The signal that interrupted the wait before the fork, which is handled again after it.
_interrupted: list[int] = []


def is_forking() -> bool:
    """Return whether a fork is under way, during which no thread may start."""
    return bool(_under_way)


def starts_after_fork(called: object) -> bool:
    """Return whether this is the hook after a fork, which fails where no thread can start."""
    return any(called is start for start in _starts)


def watch_forks(client: Client) -> None:
    """Let this client know of forks."""
    _clients[:] = [known for known in _clients if known() is not None]
    _clients.append(ref(client))
    if _registered or not hasattr(os, "register_at_fork"):
        return
    _registered.append(True)
    _pid[0] = os.getpid()
    # A signal that arrives during the fork is handled by the first Python code of the main thread
    # after it, and Python ignores what a hook raises: these of the parent aren't Python code.
    os.register_at_fork(
        before=_each_before, after_in_parent=_under_way.clear, after_in_child=_each_child
    )
    # `max` calls its key for each of the list, which has one signal at most.
    again = partial(max, _interrupted, key=_thread.interrupt_main, default=None)
    os.register_at_fork(after_in_parent=again)
    os.register_at_fork(after_in_parent=_interrupted.clear)
    if sys.version_info < (3, 12):
        # Newer ones count threads once more before the fork returns, and warn.
        start = _thread.start_new_thread
        _starts.append(partial(start, _watch_each_again_beside, (start,)))
        os.register_at_fork(after_in_parent=_starts[0])
    uwsgi = sys.modules.get("uwsgi")
    if uwsgi is not None:
        _watch_forks_of_uwsgi(uwsgi)


def _watch_forks_of_uwsgi(uwsgi: Any) -> None:
    """Watch forks made in C: uWSGI calls Python's hooks only if an option asks for it."""
    hook = getattr(uwsgi, "post_fork_hook", None)

    def forked() -> None:
        if _pid[0] != os.getpid():
            _each_child()
        # Without a master, this is the process that loaded the application.
        _watch_each_again()
        if hook is not None:
            hook()

    uwsgi.post_fork_hook = forked
    if uwsgi.worker_id() == 0:
        # No hook announces a fork, and a thread that runs during one can leave a lock behind.
        _pause_each()


def _each_before() -> None:
    try:
        _under_way.append(None)
        _pause_each()
    except BaseException as error:
        # Python ignores what a hook raises.
        signal = signal_behind(error)
        _interrupted[:] = [] if signal is None else [signal]
        # Once more, as the threads still run.
        _pause_each()


def _pause_each() -> None:
    for client in _living():
        guarded(client.before_fork)


def _each_child() -> None:
    _pid[0] = os.getpid()
    _under_way.clear()
    _interrupted.clear()
    for client in _living():
        guarded(client.begin_child)


def _watch_each_again() -> None:
    for client in _living():
        guarded(client.watch_again)


def _watch_each_again_beside(start_new_thread: object) -> None:
    # If gevent patched it since, its thread would run only as long as this one.
    if _thread.start_new_thread is start_new_thread:
        _watch_each_again()


def _living() -> list[Client]:
    found = [known() for known in _clients]
    return [client for client in found if client is not None]
