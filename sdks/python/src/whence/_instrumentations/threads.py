from __future__ import annotations

import threading

from whence._core.guard import guarded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from whence._client import Client


def watch_threads(client: Client) -> Callable[[], None]:
    """Record what ends a thread, then do what was to be done without the client."""
    previous = threading.excepthook

    def excepthook(args: threading.ExceptHookArgs) -> None:
        guarded(_capture, client, args)
        previous(args)

    threading.excepthook = excepthook

    def stop() -> None:
        if threading.excepthook is excepthook:
            threading.excepthook = previous

    return stop


def _capture(client: Client, args: threading.ExceptHookArgs) -> None:
    error = args.exc_value
    if error is None or not issubclass(type(error), Exception):
        return
    name = None if args.thread is None else args.thread.name
    client.capture_exception(
        error,
        mechanism="threading.excepthook",
        handled=False,
        attributes=None if name is None else {"thread": name},
    )
