from __future__ import annotations

from whence._core import limits
from whence._core.breadcrumbs import Breadcrumb, Ring
from whence._core.builtin_types import ContextVar, Token
from whence._core.redact import REDACTED, without_key
from whence._core.text import trim
from whence._core.values import Walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType

    from whence._core.event import Json, WireRequest
    from whence._core.redact import Redaction
    from whence._core.trace import Trace


class Scope:
    """Facts and breadcrumbs of the process, of one request, or of a ``with whence.scope()``."""

    __slots__ = (
        "_contexts",
        "_redaction",
        "_tags",
        "_user",
        "attributes",
        "parent",
        "request",
        "ring",
        "route",
        "trace",
    )

    def __init__(self, redaction: Redaction, parent: Scope | None, ring: Ring) -> None:
        self._redaction = redaction
        self.parent = parent
        self.ring = ring
        self.request: WireRequest | None = None
        #: Names the route once the framework has found it.
        self.route: Callable[[], str | None] | None = None
        #: Where the work is in a trace: set for a request and for a job.
        self.trace: Trace | None = None
        #: What all events of a job say about it.
        self.attributes: dict[str, Json] = {}
        self._user: dict[str, Json] | None = None
        self._tags: dict[str, Json] = {}
        self._contexts: dict[str, Json] = {}

    def set_user(self, user: Mapping[str, object] | None) -> None:
        """Set who the program is working for, such as ``{"id": 31}``; None for no one."""
        walk = Walk.of_data(limits.CONTEXT_CHARACTERS_MAX)
        self._user = {} if user is None else walk.record(user, self._redaction.data)

    def set_tag(self, name: str, value: object) -> None:
        """Set a short fact, such as ``tenant``; None removes it."""
        key = trim(str(name), limits.TAG_NAME_LENGTH_MAX)
        tags = {other: kept for other, kept in self._tags.items() if other != key}
        if value is not None:
            is_redacted = self._redaction.data.rule_of(key) is not None
            text = REDACTED if is_redacted else _tag_text(value, self._redaction)
            tags[key] = trim(text, limits.TAG_VALUE_LENGTH_MAX)
        self._tags = dict(list(tags.items())[-limits.TAGS_MAX :])

    def set_tags(self, tags: Mapping[str, object]) -> None:
        """Set several tags."""
        for name, value in dict(tags).items():
            self.set_tag(name, value)

    def set_context(self, name: str, fields: Mapping[str, object] | None) -> None:
        """Set an object of facts by its name, such as ``cart``; None removes it."""
        key = trim(str(name), limits.TAG_NAME_LENGTH_MAX)
        contexts = {other: kept for other, kept in self._contexts.items() if other != key}
        if fields is not None:
            rules = self._redaction.data
            walk = Walk.of_data(limits.CONTEXT_CHARACTERS_MAX)
            is_redacted = rules.rule_of(key) is not None
            contexts[key] = (
                {key: REDACTED} if is_redacted else walk.record(fields, rules.within(key))
            )
        self._contexts = dict(list(contexts.items())[-limits.CONTEXTS_MAX :])

    def facts(self) -> dict[str, dict[str, Json]]:
        """Return user, tags, and contexts as an event carries them: the innermost scope wins."""
        scopes: list[Scope] = []
        scope: Scope | None = self
        while scope is not None:
            scopes.append(scope)
            scope = scope.parent
        user: dict[str, Json] = {}
        tags: dict[str, Json] = {}
        contexts: dict[str, Json] = {}
        for outer in reversed(scopes):
            user = user if outer._user is None else outer._user
            tags.update(outer._tags)
            contexts.update(outer._contexts)
        found = {"user": user, "tags": tags, "contexts": contexts}
        return {name: value for name, value in found.items() if value}

    def work(self) -> Scope | None:
        """Return the scope of the request or job that the program is working on, if any."""
        scope: Scope | None = self
        while scope is not None and scope.trace is None:
            scope = scope.parent
        return scope


def _tag_text(value: object, redaction: Redaction) -> str:
    if type(value) is str:
        return without_key(value)
    copied = Walk.of_data(limits.TAG_VALUE_LENGTH_MAX).copy(value, redaction.data)
    return copied if type(copied) is str else str(copied)


class Scopes:
    """The scope of each context of the program, over that of the process."""

    def __init__(self, redaction: Redaction) -> None:
        self._redaction = redaction
        self._current: ContextVar[Scope | None] = ContextVar("whence", default=None)
        self.process = Scope(redaction, None, Ring())

    def current(self) -> Scope:
        """Return the innermost scope of this context."""
        return self._current.get() or self.process

    def within(self) -> Within:
        """Return a scope inside the current one, for a ``with`` statement."""
        outer = self.current()
        return Within(self._current, Scope(self._redaction, outer, outer.ring))

    def serving(self, request: WireRequest, trace: Trace) -> Within:
        """Return the scope of a request, with breadcrumbs of its own."""
        within = self._working(self.process, trace)
        within.scope.request = request
        return within

    def running(self, attributes: dict[str, Json], trace: Trace) -> Within:
        """Return the scope of a job, with breadcrumbs of its own and the facts known here."""
        within = self._working(self.current(), trace)
        within.scope.attributes = attributes
        return within

    def _working(self, parent: Scope, trace: Trace) -> Within:
        scope = Scope(self._redaction, parent, Ring())
        scope.trace = trace
        return Within(self._current, scope)

    def trail(self) -> list[tuple[Breadcrumb, bool]]:
        """Return an event's breadcrumbs, oldest first, each with whether it is the process's."""
        own = self.current().ring
        if own is self.process.ring:
            return [(crumb, False) for crumb in own.newest()]
        both = [(crumb, True) for crumb in self.process.ring.newest()]
        both += [(crumb, False) for crumb in own.newest()]
        both.sort(key=lambda pair: pair[0].timestamp)
        return both[-limits.BREADCRUMBS_MAX :]


class Within:
    """Enters a scope and leaves it again."""

    __slots__ = ("_current", "_token", "scope")

    def __init__(self, current: ContextVar[Scope | None], scope: Scope) -> None:
        self._current = current
        self.scope = scope
        self._token: Token[Scope | None] | None = None

    def __enter__(self) -> Scope:
        self._token = self._current.set(self.scope)
        return self.scope

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        token, self._token = self._token, None
        if token is None:
            return
        try:
            self._current.reset(token)
        except ValueError:
            # Left in another context than entered, as by an async generator: nothing to undo here.
            return
