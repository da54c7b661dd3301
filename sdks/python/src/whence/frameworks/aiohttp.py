"""aiohttp's server: ``web.Application(middlewares=[whence_middleware])``, first in the list."""

from __future__ import annotations

import sys

from whence.frameworks._serving import answered, failed, serve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    from whence._core.scope import Within


async def whence_middleware(request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
    """Tie what is recorded while a handler answers to the request."""
    within = _serve(request)
    if within is None:
        return await handler(request)
    with within:
        try:
            response = await handler(request)
        except Exception as error:
            status = _status_of(error)
            answered(lambda: 500 if status is None else status)
            if status is None:
                failed(error, "aiohttp")
            raise
    # In place of what isn't a response, aiohttp answers 500.
    answered(lambda: getattr(response, "status", 500))
    return response


# What aiohttp's own decorator for middleware sets.
whence_middleware.__middleware_version__ = 1  # type: ignore[attr-defined]


def _serve(request: Any) -> Within | None:
    def route() -> str | None:
        resource = request.match_info.route.resource
        return None if resource is None else str(resource.canonical)

    return serve(
        request.method,
        request.path,
        lambda: {name.lower(): value for name, value in request.headers.items()},
        route,
    )


def _status_of(error: Exception) -> int | None:
    """Return the status of an error that is an answer, such as ``HTTPNotFound``."""
    web: Any = sys.modules.get("aiohttp.web")
    return error.status if web is not None and isinstance(error, web.HTTPException) else None
