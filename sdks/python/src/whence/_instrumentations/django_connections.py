"""Statements of Django's connections, by its own ``execute_wrappers``."""

from __future__ import annotations

from whence._core.guard import guarded
from whence._core.statement import Statement, text_of
from whence._instrumentations.loaded_modules import watch_loaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from whence._client import Client


def watch_django_connections(client: Client) -> Callable[[], None]:
    """Record each statement as a breadcrumb, without its values."""
    return watch_loaded("django.db.backends.signals", lambda module: _watch(client, module))


def _watch(client: Client, module: ModuleType) -> Callable[[], None]:
    created: Any = module.connection_created

    def observe(execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        statement = guarded(_started, client, context["connection"], sql)
        try:
            result = execute(sql, params, many, context)
        except BaseException as error:
            if statement is not None:
                guarded(statement.failed, error)
            raise
        if statement is not None:
            guarded(statement.ended)
        return result

    def connected(connection: Any, **_more: Any) -> None:
        # A connection that was closed keeps its wrappers when it is opened again. First, because
        # Django's own ``execute_wrapper`` removes the last one.
        if observe not in connection.execute_wrappers:
            connection.execute_wrappers.insert(0, observe)

    created.connect(connected, weak=False)

    def stop() -> None:
        created.disconnect(connected)

    return stop


def _started(client: Client, connection: Any, sql: Any) -> Statement | None:
    text = text_of(sql, connection.connection)
    if text is None:
        return None
    settings = connection.settings_dict
    server = {"host": settings["HOST"], "port": settings["PORT"], "database": str(settings["NAME"])}
    return Statement(client, connection.vendor, text, server)
