from __future__ import annotations

from whence._core import limits
from whence._core.builtin_types import deque

#: Losses waiting to be reported. More than these show as gaps on the service's side.
_WAITING_MAX = 10_000


class Losses:
    """The numbers of dropped events, by reason, until the service knows them.

    Any thread may add.
    """

    def __init__(self) -> None:
        self._new: deque[tuple[int, str]] = deque(maxlen=_WAITING_MAX)
        self._ranges: list[list[int | str]] = []
        self.by_reason: dict[str, int] = {}

    def add(self, seq: int, reason: str) -> None:
        """Record that this event will never arrive."""
        self._new.append((seq, reason))
        self.by_reason[reason] = self.by_reason.get(reason, 0) + 1

    @property
    def total(self) -> int:
        """How many events were dropped since the start."""
        return sum(self.by_reason.values())

    @property
    def is_waiting(self) -> bool:
        """Whether any isn't reported yet."""
        return bool(self._new or self._ranges)

    def ranges(self) -> list[list[int | str]]:
        """Return the first ranges ``[from, to, reason]`` to report."""
        while self._new:
            seq, reason = self._new.popleft()
            self._insert(seq, reason)
        return self._ranges[: limits.DROPPED_RANGES_MAX]

    def reported(self, ranges: list[list[int | str]]) -> None:
        """Forget ranges that the service has received."""
        self._ranges = [kept for kept in self._ranges if kept not in ranges]

    def _insert(self, seq: int, reason: str) -> None:
        for known in reversed(self._ranges[-8:]):
            if known[2] == reason and known[1] == seq - 1:
                known[1] = seq
                return
            if known[2] == reason and known[0] == seq + 1:
                known[0] = seq
                return
        if len(self._ranges) < _WAITING_MAX:
            self._ranges.append([seq, seq, reason])
