from __future__ import annotations

from whence._core import limits
from whence._core.identifiers import random_hex
from whence._core.redact import REDACTED
from whence._core.text import trim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from whence._core.event import Json, WireRequest
    from whence._core.redact import Redaction

    Trace: TypeAlias = dict[str, str]

_HEADERS_MAX = 100
_TRACEPARENT_PARTS = 4


def wire_request(
    method: str, target: str, headers: Mapping[str, object], redaction: Redaction
) -> WireRequest:
    """Return a request as events carry it: without its query string and body."""
    sent: dict[str, Json] = {}
    left = limits.HEADERS_CHARACTERS_MAX
    for name, value in list(headers.items())[:_HEADERS_MAX]:
        if redaction.named.rule_of(name) is not None:
            sent[name] = REDACTED
        elif type(value) is list:
            sent[name] = [trim(str(item), max(0, left)) for item in value]
        else:
            sent[name] = trim(str(value), max(0, left))
        left -= len(str(value))
    return {
        "method": trim(method, limits.TEXT_LENGTH_MAX),
        "path": trim(target.partition("?")[0], limits.TEXT_LENGTH_MAX),
        "headers": sent,
    }


def trace_of(headers: Mapping[str, object]) -> Trace:
    """Return the trace that a request belongs to (W3C ``traceparent``), or a new one."""
    header = headers.get("traceparent")
    parts = header.split("-") if type(header) is str else []
    is_valid = len(parts) >= _TRACEPARENT_PARTS and len(parts[1]) == 32 and len(parts[2]) == 16  # noqa: PLR2004
    trace_id = parts[1] if is_valid else random_hex(16)
    return {"trace_id": trace_id, "span_id": random_hex(8)}
