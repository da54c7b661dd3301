"""The client's one fork hook. A hook can't be removed, so it only knows clients that still live."""

from __future__ import annotations

import os

from whence._core.builtin_types import ref
from whence._core.guard import guarded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whence._client import Client

_clients: list[ref[Client]] = []
_registered: list[bool] = []


def watch_forks(client: Client) -> None:
    """Let this client know of forks."""
    _clients[:] = [known for known in _clients if known() is not None]
    _clients.append(ref(client))
    if _registered or not hasattr(os, "register_at_fork"):
        return
    _registered.append(True)
    os.register_at_fork(
        before=_each_before,
        after_in_parent=lambda: _each_after(in_child=False),
        after_in_child=lambda: _each_after(in_child=True),
    )


def _each_before() -> None:
    for client in _living():
        guarded(client.before_fork)


def _each_after(*, in_child: bool) -> None:
    for client in _living():
        guarded(client.after_fork, in_child=in_child)


def _living() -> list[Client]:
    found = [known() for known in _clients]
    return [client for client in found if client is not None]
