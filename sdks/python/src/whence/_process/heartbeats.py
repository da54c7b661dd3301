from __future__ import annotations

import os
import time

from whence._core import limits
from whence._core.builtin_types import deque
from whence._core.create_event import Event
from whence._core.guard import internal_errors
from whence._core.text import trim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whence._core.breadcrumbs import Breadcrumb
    from whence._core.event import Json


class Heartbeats:
    """What a heartbeat says, and when the next one is due."""

    def __init__(self) -> None:
        self._started_at = time.monotonic()
        self._due_at = 0.0
        self._newest: deque[Breadcrumb] = deque(maxlen=limits.HEARTBEAT_BREADCRUMBS_MAX)
        self.requests = 0
        self.failed_requests = 0
        self._serves = False

    def renew(self) -> None:
        """Begin the life of a forked process."""
        self.__init__()  # type: ignore[misc]

    @property
    def has_begun(self) -> bool:
        """Whether the service knows this process."""
        return self._due_at > 0

    def add(self, crumb: Breadcrumb) -> None:
        """Note what the process does, in any request."""
        self._newest.append(crumb)

    def count_request(self, status: int) -> None:
        """Count an answered request."""
        self._serves = True
        self.requests += 1
        if status >= 500:  # noqa: PLR2004 - a server error
            self.failed_requests += 1

    def take_due(self, state: dict[str, Json]) -> Event | None:
        """Return the heartbeat if it is time for it."""
        now = time.monotonic()
        if now < self._due_at:
            return None
        self._due_at = now + limits.HEARTBEAT_INTERVAL_S
        event = Event("heartbeat", "info", "", "heartbeat")
        event.attributes = {**self._vitals(now), **state}
        event.crumbs = [(_shortened(crumb), False) for crumb in self._take_newest()]
        return event

    def exit(self) -> Event:
        """Return the event of an orderly end."""
        event = Event("exit", "info", "", "exit")
        event.attributes = self._vitals(time.monotonic())
        return event

    def _take_newest(self) -> list[Breadcrumb]:
        taken: list[Breadcrumb] = []
        while self._newest:
            taken.append(self._newest.popleft())
        return taken

    def _vitals(self, now: float) -> dict[str, Json]:
        vitals: dict[str, Json] = {"uptime_seconds": round(now - self._started_at, 1)}
        rss = _rss_bytes()
        if rss is not None:
            vitals["rss_bytes"] = rss
        limit = _memory_limit_bytes()
        if limit is not None:
            vitals["memory_limit_bytes"] = limit
        if internal_errors():
            vitals["internal_errors"] = internal_errors()
        if self._serves:
            vitals["requests"], self.requests = self.requests, 0
            vitals["failed_requests"], self.failed_requests = self.failed_requests, 0
        return vitals


def _shortened(crumb: Breadcrumb) -> Breadcrumb:
    from whence._core.breadcrumbs import Breadcrumb as Copy

    cap = limits.HEARTBEAT_TEXT_CHARACTERS_MAX
    message = None if crumb.message is None else trim(crumb.message, cap)
    data = crumb.data and {
        name: trim(value, cap) if type(value) is str else value
        for name, value in crumb.data.items()
    }
    return Copy(crumb.timestamp, crumb.category, crumb.level, message, data)


def _rss_bytes() -> int | None:
    """Return the resident memory; None where the system has no /proc."""
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123
            pages = int(file.read().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        return None


def _memory_limit_bytes() -> int | None:
    """Return the container's limit (cgroup v2); None without one."""
    try:
        with open("/sys/fs/cgroup/memory.max", "rb") as file:  # noqa: PTH123
            text = file.read().strip()
        return int(text) if text.isdigit() else None
    except OSError:
        return None
