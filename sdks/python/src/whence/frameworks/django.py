"""Django: add ``whence.frameworks.django.WhenceMiddleware`` to ``MIDDLEWARE``, first."""

from __future__ import annotations

import sys

from whence.frameworks._serving import answered, failed, serve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from whence._core.scope import Within


class WhenceMiddleware:
    """Ties what is recorded while a view answers to the request, in WSGI and ASGI."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[Any], Any]) -> None:
        """Wrap the rest of the middleware, as Django asks for it."""
        self._get_response = get_response
        coroutines: Any = sys.modules.get("asgiref.sync")
        self._is_async = bool(coroutines.iscoroutinefunction(get_response))
        if self._is_async:
            coroutines.markcoroutinefunction(self)

    def __call__(self, request: Any) -> Any:
        """Answer a request as the view does."""
        if self._is_async:
            return self._answer_async(request)
        within = _serve(request)
        if within is None:
            return self._get_response(request)
        with within:
            response = self._get_response(request)
        answered(lambda: response.status_code)
        return response

    async def _answer_async(self, request: Any) -> Any:
        within = _serve(request)
        if within is None:
            return await self._get_response(request)
        with within:
            response = await self._get_response(request)
        answered(lambda: response.status_code)
        return response

    def process_exception(self, _request: Any, error: BaseException) -> None:
        """Record what a view raised; Django answers it as before."""
        failed(error, "django")


def _serve(request: Any) -> Within | None:
    def route() -> str | None:
        match = request.resolver_match
        return None if match is None or not match.route else f"/{match.route}"

    return serve(
        request.method,
        request.path,
        lambda: {name.lower(): value for name, value in request.headers.items()},
        route,
    )
