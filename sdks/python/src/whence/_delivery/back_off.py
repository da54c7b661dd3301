from __future__ import annotations

import os

from whence._core import limits


class BackOff:
    """When to try again: doubling waits after failures, or as long as the service asks for."""

    __slots__ = ("_failures", "until")

    def __init__(self) -> None:
        self._failures = 0
        #: No request before this time of the monotonic clock.
        self.until = 0.0

    def succeed(self) -> None:
        """Forget earlier failures."""
        self._failures = 0
        self.until = 0.0

    def fail(self, now: float, retry_after: float | None = None) -> None:
        """Wait after a failure; ``retry_after`` is the service's own wish, in seconds."""
        wait = min(limits.BACK_OFF_MAX_S, limits.BACK_OFF_FIRST_S * 2.0**self._failures)
        self._failures = min(self._failures + 1, 16)
        if retry_after is not None:
            self.until = now + min(max(0.0, retry_after), limits.RETRY_AFTER_MAX_S)
        else:
            self.until = now + wait * (0.5 + os.urandom(1)[0] / 512)

    def wait_for_mending(self, now: float) -> None:
        """Wait a minute: a rejected key or a wrong address is mended by a person."""
        self.until = now + limits.BACK_OFF_MAX_S
