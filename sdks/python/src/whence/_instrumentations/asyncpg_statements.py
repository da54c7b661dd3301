"""Statements of asyncpg, seen where its connections, prepared statements and cursors execute them.

An error keeps the frames that it has without the client, except on Python 3.10: there it has one
more.
"""

from __future__ import annotations

import functools

from whence._core.guard import guarded
from whence._core.statement import Statement, is_recorded, leave_out_own_frame
from whence._instrumentations.loaded_modules import together, watch_loaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from whence._client import Client
    from whence._core.event import Json

#: Methods whose first argument is the statement.
_OF_CONNECTIONS = ("execute", "_execute", "_executemany")


def watch_asyncpg(client: Client) -> Callable[[], None]:
    """Record each statement as a breadcrumb, without its values."""
    return watch_loaded("asyncpg", lambda module: _watch(client, module))


def _watch(client: Client, module: ModuleType) -> Callable[[], None]:
    asyncpg: Any = module
    prepared, cursor = asyncpg.prepared_stmt.PreparedStatement, asyncpg.cursor.BaseCursor
    methods: list[tuple[Any, str, Callable[..., tuple[Any, Any]]]] = [
        *((asyncpg.connection.Connection, name, _given) for name in _OF_CONNECTIONS),
        (prepared, "_PreparedStatement__do_execute", _kept),
        *((cursor, name, _kept) for name in ("_bind", "_bind_exec")),
    ]
    stops = [_observe(client, *method) for method in methods if method[1] in vars(method[0])]
    return together(stops)


def _given(connection: Any, query: Any, *_args: Any, **_options: Any) -> tuple[Any, Any]:
    return connection, query


def _kept(prepared: Any, *_args: Any, **_options: Any) -> tuple[Any, Any]:
    return prepared._connection, prepared._query


def _observe(
    client: Client, owner: Any, name: str, about: Callable[..., tuple[Any, Any]]
) -> Callable[[], None]:
    method = vars(owner)[name]

    @functools.wraps(method)
    async def observed(self: Any, *args: Any, **kwargs: Any) -> Any:
        statement = None
        if not is_recorded():
            statement = guarded(lambda: _started(client, *about(self, *args, **kwargs)))
        try:
            result = await method(self, *args, **kwargs)
        except BaseException as error:
            if statement is not None:
                guarded(statement.failed, error)
            leave_out_own_frame(error)
            raise
        if statement is not None:
            guarded(statement.ended)
        return result

    setattr(owner, name, observed)
    return lambda: setattr(owner, name, method)


def _started(client: Client, connection: Any, query: Any) -> Statement | None:
    # What a pool executes when it takes a connection back isn't the program's.
    if not isinstance(query, str) or query == connection.get_reset_query():
        return None
    return Statement(client, "postgresql", query, _server_of(connection))


def _server_of(connection: Any) -> dict[str, Json]:
    address = connection._addr
    # The address of a Unix socket is a path.
    host, port = address if isinstance(address, tuple) else (address, None)
    return {"host": host, "port": port, "database": connection._params.database}
