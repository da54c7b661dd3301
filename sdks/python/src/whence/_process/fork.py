"""The client's one fork hook. A hook can't be removed, so it only knows clients that still live."""

from __future__ import annotations

import os
import sys

from whence._core.builtin_types import ref
from whence._core.guard import guarded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from whence._client import Client

_clients: list[ref[Client]] = []
_registered: list[bool] = []
#: The process whose forks the clients know of.
_pid = [0]


def watch_forks(client: Client) -> None:
    """Let this client know of forks."""
    _clients[:] = [known for known in _clients if known() is not None]
    _clients.append(ref(client))
    if _registered or not hasattr(os, "register_at_fork"):
        return
    _registered.append(True)
    _pid[0] = os.getpid()
    os.register_at_fork(
        before=_each_before,
        after_in_parent=lambda: _each_after(in_child=False),
        after_in_child=lambda: _each_after(in_child=True),
    )
    uwsgi = sys.modules.get("uwsgi")
    if uwsgi is not None:
        _watch_forks_of_uwsgi(uwsgi)


def _watch_forks_of_uwsgi(uwsgi: Any) -> None:
    """Watch forks made in C: uWSGI calls Python's hooks only if an option asks for it."""
    hook = getattr(uwsgi, "post_fork_hook", None)

    def forked() -> None:
        if _pid[0] != os.getpid():
            _each_after(in_child=True)
        # Without a master, this is the process that loaded the application.
        for client in _living():
            guarded(client.watch_again)
        if hook is not None:
            hook()

    uwsgi.post_fork_hook = forked
    if uwsgi.worker_id() == 0:
        # No hook announces a fork, and a thread that runs during one can leave a lock behind.
        _each_before()


def _each_before() -> None:
    for client in _living():
        guarded(client.before_fork)


def _each_after(*, in_child: bool) -> None:
    _pid[0] = os.getpid()
    for client in _living():
        guarded(client.after_fork, in_child=in_child)


def _living() -> list[Client]:
    found = [known() for known in _clients]
    return [client for client in found if client is not None]
