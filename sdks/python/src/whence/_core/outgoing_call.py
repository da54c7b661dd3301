from __future__ import annotations

import time

from whence._core import limits
from whence._core.cause_chain import message_of
from whence._core.text import trim
from whence._core.values import type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whence._client import Client
    from whence._core.breadcrumbs import Breadcrumb
    from whence._core.event import Json


class OutgoingCall:
    """A call to another service: a breadcrumb from its start, completed once, at its end."""

    __slots__ = ("_client", "_crumb", "_data", "_ring", "_started_at")

    def __init__(self, client: Client, category: str, data: dict[str, Json]) -> None:
        self._client = client
        self._data = data
        self._started_at = time.perf_counter()
        self._ring = client.scopes.current().ring
        self._crumb: Breadcrumb | None = client.add_breadcrumb(category, data=data)

    @classmethod
    def of_http(cls, client: Client, method: str, url: str) -> OutgoingCall:
        """Begin a request. Its URL is kept, except for a user and a password."""
        shown = trim(_without_credentials(url), limits.BREADCRUMB_CHARACTERS_MAX // 2)
        return cls(client, "http", {"method": method, "url": shown})

    def answered(self, status: int) -> None:
        """Record the answer."""
        self._end({"status_code": status, **self._duration()})

    def answered_after(self, status: int, seconds: float) -> None:
        """Record the answer to a call that is only known at its end."""
        self._started_at -= seconds
        self.answered(status)

    def ended(self) -> None:
        """Record the end of a call that has no status."""
        self._end(self._duration())

    def failed(self, error: BaseException, code: str | None = None) -> None:
        """Record that there was no answer. The code is by default the error's type."""
        message = trim(message_of(error), limits.LOG_LINE_CHARACTERS_MAX)
        name = type_name(type(error))
        self._end({**self._duration(), "error": message or name, "error_code": code or name})

    def _duration(self) -> dict[str, Json]:
        return {"duration_ms": round((time.perf_counter() - self._started_at) * 1_000, 1)}

    def _end(self, more: dict[str, Json]) -> None:
        crumb, self._crumb = self._crumb, None
        if crumb is None:
            return
        crumb.data = {**(crumb.data or {}), **more}
        if not self._client.review(crumb):
            self._ring.remove(crumb)


def _without_credentials(url: str) -> str:
    scheme, mark, rest = url.partition("://")
    if not mark:
        return url
    authority, slash, path = rest.partition("/")
    return f"{scheme}://{authority.rpartition('@')[2]}{slash}{path}"
