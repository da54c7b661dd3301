"""Statements of psycopg 3, seen in the generators on which its cursors of all kinds build.

psycopg raises its own errors without the frames below ``execute``, and others lose the frame added
here, so the program's tracebacks have the same frames as without the client. On Python 3.10, an
error of another type, such as a TypeError for the parameters, has one more.
"""

from __future__ import annotations

from whence._core.guard import guarded
from whence._core.statement import Statement, is_recorded, leave_out_own_frame, text_of
from whence._instrumentations.loaded_modules import together, watch_loaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from types import ModuleType
    from typing import Any

    from whence._client import Client
    from whence._core.event import Json

_CURSORS = ("Cursor", "AsyncCursor", "ServerCursor", "AsyncServerCursor")
_GENERATORS = (
    *("_execute_gen", "_executemany_gen_pipeline", "_executemany_gen_no_pipeline"),
    *("_stream_send_gen", "_declare_gen"),
)


def watch_psycopg(client: Client) -> Callable[[], None]:
    """Record each statement as a breadcrumb, without its values."""
    return watch_loaded("psycopg", lambda module: _watch(client, module))


def _watch(client: Client, module: ModuleType) -> Callable[[], None]:
    cursors = [getattr(module, name) for name in _CURSORS]
    found = {
        (owner, name): vars(owner)[name]
        for cursor in cursors
        for owner in cursor.__mro__
        for name in _GENERATORS
        if name in vars(owner)
    }
    return together(
        [_observe(client, owner, name, generator) for (owner, name), generator in found.items()]
    )


def _observe(client: Client, owner: Any, name: str, generator: Any) -> Callable[[], None]:
    def observed(self: Any, query: Any, *args: Any, **kwargs: Any) -> Any:
        steps = generator(self, query, *args, **kwargs)
        return steps if is_recorded() else _run(client, self, query, steps)

    observed.__name__, observed.__qualname__ = name, generator.__qualname__
    setattr(owner, name, observed)
    return lambda: setattr(owner, name, generator)


def _run(
    client: Client, cursor: Any, query: Any, steps: Generator[Any, Any, Any]
) -> Generator[Any, Any, Any]:
    # Only now: on a lost connection, psycopg makes the generator and never runs it.
    statement = guarded(_started, client, cursor, query)
    try:
        result = yield from steps
    except BaseException as error:
        if statement is not None:
            guarded(statement.failed, error)
        leave_out_own_frame(error)
        raise
    if statement is not None:
        guarded(statement.ended)
    return result


def _started(client: Client, cursor: Any, query: Any) -> Statement | None:
    text = text_of(query, cursor)
    return None if text is None else Statement(client, "postgresql", text, _server_of(cursor))


def _server_of(cursor: Any) -> dict[str, Json]:
    info = cursor.connection.info
    return {"host": info.host, "port": info.port, "database": info.dbname}
