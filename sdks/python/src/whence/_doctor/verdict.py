"""What would leave the program."""

from __future__ import annotations

import json
import re

from whence._core.redact import REDACTED, REDACTED_NAMES, REDACTED_VARIABLE
from whence._doctor.canaries import CANARIES, value_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whence._core.event import Json

_SENSITIVE = re.compile(
    r"pass(?:wd|word|phrase)|secret|token|api-?_?key|authoriz|credential|cookie|private-?_?key"
    r"|session-?_?id|card-?_?number|cvc|cvv|\bssn\b|\biban\b",
    re.IGNORECASE,
)
_NEAR_MISSES_MAX = 50
_REPLACED = (REDACTED, REDACTED_VARIABLE)


def fates_of(events: list[Json]) -> list[dict[str, Json]]:
    """Return, for each canary, whether it is in the outgoing events."""
    text = json.dumps(events)
    return [
        {"channel": channel, "name": name, "leaves": value_of(channel, name) in text}
        for channel, name in CANARIES
    ]


def near_misses_in(events: list[Json]) -> list[dict[str, Json]]:
    """Return fields of the program's own events that sound like secrets, each name once."""
    found: dict[str, str] = {}
    for event in events:
        _collect(event, "", found)
    return [{"name": name, "path": path} for name, path in list(found.items())[:_NEAR_MISSES_MAX]]


def _collect(value: Json, path: str, found: dict[str, str]) -> None:
    if type(value) is list:
        for index, item in enumerate(value):
            _collect(item, f"{path}/{index}", found)
    elif type(value) is dict:
        for name, item in value.items():
            here = f"{path}/{name}"
            is_value = type(item) in (str, int, float) and item not in _REPLACED
            is_secret = _SENSITIVE.search(name) is not None or name.lower() in REDACTED_NAMES
            if is_value and is_secret:
                found.setdefault(name, here)
            _collect(item, here, found)
