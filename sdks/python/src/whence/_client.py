from __future__ import annotations

import itertools
import os
import sys
import time

from whence._core import limits
from whence._core.breadcrumbs import Breadcrumb
from whence._core.builtin_types import ContextVar
from whence._core.create_event import Event, add_circumstances, exception_event, message_event
from whence._core.event_rules import excluded, review_breadcrumb
from whence._core.guard import guarded
from whence._core.redact import Redaction
from whence._core.reported_errors import ReportedErrors
from whence._core.request import wire_request
from whence._core.scope import Scopes
from whence._core.text import trim
from whence._core.trace import active_span, trace_of
from whence._core.trim_event import trim_json
from whence._core.values import Walk
from whence._delivery.file_sender import FileSender
from whence._delivery.http import Connection
from whence._delivery.sender import Sender
from whence._delivery.spool import Spool
from whence._delivery.transport import Transport
from whence._environment import doctor_address
from whence._process.description import ProcessDescription
from whence._process.heartbeats import Heartbeats
from whence._process.program import main_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import CodeType

    from whence._core.event import Json, Level
    from whence._core.pack_event import EventPacker
    from whence._core.scope import Within
    from whence._options import Options


class Client:
    """One running client: what captures, what records, and what sends."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.redaction = Redaction(options.redact)
        self.scopes = Scopes(self.redaction)
        self.heartbeats = Heartbeats()
        self._description = ProcessDescription(options.service, options.env, options.release)
        self._reported = ReportedErrors()
        self._stops: list[Callable[[], None]] = []
        #: When something last failed in this thread or task that has no answer yet.
        self._failed_at: ContextVar[float | None] = ContextVar("whence_failed_at", default=None)
        self._is_closed = False
        self._packer: EventPacker | None = None
        connection = Connection(options.endpoint, options.api_key)
        files: FileSender | None = None
        # The doctor has no use for files.
        if options.source == "files" and doctor_address() is None:
            files = FileSender(connection.beside, self._description.header)
        self._transport = Transport(
            connection,
            self._description.header,
            self._forget_functions,
            trim_json,
            files,
        )
        service = (options.endpoint, options.api_key, options.service, options.env)
        folder = options.spool
        spool = None if folder is None else Spool(folder, service, self._description.header)
        self._spool = spool
        self.sender = Sender(self._transport, self._made_packer, spool, self._beat)
        self._renew()

    def _renew(self) -> None:
        self._numbers = itertools.count(1)
        self._pid = os.getpid()
        self._has_captured = False
        self._has_failed = False

    def describe(self, name: str, value: str) -> bool:
        """Change the service, env, or release; return False once the service knows them."""
        return self._description.change(name, value)

    def start(self, instrumentations: list[Callable[[Client], Callable[[], None]]]) -> None:
        """Begin to watch the program. What can't be watched is left alone."""
        for begin in instrumentations:
            stop = guarded(begin, self)
            if stop is not None:
                self._stops.append(stop)
        self.sender.start()

    def capture_exception(
        self,
        error: BaseException,
        *,
        mechanism: str,
        level: Level = "error",
        handled: bool = True,
        is_fatal: bool = False,
        attributes: Mapping[str, object] | None = None,
    ) -> str | None:
        """Record an exception once; return the id of its event."""
        known = self._reported.find(error)
        if known is not None:
            return known
        event = exception_event(
            error,
            level,
            mechanism,
            self.redaction,
            self.options.error_fields,
            handled=handled,
            with_locals=self.options.local_variables,
        )
        event.is_fatal = is_fatal
        first = event.thrown[0]
        title = f"{first.type}: {first.message}" if first.message else first.type
        if self._record(event, attributes, title):
            self._reported.add(error, event.id)
            return event.id
        return None

    def capture_message(
        self,
        message: object,
        *,
        mechanism: str,
        level: Level = "info",
        attributes: Mapping[str, object] | None = None,
    ) -> str | None:
        """Record a message; return the id of its event."""
        event = message_event(message, level, mechanism, self.redaction)
        return event.id if self._record(event, attributes, event.message) else None

    def add_breadcrumb(
        self,
        category: str,
        message: str | None = None,
        level: Level | None = None,
        data: Mapping[str, object] | None = None,
    ) -> Breadcrumb | None:
        """Record something that happened; None when the program's hook drops it."""
        copied: dict[str, Json] | None = None
        if data is not None:
            walk = Walk.of_data(limits.BREADCRUMB_CHARACTERS_MAX)
            copied = walk.record(data, self.redaction.data)
        text = None if message is None else trim(message, limits.MESSAGE_LENGTH_MAX)
        name = trim(category, limits.TEXT_LENGTH_MAX)
        crumb = Breadcrumb(time.time(), name, level, text, copied)
        if not self.review(crumb):
            return None
        self.scopes.current().ring.add(crumb)
        self.heartbeats.add(crumb)
        return crumb

    def take_recent_failure(self) -> bool:
        """Return whether something failed in this thread or task a moment ago, and forget it."""
        failed_at = self._failed_at.get()
        self._failed_at.set(None)
        return failed_at is not None and time.monotonic() - failed_at < limits.DEDUPE_WINDOW_S

    def traceparent(self) -> str | None:
        """Return the header with which a service that is called joins the trace; None for none.

        That is without the option, outside of requests and jobs, and inside of OpenTelemetry's
        spans, which OpenTelemetry passes on.
        """
        if not self.options.propagate_traces:
            return None
        work = self.scopes.current().work()
        trace = None if work is None or active_span() is not None else work.trace
        return None if trace is None else trace.header()

    def review(self, crumb: Breadcrumb) -> bool:
        """Whether the program's hook keeps a breadcrumb, which it may change."""
        hook = self.options.before_breadcrumb
        return hook is None or review_breadcrumb(crumb, hook)

    def serve(self, method: str, target: str, headers: Mapping[str, object]) -> Within:
        """Return the scope of a request, for a ``with`` statement."""
        request = wire_request(method, target, headers, self.redaction)
        return self.scopes.serving(request, trace_of(headers))

    def run(self, job: Mapping[str, Json], headers: Mapping[str, object]) -> Within:
        """Return the scope of a job, for a ``with`` statement; ``job`` is in all of its events."""
        return self.scopes.running(dict(job), trace_of(headers))

    def flush(self, timeout_s: float = limits.FLUSH_TIMEOUT_S) -> bool:
        """Send what is queued; return whether everything since the last flush arrived."""
        if self._is_closed:
            return not self.sender.has_work
        return self.sender.flush(timeout_s)

    def lost_events(self) -> dict[str, int]:
        """Return how many events were dropped, by reason."""
        return dict(self._transport.losses.by_reason)

    def finish(self) -> None:
        """End in order, within the time that the end of a process may take."""
        if self._is_closed or self._pid != os.getpid():
            return
        try:
            self._finish()
        except BaseException:
            # A signal. The program has ended, and waits for nothing but this.
            self._is_closed = True
            self.sender.close(0)

    def _finish(self) -> None:
        self._capture_last_value()
        if not self.heartbeats.has_begun and not self._has_captured:
            # The service doesn't know this process, and misses nothing.
            self._is_closed = True
            self.sender.close(limits.EXIT_WAIT_S)
            return
        wait = limits.CRASH_WAIT_S if self._has_failed else limits.EXIT_WAIT_S
        self.close(wait)

    def close(self, timeout_s: float = limits.FLUSH_TIMEOUT_S) -> bool:
        """Report an orderly end, send what is queued, and stop."""
        if self._is_closed:
            return True
        end = time.monotonic() + timeout_s
        self._add(self.heartbeats.exit())
        result = self.sender.flush(timeout_s)
        self._is_closed = True
        for stop in reversed(self._stops):
            guarded(stop)
        # Last, as what is captured meanwhile would be lost. The program may have more to end than
        # this: it waits for files no longer than at a crash.
        self.sender.send_files(min(end, time.monotonic() + limits.CRASH_WAIT_S))
        self.sender.close(max(0.0, end - time.monotonic()))
        return result

    def before_fork(self) -> None:
        """Get ready for a fork."""
        self.sender.pause()

    def begin_child(self) -> None:
        """Begin the life of a forked process."""
        self._renew()
        self._description.renew()
        self.heartbeats.renew()
        self.sender.leave_to_parent()

    def watch_again(self) -> None:
        """Start the sender again, which a fork has ended."""
        self.sender.start()

    def _capture_last_value(self) -> None:
        """Record what ended the program when something replaced the hook that would have."""
        error: object = getattr(sys, "last_value", None)
        # uWSGI prints what a request raises in a way that leaves it there.
        if isinstance(error, Exception) and "uwsgi" not in sys.modules:
            self.capture_exception(
                error, mechanism="sys.excepthook", level="critical", handled=False, is_fatal=True
            )

    def _record(self, event: Event, attributes: Mapping[str, object] | None, title: str) -> bool:
        if self._is_closed:
            return False
        if event.rank > 0:
            self._failed_at.set(time.monotonic())
        if not event.is_fatal:
            reason = excluded(title, self.options)
            if reason is not None:
                self._lose(next(self._numbers), reason)
                return False
        add_circumstances(event, self.scopes)
        if attributes:
            walk = Walk.of_data(limits.ATTRIBUTES_CHARACTERS_MAX)
            event.attributes = {
                **event.attributes,
                **walk.record(attributes, self.redaction.data),
            }
        self._has_failed = self._has_failed or event.rank > 0
        self._add(event)
        return True

    def _add(self, event: Event) -> None:
        if not self._has_captured:
            # Now, as the interpreter forgets it once it has run.
            guarded(main_file)
        self._has_captured = True
        event.seq = next(self._numbers)
        self.sender.add(event)

    def _made_packer(self) -> EventPacker:
        """Return what writes events, which is loaded on the sender's thread."""
        packer = self._packer
        if packer is None:
            from whence._core.pack_event import EventPacker

            packer = self._packer = EventPacker(self.options, self.redaction, self._lose)
        return packer

    def _forget_functions(self, functions: list[CodeType]) -> None:
        self._made_packer().forget_functions(functions)

    def _lose(self, seq: int, reason: str) -> None:
        self._transport.losses.add(seq, reason)

    def _beat(self) -> None:
        self._reported.forget_old()
        state: dict[str, Json] = {"spool_off": "spool is false"}
        if self._spool is not None:
            state = {"spool_folder": self._spool.folder}
            if self._spool.errors:
                state["spool_errors"] = self._spool.errors
        files = self._transport.files
        if files is not None and files.sent:
            state["sent_files"] = files.sent
        event = self.heartbeats.take_due(state)
        if event is not None:
            event.seq = next(self._numbers)
            self._transport.inbox.add(event)
