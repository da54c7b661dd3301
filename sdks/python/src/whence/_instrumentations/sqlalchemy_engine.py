"""Statements of SQLAlchemy, by its own events."""

from __future__ import annotations

from whence._core.guard import guarded
from whence._core.statement import Statement
from whence._instrumentations.loaded_modules import watch_loaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from whence._client import Client

_STATEMENT = "_whence_statement"


def watch_sqlalchemy(client: Client) -> Callable[[], None]:
    """Record each statement as a breadcrumb, without its values."""
    return watch_loaded("sqlalchemy", lambda module: _watch(client, module))


def _watch(client: Client, module: ModuleType) -> Callable[[], None]:
    event: Any = module.event
    engine: Any = module.engine.Engine

    def before(
        connection: Any, _cursor: Any, statement: str, _values: Any, context: Any, _many: Any
    ) -> None:
        guarded(_started, client, connection, statement, context)

    def after(
        _connection: Any, _cursor: Any, _statement: str, _values: Any, context: Any, _many: Any
    ) -> None:
        call = vars(context).pop(_STATEMENT, None)
        if call is not None:
            guarded(call.ended)

    def failed(context: Any) -> None:
        execution = context.execution_context
        call = None if execution is None else vars(execution).pop(_STATEMENT, None)
        if call is not None:
            guarded(call.failed, context.original_exception)

    listeners = (
        ("before_cursor_execute", before),
        ("after_cursor_execute", after),
        ("handle_error", failed),
    )
    for name, listener in listeners:
        event.listen(engine, name, listener)

    def stop() -> None:
        for name, listener in listeners:
            event.remove(engine, name, listener)

    return stop


def _started(client: Client, connection: Any, statement: str, context: Any) -> None:
    url = connection.engine.url
    server = {"host": url.host, "port": url.port, "database": url.database}
    vars(context)[_STATEMENT] = Statement(client, connection.dialect.name, statement, server)
