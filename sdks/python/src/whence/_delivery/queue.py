from __future__ import annotations

from whence._core import limits
from whence._core.builtin_types import deque

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType

    from whence._core.create_event import Event
    from whence._delivery.losses import Losses

_RECOUNT_FROM = 32


class Inbox:
    """Captured events that the sender hasn't written yet.

    Callers add without a lock, each step being atomic, so an event may be captured in a signal
    handler that interrupted another capture.
    """

    def __init__(self, losses: Losses, outbox: Outbox) -> None:
        self._losses = losses
        self._outbox = outbox
        self._by_rank: tuple[deque[Event], ...] = (deque(), deque(), deque(), deque())

    def __len__(self) -> int:
        return sum(len(events) for events in self._by_rank)

    def add(self, event: Event) -> None:
        """Add an event; when there isn't room for all, the least valuable and oldest goes."""
        self._by_rank[event.rank].append(event)
        while len(self) > limits.QUEUE_EVENTS_MAX or self._is_heavy():
            if not self._drop_one():
                return

    def take(self) -> list[Event]:
        """Remove and return all events, in the order of their numbers."""
        taken: list[Event] = []
        for events in self._by_rank:
            while events:
                taken.append(events.popleft())
        taken.sort(key=lambda event: event.seq)
        return taken

    def _is_heavy(self) -> bool:
        count = len(self)
        if count < _RECOUNT_FROM or count % _RECOUNT_FROM != 0:
            return False
        try:
            cost = sum(event.cost for events in self._by_rank for event in tuple(events))
        except RuntimeError:
            # The sender takes them right now.
            return False
        return cost + self._outbox.bytes > limits.QUEUE_BYTES_MAX

    def _drop_one(self) -> bool:
        for events in self._by_rank:
            try:
                self._losses.add(events.popleft().seq, "queue_full")
            except IndexError:
                continue
            return True
        return False


class Packed:
    """An event as JSON, ready to be sent, and sent again."""

    __slots__ = ("functions", "json", "rank", "seq")

    def __init__(self, seq: int, rank: int, json: bytes, functions: list[CodeType]) -> None:
        self.seq = seq
        self.rank = rank
        self.json = json
        #: Functions whose full source only this event carries.
        self.functions = functions

    @property
    def is_exception(self) -> bool:
        """Whether it is an exception, or what ends the program."""
        return self.rank > 1


class Outbox:
    """Written events that the service hasn't acknowledged. Only the thread in turn uses it."""

    def __init__(self, losses: Losses, forget_functions: Callable[[list[CodeType]], None]) -> None:
        self._losses = losses
        self._forget_functions = forget_functions
        self.events: list[Packed] = []

    @property
    def bytes(self) -> int:
        """Bytes of JSON that wait."""
        return sum(len(packed.json) for packed in self.events)

    def add(self, packed: Packed) -> None:
        """Add an event; while there isn't room for all, the least valuable and oldest goes."""
        self.events.append(packed)
        while len(self.events) > limits.QUEUE_EVENTS_MAX or self.bytes > limits.WRITTEN_BYTES_MAX:
            self.drop(min(self.events, key=lambda event: (event.rank, event.seq)), "queue_full")

    def batch(self, events_max: int) -> list[Packed]:
        """Return the first events that fit a request; crashes first."""
        waiting = sorted(self.events, key=lambda event: (event.rank < 3, event.seq))  # noqa: PLR2004
        result: list[Packed] = []
        size = 0
        for packed in waiting[:events_max]:
            size += len(packed.json) + 1
            if result and size > limits.BATCH_JSON_BYTES_MAX:
                break
            result.append(packed)
        return result

    def remove(self, sent: list[Packed]) -> None:
        """Forget events that arrived."""
        gone = {id(packed) for packed in sent}
        self.events = [packed for packed in self.events if id(packed) not in gone]

    def drop(self, packed: Packed, reason: str) -> None:
        """Give up an event; the next one of its functions carries their source again."""
        self.remove([packed])
        self._losses.add(packed.seq, reason)
        self._forget_functions(packed.functions)
