from __future__ import annotations

from whence._core import limits
from whence._core.identifiers import timestamp
from whence._core.redaction_log import redaction_log
from whence._core.text import trim
from whence._environment import set_variables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whence._core.breadcrumbs import Breadcrumb
    from whence._core.cause_chain import Thrown
    from whence._core.create_event import Event
    from whence._core.event import WireBreadcrumb, WireEvent, WireException, WireFrame
    from whence._core.redact import Redaction
    from whence._core.stack_frames import Call
    from whence._source.function_sources import EventSources, FunctionSources


def wire_event(
    event: Event, sources: FunctionSources | None, redaction: Redaction, used: EventSources
) -> WireEvent:
    """Return an event as it leaves, with source lines unless ``sources`` is None. Reads files."""
    wire: WireEvent = {
        "id": event.id,
        "seq": event.seq,
        "type": event.type,
        "timestamp": timestamp(event.timestamp),
        "level": event.level,
        "message": event.message,
        "mechanism": {"type": event.mechanism, "handled": event.handled},
    }
    if event.thrown:
        wire["exceptions"] = [_exception(thrown, sources, used) for thrown in event.thrown]
    if event.crumbs:
        wire["breadcrumbs"] = [
            wire_breadcrumb(crumb, is_process) for crumb, is_process in event.crumbs
        ]
    if event.request is not None:
        wire["request"] = event.request
    if event.trace is not None:
        wire["trace"] = {"trace_id": event.trace.trace_id, "span_id": event.trace.span_id}
    if event.attributes:
        wire["attributes"] = event.attributes
    for name, fact in event.facts.items():
        wire[name] = fact  # type: ignore[literal-required]
    variables = set_variables() if event.thrown and sources is not None else None
    if variables is not None:
        wire["environment_variables"] = variables
    redactions = redaction_log(wire, redaction)
    if redactions:
        wire["redactions"] = redactions
    return wire


def wire_breadcrumb(crumb: Breadcrumb, is_process: bool) -> WireBreadcrumb:  # noqa: FBT001
    """Return a breadcrumb as it leaves."""
    wire: WireBreadcrumb = {"timestamp": timestamp(crumb.timestamp), "category": crumb.category}
    if crumb.level is not None:
        wire["level"] = crumb.level
    if crumb.message is not None:
        wire["message"] = crumb.message
    if crumb.data:
        wire["data"] = crumb.data
    if is_process:
        wire["scope"] = "process"
    return wire


def _exception(
    thrown: Thrown, sources: FunctionSources | None, used: EventSources
) -> WireException:
    wire: WireException = {
        "type": thrown.type,
        "message": thrown.message,
        "stack": _printed(thrown, sources),
    }
    if thrown.calls:
        wire["frames"] = [_frame(call, sources, used) for call in thrown.calls]
    if thrown.module is not None:
        wire["module"] = thrown.module
    if thrown.properties:
        wire["properties"] = thrown.properties
    if thrown.parent is not None:
        wire["parent"] = thrown.parent
    return wire


def _frame(call: Call, sources: FunctionSources | None, used: EventSources) -> WireFrame:
    code = call.code
    wire: WireFrame = {
        "file": trim(code.co_filename, limits.TEXT_LENGTH_MAX),
        "function": getattr(code, "co_qualname", code.co_name),
        "line": call.line,
        "in_app": call.is_in_app,
    }
    column = _column(call)
    if column is not None:
        wire["column"] = column
    context = None if sources is None else sources.context(call, used)
    if context is not None:
        wire["context"] = context
    if call.vars is not None:
        wire["vars"] = call.vars
    return wire


def _column(call: Call) -> int | None:
    """Return the 1-based column of the failing expression, which Python 3.11 and newer know."""
    positions = getattr(call.code, "co_positions", None)
    if positions is None or call.lasti < 0:
        return None
    for index, (line, _, column, _) in enumerate(positions()):
        if index == call.lasti // 2:
            return column + 1 if column is not None and line == call.line else None
    return None


def _printed(thrown: Thrown, sources: FunctionSources | None) -> str:
    """Return the traceback as Python prints it, outermost call first."""
    last = f"{thrown.module}.{thrown.type}" if thrown.module else thrown.type
    end = [f"{last}: {thrown.message}" if thrown.message else last, *thrown.notes]
    if not thrown.calls:
        return ""
    lines = ["Traceback (most recent call last):"]
    for call in reversed(thrown.calls):
        name = call.code.co_name
        lines.append(f'  File "{call.code.co_filename}", line {call.line}, in {name}')
        text = None if sources is None else sources.line(call)
        if text is not None:
            lines.append(f"    {text}")
    return trim("\n".join([*lines, *end]), limits.STACK_LENGTH_MAX)
