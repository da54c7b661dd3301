from __future__ import annotations

import sys

from whence._core import limits
from whence._core.cause_chain import message_of
from whence._core.guard import guarded
from whence._core.levels import is_failure, level_of_number
from whence._core.text import trim
from whence._core.values import Walk
from whence._instrumentations.loaded_modules import watch_loaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    import logging
    from collections.abc import Callable
    from types import ModuleType

    from whence._client import Client

#: Loggers of servers that write answers of 5xx as errors. Others with such a name may be anything.
_ACCESS_LOGS = ("django.server", "tornado.access")
#: What a line about such an answer has in it, whatever the logger.
_ANSWERED = "500 Internal Server Error"
_safe = (str, int, float, bool, type(None))
_TRACEBACK = "Traceback (most recent call last):"
#: A shorter message of an exception may be in a line by chance.
_MENTIONED_CHARACTERS_MIN = 8


def watch_logs(client: Client) -> Callable[[], None]:
    """Record log records after their handlers have run: failures as events, others as breadcrumbs.

    No handler is added: with one, ``logging.basicConfig`` would do nothing, and warnings that
    Python prints without any handler would disappear.
    """
    return watch_loaded("logging", lambda module: _watch(client, module))


def _watch(client: Client, module: ModuleType) -> Callable[[], None]:
    logger: type[logging.Logger] = module.Logger
    original = logger.callHandlers

    def callHandlers(self: logging.Logger, record: logging.LogRecord) -> None:  # noqa: N802
        try:
            original(self, record)
        finally:
            guarded(_record, client, record)

    callHandlers.__doc__ = original.__doc__
    # When a handler fails, logging prints the program's stack, which it takes to begin above the
    # last frame of its own file. This one has to count as such.
    callHandlers.__code__ = callHandlers.__code__.replace(
        co_filename=logger.handle.__code__.co_filename
    )
    logger.callHandlers = callHandlers  # type: ignore[method-assign]

    def stop() -> None:
        if logger.callHandlers is callHandlers:
            logger.callHandlers = original  # type: ignore[method-assign]

    return stop


def _record(client: Client, record: logging.LogRecord) -> None:
    level = level_of_number(record.levelno)
    message = _message_of(client, record)
    # The failure behind an answer is logged before the line about the answer, each once.
    is_answer = record.name in _ACCESS_LOGS or _ANSWERED in message
    if not is_failure(level) or (is_answer and client.take_recent_failure()):
        text = trim(message, limits.LOG_LINE_CHARACTERS_MAX)
        client.add_breadcrumb("log", text, level, {"logger": record.name})
        return
    attributes = {
        "logger": record.name,
        "file": record.pathname,
        "line": record.lineno,
        "function": record.funcName,
    }
    error = record.exc_info[1] if type(record.exc_info) is tuple else _mentioned(record, message)
    if error is not None and issubclass(type(error), BaseException):
        client.capture_exception(
            error, mechanism="logging", level=level, attributes={**attributes, "message": message}
        )
    else:
        client.capture_message(message, mechanism="logging", level=level, attributes=attributes)


def _mentioned(record: logging.LogRecord, message: str) -> BaseException | None:
    """Return the exception that is being handled if the line is about it: they are one failure."""
    error = sys.exc_info()[1]
    if error is None:
        return None
    if type(record.args) is tuple and any(one is error for one in record.args):
        return error
    # The stack as text, of a program that formats it itself.
    if _TRACEBACK in message and type(error).__name__ in message:
        return error
    text = message_of(error)
    return error if len(text) >= _MENTIONED_CHARACTERS_MIN and text in message else None


def _message_of(client: Client, record: logging.LogRecord) -> str:
    """Return the text that a handler has formatted; else one made without the host's code."""
    formatted = record.__dict__.get("message")
    if type(formatted) is str:
        return formatted
    template = record.msg if type(record.msg) is str else None
    if template is None:
        return str(_shown(client, record.msg))
    if not record.args:
        return template
    if type(record.args) is dict:
        values = {key: _shown(client, value) for key, value in record.args.items()}
        return guarded(template.__mod__, values) or template
    args = record.args if type(record.args) is tuple else (record.args,)
    return guarded(template.__mod__, tuple(_shown(client, value) for value in args)) or template


def _shown(client: Client, value: object) -> object:
    if type(value) in _safe:
        return value
    if issubclass(type(value), BaseException):
        return message_of(value)  # type: ignore[arg-type]
    return Walk.of_data(limits.LOG_LINE_CHARACTERS_MAX).copy(value, client.redaction.data)
