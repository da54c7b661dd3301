"""The client's one fork hook. A hook can't be removed, so it only knows clients that still live."""

from __future__ import annotations

import os
import weakref

from whence._core.guard import guarded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whence._client import Client

_clients: weakref.WeakSet[Client] = weakref.WeakSet()
_registered: list[bool] = []


def watch_forks(client: Client) -> None:
    """Let this client know of forks."""
    _clients.add(client)
    if _registered or not hasattr(os, "register_at_fork"):
        return
    _registered.append(True)
    os.register_at_fork(
        before=_each_before,
        after_in_parent=lambda: _each_after(in_child=False),
        after_in_child=lambda: _each_after(in_child=True),
    )


def _each_before() -> None:
    for client in list(_clients):
        guarded(client.before_fork)


def _each_after(*, in_child: bool) -> None:
    for client in list(_clients):
        guarded(client.after_fork, in_child=in_child)
