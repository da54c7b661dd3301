from __future__ import annotations

from whence._core import limits
from whence._core.text import trim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from whence._core.event import WireEvent

#: Below this length, a text's marker is as long as what it saves.
_SHORTEST = 128
#: Short enough that even an event of only escaped characters fits the smallest size.
_LAST = 64
_BREADCRUMBS_KEPT = 10
#: What an event without long texts gives up, in order.
_SACRIFICES = (
    *("vars", "context", "frames", "newest breadcrumbs", "breadcrumbs", "attributes", "contexts"),
    *("tags", "user", "properties", "headers", "environment_variables"),
    *("causes", "redactions", "texts"),
)

#: What the attribute ``whence.trimmed`` calls these, as the Node client does.
_NAMES = {
    "vars": "variables",
    "context": "source",
    "newest breadcrumbs": "breadcrumbs",
    "environment_variables": "environment variables",
}


def encode(event: WireEvent, bytes_max: int = limits.EVENT_BYTES_MAX) -> bytes:
    """Return an event as JSON of at most ``bytes_max`` bytes.

    A larger one has its longest texts cut to one length; if that isn't enough, it loses variables,
    source, frames, and so on, and its attribute ``whence.trimmed`` lists them.
    """
    encoded = to_json(event)
    return encoded if len(encoded) <= bytes_max else _trimmed(event, len(encoded), bytes_max)


def to_json(value: object) -> bytes:
    """Return compact JSON in UTF-8."""
    import json

    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "replace")


def _trimmed(event: WireEvent, size: int, bytes_max: int) -> bytes:
    lengths = sorted(_lengths(event), reverse=True)
    room = float(bytes_max - (size - sum(lengths)))
    while room > 0:
        cap = _cap_for(lengths, room)
        if cap < _SHORTEST:
            break
        encoded = to_json(_capped(event, cap))
        if len(encoded) <= bytes_max:
            return encoded
        # A character takes up to four bytes, or six as an escape.
        room *= 0.7
    return _sacrificed(event, bytes_max)


def _sacrificed(event: WireEvent, bytes_max: int) -> bytes:
    rest: dict[str, Any] = _capped(event, _SHORTEST)
    gone: dict[str, None] = {}
    encoded = b""
    for name in _SACRIFICES:
        before = len(to_json(rest))
        rest = _without(rest, name)
        if len(to_json(rest)) < before:
            gone[_NAMES.get(name, name)] = None
        attributes = {**rest.get("attributes", {}), "whence.trimmed": list(gone)}
        encoded = to_json({**rest, "attributes": attributes})
        if len(encoded) <= bytes_max:
            break
    return encoded


def _without(event: dict[str, Any], name: str) -> dict[str, Any]:
    result = dict(event)
    if name in ("vars", "context"):
        for exception in result.get("exceptions", ()):
            for frame in exception.get("frames", ()):
                frame.pop(name, None)
    elif name in ("frames", "properties"):
        for exception in result.get("exceptions", ()):
            exception.pop(name, None)
    elif name == "newest breadcrumbs":
        result["breadcrumbs"] = result.get("breadcrumbs", [])[-_BREADCRUMBS_KEPT:]
    elif name == "headers" and "request" in result:
        result["request"] = {**result["request"], "headers": {}}
    elif name == "causes" and "exceptions" in result:
        result["exceptions"] = result["exceptions"][:1]
    elif name == "texts":
        return _capped(result, _LAST)  # type: ignore[no-any-return]
    else:
        result.pop(name, None)
    return result


def _cap_for(lengths: list[int], room: float) -> int:
    """Return the length to which texts are cut so that all fit; ``lengths`` in descending order."""
    rest = sum(lengths)
    cap = rest
    for index, length in enumerate(lengths):
        if rest - length + (index + 1) * length <= room:
            break
        rest -= length
        cap = int((room - rest) // (index + 1))
    return cap


def _lengths(value: object) -> list[int]:
    if type(value) is str:
        return [len(value.encode("utf-8", "replace"))]
    inner = value.values() if type(value) is dict else value if type(value) is list else ()
    return [length for item in inner for length in _lengths(item)]


def _capped(value: Any, cap: int) -> Any:
    """Return a copy in which no text is longer than ``cap``."""
    if type(value) is str:
        return trim(value, cap)
    if type(value) is list:
        return [_capped(item, cap) for item in value]
    if type(value) is dict:
        return {key: _capped(item, cap) for key, item in value.items()}
    return value


def trim_json(encoded: bytes, bytes_max: int) -> bytes:
    """Apply :func:`encode` to an event that already is JSON."""
    import json

    return _trimmed(json.loads(encoded), len(encoded), bytes_max)
