from __future__ import annotations

import sys

from whence._core.guard import guarded
from whence._process.fork import starts_after_fork

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from whence._client import Client


def watch_unraisable(client: Client) -> Callable[[], None]:
    """Record what Python can't raise, as in ``__del__``, then do what was to be done anyway."""
    previous = sys.unraisablehook

    def unraisablehook(unraisable: Any, /) -> None:
        if starts_after_fork(unraisable.object):
            # The sender starts with the next event.
            return
        guarded(_capture, client, unraisable.exc_value)
        previous(unraisable)

    sys.unraisablehook = unraisablehook

    def stop() -> None:
        if sys.unraisablehook is unraisablehook:
            sys.unraisablehook = previous

    return stop


def _capture(client: Client, error: BaseException | None) -> None:
    if error is not None and issubclass(type(error), Exception):
        client.capture_exception(error, mechanism="sys.unraisablehook", handled=False)
