from __future__ import annotations

from whence._core import limits
from whence._core.redact import REDACTED, REDACTED_KEY, REDACTED_VARIABLE, FieldRules, Redaction
from whence._core.text import trim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whence._core.event import Json, WireEvent

#: Levels of data below a named one: the locals' walk has one level more, the frame's.
_DEPTH_MAX = limits.DATA_DEPTH_MAX
#: The rules of replacements that don't depend on a field's name alone.
_RULES = {REDACTED_KEY: "private-key", REDACTED_VARIABLE: "environment-variable"}


def redaction_log(event: WireEvent, redaction: Redaction) -> list[dict[str, str]]:
    """Return the redacted values of an event, by rule and place.

    Read from the event as it leaves, so a value that the program itself changed has no entry.
    """
    entries: list[dict[str, str]] = []
    named, data = redaction.named, redaction.data
    for index, exception in enumerate(event.get("exceptions", ())):
        place = f"/exceptions/{index}"
        _collect(exception.get("properties"), named, f"{place}/properties", entries)
        for at, frame in enumerate(exception.get("frames", ())):
            if "vars" in frame:
                _collect(frame["vars"], redaction.variables, f"{place}/frames/{at}/vars", entries)
    for index, crumb in enumerate(event.get("breadcrumbs", ())):
        if "data" in crumb:
            _collect(crumb["data"], data, f"/breadcrumbs/{index}/data", entries)
    if "request" in event:
        _collect(event["request"]["headers"], named, "/request/headers", entries)
    for field in ("attributes", "user", "tags", "contexts"):
        if field in event:
            _collect(event[field], data, f"/{field}", entries)
    return entries[: limits.REDACTIONS_MAX]


def _collect(
    value: Json,
    rules: FieldRules,
    path: str,
    entries: list[dict[str, str]],
    depth: int = _DEPTH_MAX,
) -> None:
    if depth < 0 or len(entries) >= limits.REDACTIONS_MAX:
        return
    if type(value) is str and value in _RULES:
        entries.append({"rule": _RULES[value], "path": trim(path, limits.TEXT_LENGTH_MAX)})
    elif type(value) is list:
        for index, item in enumerate(value):
            _collect(item, rules, f"{path}/{index}", entries, depth - 1)
    elif type(value) is dict:
        for name, item in value.items():
            place = f"{path}/{_escaped(name)}"
            if item == REDACTED:
                rule = rules.rule_of(name)
                if rule is not None:
                    entries.append({"rule": rule, "path": trim(place, limits.TEXT_LENGTH_MAX)})
            else:
                _collect(item, rules.within(name), place, entries, depth - 1)


def _escaped(name: str) -> str:
    """Escape a name for a JSON Pointer (RFC 6901, section 3)."""
    return name.replace("~", "~0").replace("/", "~1")
