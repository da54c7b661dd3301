from __future__ import annotations

import sys

from whence._core.guard import guarded
from whence._core.identifiers import random_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_TRACE_DIGITS = 32
_SPAN_DIGITS = 16
_FLAGS_DIGITS = 2
_PARTS_MIN = 4
_SAMPLED = "01"
_HEX = frozenset("0123456789abcdef")


class Trace:
    """A position in a distributed trace (W3C Trace Context), shared by all services of a request.

    ``flags`` are two hex digits; bit 0 means that the caller samples.
    """

    __slots__ = ("flags", "span_id", "trace_id")

    def __init__(self, trace_id: str, span_id: str, flags: str = _SAMPLED) -> None:
        self.trace_id = trace_id
        self.span_id = span_id
        self.flags = flags

    def header(self) -> str:
        """Return the value of ``traceparent`` for a service that is called from here."""
        return f"00-{self.trace_id}-{self.span_id}-{self.flags}"


def trace_of(headers: Mapping[str, object]) -> Trace:
    """Return a position of its own in the caller's trace (``traceparent``), or in a new trace."""
    header = headers.get("traceparent")
    parts = header.strip().split("-") if type(header) is str else []
    span_id = random_hex(_SPAN_DIGITS // 2)
    if not _is_valid(parts):
        return Trace(random_hex(_TRACE_DIGITS // 2), span_id)
    return Trace(parts[1], span_id, parts[3])


def active_span() -> Trace | None:
    """Return OpenTelemetry's current span; None where the program has none or doesn't use it."""
    api = sys.modules.get("opentelemetry.trace")
    return None if api is None else guarded(_span_of, api)


def _span_of(api: Any) -> Trace | None:
    context = api.get_current_span().get_span_context()
    trace_id, span_id = context.trace_id, context.span_id
    # An id of zeros stands for none.
    if type(trace_id) is not int or type(span_id) is not int or not (trace_id and span_id):
        return None
    return Trace(f"{trace_id:032x}", f"{span_id:016x}")


def _is_valid(parts: list[str]) -> bool:
    if len(parts) < _PARTS_MIN or parts[0] == "ff":
        return False
    version, trace_id, span_id, flags = parts[:_PARTS_MIN]
    return (
        _is_hex(version, _FLAGS_DIGITS)
        and _is_hex(trace_id, _TRACE_DIGITS)
        and _is_hex(span_id, _SPAN_DIGITS)
        and _is_hex(flags, _FLAGS_DIGITS)
        and trace_id.strip("0") != ""
        and span_id.strip("0") != ""
    )


def _is_hex(text: str, digits: int) -> bool:
    return len(text) == digits and _HEX.issuperset(text)
