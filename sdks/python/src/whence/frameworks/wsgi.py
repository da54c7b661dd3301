"""Middleware for any WSGI application."""

from __future__ import annotations

from whence.frameworks._serving import answered, failed, serve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

_OTHER_HEADERS = {"CONTENT_TYPE": "content-type", "CONTENT_LENGTH": "content-length"}


class WhenceMiddleware:
    """Ties what is recorded while an application answers to the request."""

    def __init__(
        self, app: WsgiApp, route: Callable[[dict[str, Any]], str | None] | None = None
    ) -> None:
        """Wrap an application; ``route`` names the route of a request's environment."""
        self._app = app
        self._route = route

    def __call__(
        self, environ: dict[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        """Answer a request as the application does."""
        path = f"{environ.get('SCRIPT_NAME', '')}{environ.get('PATH_INFO', '')}" or "/"
        within = serve(
            str(environ.get("REQUEST_METHOD", "GET")),
            path,
            lambda: _headers(environ),
            lambda: None if self._route is None else self._route(environ),
        )
        if within is None:
            return self._app(environ, start_response)

        def started(status: str, *args: Any) -> Any:
            answered(lambda: int(status[:3]) if status[:3].isdigit() else 0)
            return start_response(status, *args)

        with within:
            try:
                return self._app(environ, started)
            except Exception as error:
                failed(error, "wsgi")
                raise


def _headers(environ: dict[str, Any]) -> Mapping[str, object]:
    headers: dict[str, object] = {
        name[5:].replace("_", "-").lower(): value
        for name, value in environ.items()
        if name.startswith("HTTP_")
    }
    for name, header in _OTHER_HEADERS.items():
        if environ.get(name):
            headers[header] = environ[name]
    return headers
