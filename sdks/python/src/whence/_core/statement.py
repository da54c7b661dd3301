from __future__ import annotations

from whence._core.builtin_types import ContextVar
from whence._core.outgoing_call import OutgoingCall
from whence._core.statement_shape import operation_of, statement_shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from whence._client import Client
    from whence._core.event import Json

#: The statement in progress, which the driver below must not record again.
_in_progress: ContextVar[Statement | None] = ContextVar("whence_statement", default=None)


class Statement:
    """A statement that a database executes: a breadcrumb, without the statement's values."""

    __slots__ = ("_call",)

    def __init__(
        self, client: Client, system: str, statement: str, server: dict[str, Json]
    ) -> None:
        shape = statement_shape(statement, system)
        data: dict[str, Json] = {"system": system, "statement": shape}
        known = {"operation": operation_of(shape), **server}
        data.update({name: value for name, value in known.items() if value})
        self._call = OutgoingCall(client, "db", data)
        _in_progress.set(self)

    def ended(self) -> None:
        """Record that it was executed."""
        self._leave()
        self._call.ended()

    def failed(self, error: BaseException, code: str | None = None) -> None:
        """Record that it failed, with the SQLSTATE, or what the driver calls the error."""
        self._leave()
        self._call.failed(error, code or _sqlstate_of(error))

    def _leave(self) -> None:
        if _in_progress.get() is self:
            _in_progress.set(None)


def is_recorded() -> bool:
    """Whether a library above the driver records the statement in progress."""
    return _in_progress.get() is not None


def text_of(statement: Any, connection: Any) -> str | None:
    """Return the text of what a connection executes: also of psycopg's ``sql.Composed``."""
    if isinstance(statement, str):
        return statement
    if isinstance(statement, bytes):
        return statement.decode("utf-8", "replace")
    if not hasattr(statement, "as_string"):
        return None
    text: str = statement.as_string(connection)
    return text


def leave_out_own_frame(error: BaseException) -> None:
    """Leave the frame that handles an error out of its traceback. Python 3.10 puts it back."""
    if error.__traceback__ is not None:
        error.__traceback__ = error.__traceback__.tb_next


def _sqlstate_of(error: BaseException) -> str | None:
    for each in (error, error.__cause__):
        for name in ("sqlstate", "pgcode"):
            code = getattr(each, name, None)
            if type(code) is str:
                return code
    return None
