"""Flask: ``whence_flask(app)``."""

from __future__ import annotations

from whence.frameworks._serving import failed
from whence.frameworks.wsgi import WhenceMiddleware

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def whence_flask(app: Any) -> None:
    """Tie what is recorded to the request that a Flask application serves."""
    from flask import got_request_exception

    def route(_environ: dict[str, Any]) -> str | None:
        from flask import has_request_context, request

        rule = request.url_rule if has_request_context() else None
        return None if rule is None else str(rule.rule)

    def record(_sender: Any, exception: BaseException, **_extra: Any) -> None:
        failed(exception, "flask")

    app.wsgi_app = WhenceMiddleware(app.wsgi_app, route)
    got_request_exception.connect(record, app, weak=False)
