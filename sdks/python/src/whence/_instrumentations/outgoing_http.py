"""Requests of :mod:`http.client`, on which urllib, urllib3, requests, and boto3 build.

The methods wrapped are called between the steps that can fail, never around them, so the tracebacks
of the program have the same frames as without the client.
"""

from __future__ import annotations

import sys
import threading

from whence._core.guard import guarded
from whence._core.outgoing_call import OutgoingCall
from whence._delivery.http import OWN_MARK
from whence._instrumentations.loaded_modules import watch_loaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType
    from typing import Any

    from whence._client import Client

#: Where a connection and its response keep the call in progress.
_CALL = "_whence_call"
#: The last request that each thread began, for the response that it is about to read.
_current = threading.local()


def watch_outgoing_http(client: Client) -> Callable[[], None]:
    """Record each request as a breadcrumb."""
    return watch_loaded("http.client", lambda module: _watch(client, module))


def _watch(client: Client, module: ModuleType) -> Callable[[], None]:
    connection: Any = module.HTTPConnection
    response: Any = module.HTTPResponse
    encode, close = connection._encode_request, connection.close
    begin, check = response.__init__, response._check_close

    def _encode_request(self: Any, request: str) -> Any:
        guarded(_started, client, self, request)
        guarded(_pass_trace_on, client, self)
        return encode(self, request)

    def __init__(self: Any, sock: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807
        begin(self, sock, *args, **kwargs)
        guarded(_awaited, self)

    def _check_close(self: Any) -> Any:
        guarded(_answered, self)
        return check(self)

    def closed(self: Any) -> None:
        guarded(_closed, self)
        close(self)

    connection._encode_request, connection.close = _encode_request, closed
    response.__init__, response._check_close = __init__, _check_close

    def stop() -> None:
        connection._encode_request, connection.close = encode, close
        response.__init__, response._check_close = begin, check

    return stop


def _started(client: Client, connection: Any, request: str) -> None:
    if getattr(connection, OWN_MARK, False):
        return
    method, _, rest = request.partition(" ")
    target = rest.rpartition(" ")[0]
    call = OutgoingCall.of_http(client, method, _url(connection, target))
    vars(connection)[_CALL] = call
    _current.call = call


class _Lines(list[bytes]):
    """The lines of a request, to which a header is added once the program has added its own."""

    __slots__ = ("_added",)

    def __init__(self, traceparent: str) -> None:
        super().__init__()
        self._added = b"traceparent: " + traceparent.encode("ascii")

    def extend(self, lines: Iterable[bytes]) -> None:
        """Add the end of the headers."""
        if not any(line[:12].lower() == b"traceparent:" for line in self):
            self.append(self._added)
        super().extend(lines)


def _pass_trace_on(client: Client, connection: Any) -> None:
    traceparent = None if getattr(connection, OWN_MARK, False) else client.traceparent()
    if traceparent is not None:
        connection._buffer = _Lines(traceparent)
    elif type(connection._buffer) is _Lines:
        # Left from the request before on this connection.
        connection._buffer = []


def _url(connection: Any, target: str) -> str:
    if "://" in target or connection._tunnel_host:
        host = connection._tunnel_host
        return target if "://" in target else f"https://{host}{target}"
    scheme = "https" if connection.default_port == 443 else "http"  # noqa: PLR2004
    is_usual = connection.port == connection.default_port
    host = f"[{connection.host}]" if ":" in connection.host else connection.host
    return f"{scheme}://{host}{'' if is_usual else f':{connection.port}'}{target}"


def _awaited(response: Any) -> None:
    call, _current.call = getattr(_current, "call", None), None
    if call is not None:
        vars(response)[_CALL] = call


def _answered(response: Any) -> None:
    call = vars(response).pop(_CALL, None)
    if call is not None:
        call.answered(response.status)


def _closed(connection: Any) -> None:
    call = vars(connection).pop(_CALL, None)
    error = sys.exc_info()[1]
    if call is not None and error is not None:
        call.failed(_system_error(error))


def _system_error(error: BaseException) -> BaseException:
    """Return the system's error that urllib has wrapped, such as a refused connection."""
    inner = error.__context__
    is_wrapped = isinstance(error, OSError) and isinstance(inner, OSError)
    return inner if is_wrapped and inner is not None else error
