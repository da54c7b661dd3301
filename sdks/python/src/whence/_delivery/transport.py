from __future__ import annotations

import time

from whence._core import limits
from whence._delivery.back_off import BackOff
from whence._delivery.batch import PATH, batch_body, rejected_indexes
from whence._delivery.losses import Losses
from whence._delivery.queue import Inbox, Outbox, Packed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import CodeType

    from whence._core.event import Json
    from whence._delivery.file_sender import FileSender
    from whence._delivery.http import Answer, Connection

_ACCEPTED = 202
_TOO_LARGE = 413
_INVALID = (400, 415, 422)
#: A rejected key or a wrong address, which someone may mend.
_TO_MEND = (401, 403, 404)


class Transport:
    """What to send, what an answer means, and when to try again."""

    def __init__(
        self,
        connection: Connection,
        header: Callable[[], Mapping[str, Json]],
        forget_functions: Callable[[list[CodeType]], None],
        trim: Callable[[bytes, int], bytes],
        files: FileSender | None,
    ) -> None:
        self.connection = connection
        #: None when the service may have no whole files of the program.
        self.files = files
        self._header = header
        self._forget_functions = forget_functions
        self._trim = trim
        self._empty()

    def _empty(self) -> None:
        self.losses = Losses()
        self.outbox = Outbox(self.losses, self._forget_functions)
        self.inbox = Inbox(self.losses, self.outbox)
        self.back_off = BackOff()
        self._events_max = limits.BATCH_EVENTS_MAX

    def leave_to_parent(self) -> None:
        """Begin with nothing in a forked process: what was queued is the parent's to send."""
        self.connection.leave_to_parent()
        if self.files is not None:
            self.files.leave_to_parent()
        self._empty()

    @property
    def has_work(self) -> bool:
        """Whether anything waits to be sent."""
        return bool(self.outbox.events) or self.losses.is_waiting

    def send_batch(self, timeout_s: float) -> bool:
        """Send the next batch; return whether to go on with the one after it."""
        events = self.outbox.batch(self._events_max)
        dropped = self.losses.ranges()
        body = batch_body(self._header(), dropped, [packed.json for packed in events])
        answer = self.post(PATH, body, timeout_s)
        if answer is None:
            return False
        if answer.status == _TOO_LARGE:
            return self._shrink(events)
        if answer.status in _INVALID:
            self._lose(events)
            self.losses.reported(dropped)
            return True
        if answer.status in _TO_MEND:
            self.back_off.wait_for_mending(time.monotonic())
            return False
        self._acknowledge(events, rejected_indexes(answer) or [])
        if self.files is not None:
            self.files.answered(answer, has_exception=any(each.is_exception for each in events))
        self.losses.reported(dropped)
        self._events_max = limits.BATCH_EVENTS_MAX
        return True

    def post(self, path: str, body: bytes, timeout_s: float) -> Answer | None:
        """Post a body; None when nothing is known to have arrived, and it is to be sent again."""
        from http.client import HTTPException

        try:
            answer = self.connection.post(path, body, timeout_s)
        except (OSError, HTTPException, ValueError):
            self.back_off.fail(time.monotonic())
            return None
        is_final = answer.status in (_TOO_LARGE, *_INVALID, *_TO_MEND)
        is_receipt = answer.status == _ACCEPTED and rejected_indexes(answer) is not None
        if is_final or is_receipt:
            self.back_off.succeed()
            return answer
        # A proxy's page with status 200 is no receipt either.
        self.back_off.fail(time.monotonic(), answer.retry_after)
        return None

    def _acknowledge(self, events: list[Packed], rejected: list[int]) -> None:
        lost = [events[index] for index in sorted(set(rejected)) if 0 <= index < len(events)]
        self._lose(lost)
        self.outbox.remove(events)

    def _lose(self, events: list[Packed]) -> None:
        for packed in events:
            self.outbox.drop(packed, "rejected")

    def _shrink(self, events: list[Packed]) -> bool:
        """Send less at once: half of the events, then a smaller event."""
        if len(events) > 1:
            self._events_max = max(1, len(events) // 2)
            return True
        for packed in events:
            smaller = max(limits.EVENT_BYTES_MIN, len(packed.json) // 2)
            if len(packed.json) <= limits.EVENT_BYTES_MIN:
                self.outbox.drop(packed, "too_large")
            else:
                packed.json = self._trim(packed.json, smaller)
        return bool(events)
