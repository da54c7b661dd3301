from __future__ import annotations

import sys

from whence._core.guard import guarded
from whence._core.identifiers import random_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    Trace: TypeAlias = dict[str, str]

_TRACE_DIGITS = 32
_SPAN_DIGITS = 16
_HEX = frozenset("0123456789abcdef")


def trace_of(headers: Mapping[str, object]) -> Trace:
    """Return the trace that a request belongs to (W3C ``traceparent``), or a new one."""
    header = headers.get("traceparent")
    parts = header.strip().split("-") if type(header) is str else []
    is_valid = len(parts) > 3 and parts[0] != "ff" and len(parts[0]) == len(parts[3]) == 2  # noqa: PLR2004
    is_valid = is_valid and _is_id(parts[1], _TRACE_DIGITS) and _is_id(parts[2], _SPAN_DIGITS)
    trace_id = parts[1] if is_valid else random_hex(_TRACE_DIGITS // 2)
    return {"trace_id": trace_id, "span_id": random_hex(_SPAN_DIGITS // 2)}


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
    return {"trace_id": f"{trace_id:032x}", "span_id": f"{span_id:016x}"}


def _is_id(text: str, digits: int) -> bool:
    return len(text) == digits and _HEX.issuperset(text) and text.strip("0") != ""
