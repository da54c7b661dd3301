from __future__ import annotations

import time

from whence._core import limits
from whence._core.builtin_types import ref
from whence._core.values import has_method

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class _Report:
    """An error that was reported, known by what only this error can have."""

    __slots__ = ("args", "at", "event_id", "id", "item", "ref")

    def __init__(self, error: BaseException, event_id: str) -> None:
        self.id = id(error)
        self.at = time.monotonic()
        self.event_id = event_id
        self.args: tuple[object, ...] | None = None
        self.item: tuple[int, Callable[[], object]] | None = None
        self.ref: Callable[[], BaseException | None] | None = None
        try:
            self.ref = ref(error)
        except TypeError:
            # Built-in exceptions take no weak references. Their args are an object of their own:
            # while it is held, no other error can have it; the error and its frames aren't held.
            # With an object among them that has a finalizer, such as a coroutine, that is watched
            # instead: it must be collected when it would be without the client.
            self.item = _item_with_finalizer(error.args)
            self.args = error.args if self.item is None else None

    def is_of(self, error: BaseException) -> bool:
        if self.id != id(error):
            return False
        if self.ref is not None:
            return self.ref() is error
        if self.item is not None:
            index, item = self.item
            return len(error.args) > index and item() is error.args[index]
        return self.args == () or self.args is error.args


def _item_with_finalizer(args: tuple[object, ...]) -> tuple[int, Callable[[], object]] | None:
    """Return the place of such an object among an error's args, and a weak reference to it."""
    for index, item in enumerate(args):
        if has_method(type(item), "__del__"):
            try:
                return index, ref(item)
            except TypeError:
                continue
    return None


class ReportedErrors:
    """The newest reported errors, so that one that several handlers see becomes one event."""

    def __init__(self) -> None:
        self._reports: list[_Report] = []

    def find(self, error: BaseException) -> str | None:
        """Return the id of the event that reported this very error a moment ago."""
        after = time.monotonic() - limits.DEDUPE_WINDOW_S
        for report in self._reports:
            if report.at >= after and report.is_of(error):
                return report.event_id
        return None

    def add(self, error: BaseException, event_id: str) -> None:
        """Remember an error and what it caused or grouped, which handlers may log on its own."""
        self._reports = [*self._recent(), _Report(error, event_id)][-limits.REPORTED_ERRORS_KEPT :]

    def forget_old(self) -> None:
        """Let go of what is too old to matter."""
        self._reports = self._recent()

    def _recent(self) -> list[_Report]:
        after = time.monotonic() - limits.DEDUPE_WINDOW_S
        return [report for report in self._reports if report.at >= after]
