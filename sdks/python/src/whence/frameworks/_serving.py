from __future__ import annotations

from whence._api import running_client
from whence._core.guard import guarded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from whence._core.scope import Within


def serve(
    method: str,
    target: str,
    headers: Callable[[], Mapping[str, object]],
    route: Callable[[], str | None],
) -> Within | None:
    """Return the scope of a request, for a ``with`` statement; None without a client."""
    client = running_client()
    if client is None:
        return None
    within = guarded(lambda: client.serve(method, target, headers()))
    if within is not None:
        within.scope.route = lambda: guarded(route)
    return within


def answered(status: Callable[[], int]) -> None:
    """Count a request for the heartbeat. What isn't a response is left to the framework."""
    client = running_client()
    if client is not None:
        guarded(lambda: client.heartbeats.count_request(status()))


def failed(error: BaseException, mechanism: str) -> None:
    """Record what a route raised."""
    client = running_client()
    if client is not None and issubclass(type(error), Exception):
        guarded(client.capture_exception, error, mechanism=mechanism)
