from __future__ import annotations

from whence._core.guard import guarded
from whence._instrumentations.loaded_modules import watch_loaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from whence._client import Client


def watch_asyncio(client: Client) -> Callable[[], None]:
    """Record what an event loop hands to its exception handler, such as a failed task's error.

    Loops and task factories stay as they are: only the method that calls the handler is wrapped.
    """
    return watch_loaded("asyncio.base_events", lambda module: _watch(client, module))


def _watch(client: Client, module: ModuleType) -> Callable[[], None]:
    loop: Any = module.BaseEventLoop
    original = loop.call_exception_handler

    def call_exception_handler(self: object, context: dict[str, Any]) -> None:
        guarded(_capture, client, context)
        original(self, context)

    call_exception_handler.__doc__ = original.__doc__
    loop.call_exception_handler = call_exception_handler

    def stop() -> None:
        if loop.call_exception_handler is call_exception_handler:
            loop.call_exception_handler = original

    return stop


def _capture(client: Client, context: dict[str, Any]) -> None:
    error = context.get("exception")
    if error is None or not issubclass(type(error), Exception):
        return
    message = context.get("message")
    client.capture_exception(
        error,
        mechanism="asyncio",
        handled=False,
        attributes={"message": message} if type(message) is str else None,
    )
