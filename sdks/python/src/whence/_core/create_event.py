from __future__ import annotations

import time

from whence._core import limits
from whence._core.cause_chain import Thrown, cause_chain
from whence._core.identifiers import uuid7
from whence._core.text import trim
from whence._core.trace import active_span
from whence._core.values import Walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from whence._core.breadcrumbs import Breadcrumb
    from whence._core.event import Json, Level, WireRequest
    from whence._core.redact import Redaction
    from whence._core.scope import Scopes
    from whence._core.trace import Trace


class Event:
    """What was captured, before the sender adds source and writes it."""

    __slots__ = (
        "attributes", "crumbs", "facts", "handled", "id", "is_fatal", "level", "mechanism",
        "message", "request", "seq", "thrown", "timestamp", "trace", "type",
    )  # fmt: skip

    def __init__(
        self,
        kind: Literal["exception", "log", "heartbeat", "exit"],
        level: Level,
        message: str,
        mechanism: str,
        *,
        handled: bool = True,
    ) -> None:
        self.id = uuid7()
        self.seq = 0
        self.timestamp = time.time()
        self.type = kind
        self.level = level
        self.message = message
        self.mechanism = mechanism
        self.handled = handled
        self.is_fatal = False
        self.thrown: list[Thrown] = []
        self.crumbs: list[tuple[Breadcrumb, bool]] = []
        self.request: WireRequest | None = None
        self.trace: Trace | None = None
        self.attributes: dict[str, Json] = {}
        self.facts: dict[str, dict[str, Json]] = {}

    @property
    def rank(self) -> int:
        """What it is worth when there isn't room for all: the lowest goes first."""
        if self.is_fatal:
            return 3
        if self.type == "exception":
            return 2
        return 1 if self.level in ("error", "critical") else 0

    @property
    def cost(self) -> int:
        """Estimated bytes of memory. Breadcrumbs are shared, and count once elsewhere."""
        text = len(self.message) + sum(len(thrown.message) for thrown in self.thrown)
        frames = sum(len(thrown.calls) for thrown in self.thrown)
        return 4_000 + text * 2 + frames * 150 + (limits.LOCALS_CHARACTERS_MAX if frames else 0)


def exception_event(
    error: BaseException,
    level: Level,
    mechanism: str,
    redaction: Redaction,
    error_fields: frozenset[str],
    *,
    handled: bool,
    with_locals: bool,
) -> Event:
    """Return the event of an exception with its causes."""
    thrown = cause_chain(error, redaction, error_fields, with_locals=with_locals)
    event = Event("exception", level, thrown[0].message, mechanism, handled=handled)
    event.thrown = thrown
    return event


def message_event(message: object, level: Level, mechanism: str, redaction: Redaction) -> Event:
    """Return the event of a message."""
    if type(message) is str:
        text = message
    else:
        copied = Walk.of_data(limits.MESSAGE_LENGTH_MAX).copy(message, redaction.data)
        text = copied if type(copied) is str else str(copied)
    return Event("log", level, trim(text, limits.MESSAGE_LENGTH_MAX), mechanism)


def add_circumstances(event: Event, scopes: Scopes) -> None:
    """Add what is known where an event is captured: breadcrumbs, request, trace, and facts."""
    scope = scopes.current()
    event.crumbs = scopes.trail()
    event.facts = scope.facts()
    event.trace = active_span()
    work = scope.work()
    if work is None:
        return
    event.trace = event.trace or work.trace
    event.attributes = work.attributes
    if work.request is None:
        return
    route = work.route() if work.route is not None else None
    event.request = (
        {**work.request, "route": trim(route, limits.TEXT_LENGTH_MAX)} if route else work.request
    )
