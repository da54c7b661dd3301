from __future__ import annotations

from whence._core import limits
from whence._core.redact import REDACTED
from whence._core.text import trim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from whence._core.event import Json, WireRequest
    from whence._core.redact import Redaction

_HEADERS_MAX = 100


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
