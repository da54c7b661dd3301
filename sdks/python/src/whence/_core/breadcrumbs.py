from __future__ import annotations

from whence._core import limits
from whence._core.builtin_types import deque

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whence._core.event import Json, Level


class Breadcrumb:
    """Something that happened; a call in progress gets its end in ``data`` later."""

    __slots__ = ("category", "data", "level", "message", "timestamp")

    def __init__(
        self,
        timestamp: float,
        category: str,
        level: Level | None = None,
        message: str | None = None,
        data: dict[str, Json] | None = None,
    ) -> None:
        self.timestamp = timestamp
        self.category = category
        self.level = level
        self.message = message
        self.data = data


class Ring:
    """The newest breadcrumbs of the process or of one request. Any thread may add one."""

    __slots__ = ("_crumbs",)

    def __init__(self) -> None:
        self._crumbs: deque[Breadcrumb] = deque(maxlen=limits.BREADCRUMBS_MAX)

    def add(self, crumb: Breadcrumb) -> None:
        """Add one; the oldest leaves when there are too many."""
        self._crumbs.append(crumb)

    def remove(self, crumb: Breadcrumb) -> None:
        """Remove one that the program's hook dropped at its end."""
        try:
            self._crumbs.remove(crumb)
        except ValueError:
            return

    def newest(self) -> list[Breadcrumb]:
        """Return a copy, oldest first."""
        while True:
            try:
                return list(self._crumbs)
            except RuntimeError:
                # Another thread added one meanwhile.
                continue
