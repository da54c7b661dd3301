from __future__ import annotations

from whence._core import limits
from whence._core.before_send import reviewed
from whence._core.guard import guarded
from whence._core.redact import REDACTED
from whence._core.redaction_log import redaction_log
from whence._core.trim_event import encode, to_json
from whence._core.wire_event import wire_event
from whence._delivery.queue import Packed
from whence._source.function_sources import EventSources, FunctionSources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType

    from whence._core.create_event import Event
    from whence._core.redact import Redaction
    from whence._options import Options


def own_key(api_key: str) -> bytes | None:
    """Return the client's key as JSON has it inside a text; None for one that may be a word."""
    return to_json(api_key)[1:-1] if len(api_key) >= limits.API_KEY_LENGTH_MIN else None


class EventPacker:
    """Turns captured events into JSON, as the program's own rules allow."""

    def __init__(
        self, options: Options, redaction: Redaction, lose: Callable[[int, str], None]
    ) -> None:
        self._options = options
        self._redaction = redaction
        self._lose = lose
        self._key = own_key(options.api_key)
        self._sources = None if options.source == "none" else FunctionSources()

    def pack(self, event: Event) -> Packed | None:
        """Return an event as JSON; None when it is dropped. Runs on the sender's thread."""
        used = EventSources()
        packed = guarded(self._pack, event, used)
        if packed is None:
            self.forget_functions(used.functions)
        elif packed.json == b"":
            self._lose(event.seq, "before_send")
            self.forget_functions(used.functions)
            return None
        else:
            return packed
        self._lose(event.seq, "internal_error")
        return None

    def _pack(self, event: Event, used: EventSources) -> Packed:
        wire = wire_event(event, self._sources, self._redaction, used)
        hook = self._options.before_send
        if hook is not None and (event.type in ("exception", "log") or "breadcrumbs" in wire):
            changed = reviewed(wire, hook)
            if event.type == "heartbeat":
                crumbs = [] if changed is None else changed.get("breadcrumbs", [])
                wire.pop("breadcrumbs", None)
                if crumbs:
                    wire["breadcrumbs"] = crumbs
            elif changed is None:
                return Packed(event.seq, event.rank, b"", [])
            else:
                wire = changed
                wire.pop("redactions", None)
                redactions = redaction_log(wire, self._redaction)
                if redactions:
                    wire["redactions"] = redactions
        encoded = encode(wire)
        if self._key is not None:
            encoded = encoded.replace(self._key, REDACTED.encode())
        return Packed(event.seq, event.rank, encoded, used.functions)

    def forget_functions(self, functions: list[CodeType]) -> None:
        """Send the source of these functions again."""
        if self._sources is not None:
            self._sources.forget(functions)
