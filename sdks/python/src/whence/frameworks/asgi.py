"""Middleware for any ASGI application, such as Starlette's and FastAPI's."""

from __future__ import annotations

from whence.frameworks._serving import answered, failed, serve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from typing import Any

    Message = Any
    AsgiApp = Callable[
        [Any, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]],
        Awaitable[None],
    ]


class WhenceMiddleware:
    """Ties what is recorded while an application answers to the request."""

    def __init__(self, app: AsgiApp) -> None:
        """Wrap an application."""
        self.app = app

    async def __call__(
        self,
        scope: Any,
        receive: Callable[[], Awaitable[Message]],
        send: Callable[[Message], Awaitable[None]],
    ) -> None:
        """Answer a request as the application does."""
        within = None
        if scope["type"] in ("http", "websocket"):
            within = serve(
                scope.get("method", "GET"),
                scope["path"],
                lambda: _headers(scope),
                lambda: getattr(scope.get("route"), "path", None),
            )
        if within is None:
            await self.app(scope, receive, send)
            return

        async def observed(message: Message) -> None:
            if message["type"] == "http.response.start":
                answered(lambda: message["status"])
            await send(message)

        with within:
            try:
                await self.app(scope, receive, observed)
            except Exception as error:
                failed(error, "asgi")
                raise


def _headers(scope: Any) -> Mapping[str, object]:
    headers: dict[str, object] = {}
    for name, value in scope.get("headers", ()):
        headers[name.decode("latin-1").lower()] = value.decode("latin-1")
    return headers
