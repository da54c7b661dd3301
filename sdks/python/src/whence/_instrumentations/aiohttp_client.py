"""Requests of aiohttp, by its own trace configurations."""

from __future__ import annotations

from whence._core.guard import guarded
from whence._core.outgoing_call import OutgoingCall
from whence._instrumentations.loaded_modules import watch_loaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from whence._client import Client


def watch_aiohttp(client: Client) -> Callable[[], None]:
    """Record each request as a breadcrumb."""
    return watch_loaded("aiohttp", lambda module: _watch(client, module))


def _watch(client: Client, module: ModuleType) -> Callable[[], None]:
    aiohttp: Any = module

    async def started(_session: Any, context: Any, params: Any) -> None:
        context.call = guarded(OutgoingCall.of_http, client, params.method, str(params.url))
        traceparent = guarded(client.traceparent)
        if traceparent is not None:
            guarded(params.headers.setdefault, "traceparent", traceparent)

    async def answered(_session: Any, context: Any, params: Any) -> None:
        if context.call is not None:
            guarded(context.call.answered, params.response.status)

    async def failed(_session: Any, context: Any, params: Any) -> None:
        if context.call is not None:
            guarded(context.call.failed, params.exception)

    config = aiohttp.TraceConfig()
    config.on_request_start.append(started)
    config.on_request_end.append(answered)
    config.on_request_exception.append(failed)
    config.freeze()
    session = aiohttp.ClientSession
    original = session.__init__

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807
        original(self, *args, **kwargs)
        guarded(self._trace_configs.append, config)

    session.__init__ = __init__

    def stop() -> None:
        session.__init__ = original

    return stop
