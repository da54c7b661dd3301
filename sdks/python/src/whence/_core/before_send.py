from __future__ import annotations

from whence._core.program_signals import with_program_signals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from whence._core.event import WireEvent

    BeforeSend = Callable[[WireEvent], WireEvent | None]

#: The client's replacement for text that ``before_send`` should have seen but didn't.
WITHHELD = "[withheld: beforeSend failed]"
_FIXED = ("id", "seq", "type", "timestamp", "mechanism")


def reviewed(event: WireEvent, before_send: BeforeSend) -> WireEvent | None:
    """Return an event as the program's hook leaves it; None when the hook drops it.

    One that the hook fails on is sent without its data: hooks usually remove secrets.
    """
    try:
        changed = with_program_signals(before_send, _copied(event))
        if changed is None:
            return None
        if type(changed) is dict and type(changed.get("message")) is str:
            for name in _FIXED:
                changed[name] = event[name]  # type: ignore[literal-required]
            return changed
    except Exception:
        return _bare(event)
    return _bare(event)


def _copied(event: WireEvent) -> WireEvent:
    """Return a copy in which nothing occurs twice, unlike in the event: a hook may change it."""
    import json

    copied: WireEvent = json.loads(json.dumps(event))
    return copied


def _bare(event: WireEvent) -> WireEvent:
    """Return an event without what the program or its users put into it."""
    bare: WireEvent = {
        "id": event["id"],
        "seq": event["seq"],
        "type": event["type"],
        "timestamp": event["timestamp"],
        "level": event["level"],
        "message": WITHHELD,
        "mechanism": event["mechanism"],
    }
    if "trace" in event:
        bare["trace"] = event["trace"]
    if "exceptions" in event:
        bare["exceptions"] = [
            {
                "type": exception["type"],
                "message": WITHHELD,
                "stack": "",
                "frames": [
                    {key: value for key, value in frame.items() if key != "vars"}  # type: ignore[misc]
                    for frame in exception.get("frames", ())
                ],
                **({"parent": exception["parent"]} if "parent" in exception else {}),
            }
            for exception in event["exceptions"]
        ]
    return bare
