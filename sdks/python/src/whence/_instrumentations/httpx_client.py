"""Requests of httpx, seen where it chooses a transport and where it has the answer."""

from __future__ import annotations

import time
from contextvars import ContextVar

from whence._core.guard import guarded
from whence._core.outgoing_call import OutgoingCall
from whence._instrumentations.loaded_modules import watch_loaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from whence._client import Client


#: Where a request keeps the trace that was added to it.
_ADDED = "_whence_traceparent"


def watch_httpx(client: Client) -> Callable[[], None]:
    """Record each answered request as a breadcrumb."""
    return watch_loaded("httpx", lambda module: _watch(client, module))


def _watch(client: Client, module: ModuleType) -> Callable[[], None]:
    started_at: ContextVar[float] = ContextVar("whence_httpx", default=0.0)
    clients: list[Any] = [module.Client, module.AsyncClient]
    response: Any = module.Response
    request = response.request
    choices = [each._transport_for_url for each in clients]

    def observing(choose: Any) -> Any:
        def _transport_for_url(self: Any, url: Any) -> Any:
            started_at.set(time.perf_counter())
            return choose(self, url)

        return _transport_for_url

    def set_request(self: Any, value: Any) -> None:
        guarded(_answered, client, self, value, started_at.get())
        request.fset(self, value)

    for each, choose in zip(clients, choices, strict=True):
        each._transport_for_url = observing(choose)
    response.request = property(request.fget, set_request, doc=request.__doc__)
    passes_on = client.options.propagate_traces
    stop_passing = [_pass_traces_on(client, each) for each in clients if passes_on]

    def stop() -> None:
        response.request = request
        for each, choose in zip(clients, choices, strict=True):
            each._transport_for_url = choose
        for each in stop_passing:
            each()

    return stop


def _pass_traces_on(client: Client, kind: Any) -> Callable[[], None]:
    """Add the trace to a request while it gets its other defaults, each time it is sent."""
    original = kind._set_timeout

    def _set_timeout(self: Any, request: Any) -> None:
        original(self, request)
        guarded(_add_trace, client, request)

    kind._set_timeout = _set_timeout

    def stop() -> None:
        kind._set_timeout = original

    return stop


def _add_trace(client: Client, request: Any) -> None:
    added = vars(request).pop(_ADDED, None)
    if added is not None and request.headers.get("traceparent") == added:
        # Left from when the program sent the same request before.
        del request.headers["traceparent"]
    traceparent = client.traceparent()
    if traceparent is not None and "traceparent" not in request.headers:
        request.headers["traceparent"] = vars(request)[_ADDED] = traceparent


def _answered(client: Client, response: Any, request: Any, started_at: float) -> None:
    call = OutgoingCall.of_http(client, request.method, str(request.url))
    call.answered_after(response.status_code, time.perf_counter() - started_at)
