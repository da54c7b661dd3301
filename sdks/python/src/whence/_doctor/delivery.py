"""Whether the server accepts a program's events."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request

from whence._core.identifiers import timestamp, uuid7
from whence._delivery.batch import PATH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal, TypeAlias

    from whence._core.event import Json

    Outcome: TypeAlias = Literal["ok", "warning", "failed"]

_TIMEOUT_S = 10
#: With more skew, times of different hosts no longer show what came first.
_SKEW_MAX_S = 5
_THIS_MACHINE = ("localhost", "127.", "[::1]")
_ACCEPTED = 202


def check(name: str, outcome: Outcome, detail: str) -> dict[str, Json]:
    """Return a check. ``failed``: events won't arrive; a ``warning`` may be intended."""
    return {"name": name, "outcome": outcome, "detail": detail}


def check_delivery(
    endpoint: str, api_key: str, header: Mapping[str, Json], *, is_real: bool
) -> list[dict[str, Json]]:
    """Send an empty batch, which isn't stored, or a test event, and judge the answer."""
    now = time.time()
    events = [_test_event(now)] if is_real else []
    body = json.dumps({**header, "sent_at": timestamp(now), "events": events})
    request = urllib.request.Request(  # noqa: S310
        endpoint.rstrip("/") + PATH,
        body.encode(),
        {"content-type": "application/json", "x-api-key": api_key},
        method="POST",
    )
    # As the client, it ignores proxy variables.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=_TIMEOUT_S) as response:
            answer = response.read().decode(errors="replace")
            status, date = response.status, response.headers.get("date")
    except urllib.error.HTTPError as error:
        with error:
            answer = error.read().decode(errors="replace")
            status, date = error.code, error.headers.get("date")
    except OSError as error:
        reason = getattr(error, "reason", error)
        return [
            _check_address(endpoint),
            check("delivery", "failed", f"no response from {endpoint}: {reason}"),
        ]
    return [
        _check_address(endpoint),
        *_check_answer(status, answer, is_real=is_real),
        *_check_clock(date),
    ]


def _check_address(endpoint: str) -> dict[str, Json]:
    scheme, _, rest = endpoint.partition("://")
    if scheme.lower() == "https":
        return check("address", "ok", endpoint)
    if rest.startswith(_THIS_MACHINE):
        return check("address", "ok", f"{endpoint} (this machine)")
    detail = f"{endpoint} is not https: the key and your data are sent unencrypted"
    return check("address", "failed", detail)


def _check_answer(status: int, answer: str, *, is_real: bool) -> list[dict[str, Json]]:
    if status == 401:  # noqa: PLR2004
        return [check("key", "failed", "the server rejected the key (401)")]
    if status == 403:  # noqa: PLR2004
        detail = (
            "the key can't send telemetry (403): use an API key of your organization with the "
            "send scope"
        )
        return [check("key", "failed", detail)]
    if status != _ACCEPTED:
        detail = f"the server responded with {status}: {answer[:200]}"
        return [check("delivery", "failed", detail)]
    key = check("key", "ok", "accepted by the server")
    if is_real and '"accepted":1' not in answer.replace(" ", ""):
        return [key, check("delivery", "failed", f"the test event was rejected: {answer[:200]}")]
    took = (
        "a test event was accepted"
        if is_real
        else "an empty batch was accepted; --send sends a test event"
    )
    return [key, check("delivery", "ok", took)]


def _check_clock(date: str | None) -> list[dict[str, Json]]:
    from email.utils import parsedate_to_datetime

    try:
        skew = time.time() - parsedate_to_datetime(date or "").timestamp()
    except (TypeError, ValueError):
        return []
    if abs(skew) <= _SKEW_MAX_S:
        return [check("clock", "ok", f"within {_SKEW_MAX_S} s of the server's")]
    side = "ahead of" if skew > 0 else "behind"
    return [check("clock", "warning", f"{abs(round(skew))} s {side} the server's")]


def _test_event(now: float) -> dict[str, Json]:
    return {
        "id": uuid7(),
        "seq": 1,
        "type": "log",
        "timestamp": timestamp(now),
        "level": "info",
        "message": "a test event of whence doctor",
        "mechanism": {"type": "doctor", "handled": True},
    }
