"""Statements of PyMySQL, seen in the methods of its cursors.

An error keeps the frames that it has without the client, except on Python 3.10: there it has one
more.
"""

from __future__ import annotations

import functools

from whence._core.guard import guarded
from whence._core.statement import Statement, is_recorded, leave_out_own_frame, text_of
from whence._instrumentations.loaded_modules import together, watch_loaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from whence._client import Client
    from whence._core.event import Json


def watch_pymysql(client: Client) -> Callable[[], None]:
    """Record each statement as a breadcrumb, without its values."""
    return watch_loaded("pymysql", lambda module: _watch(client, module))


def _watch(client: Client, module: ModuleType) -> Callable[[], None]:
    pymysql: Any = module
    cursor, errors = pymysql.cursors.Cursor, pymysql.constants.ER
    names = {number: name for name, number in vars(errors).items() if type(number) is int}
    return together([_observe(client, cursor, name, names) for name in ("execute", "executemany")])


def _observe(client: Client, owner: Any, name: str, names: dict[int, str]) -> Callable[[], None]:
    method = vars(owner)[name]

    @functools.wraps(method)
    def observed(self: Any, query: Any, *args: Any, **kwargs: Any) -> Any:
        statement = None if is_recorded() else guarded(_started, client, self, query)
        try:
            result = method(self, query, *args, **kwargs)
        except BaseException as error:
            if statement is not None:
                guarded(statement.failed, error, guarded(_code_of, error, names))
            leave_out_own_frame(error)
            raise
        if statement is not None:
            guarded(statement.ended)
        return result

    setattr(owner, name, observed)
    return lambda: setattr(owner, name, method)


def _started(client: Client, cursor: Any, query: Any) -> Statement | None:
    connection = cursor.connection
    text = text_of(query, connection)
    return None if text is None else Statement(client, "mysql", text, _server_of(connection))


def _server_of(connection: Any) -> dict[str, Json]:
    database = None if connection.db is None else connection.db.decode("utf-8", "replace")
    return {"host": connection.host, "port": connection.port, "database": database}


def _code_of(error: BaseException, names: dict[int, str]) -> str | None:
    """Return an error's code as MySQL writes it, such as ``ER_NO_SUCH_TABLE``."""
    name = names.get(error.args[0]) if error.args else None
    return None if name is None else f"ER_{name}"
