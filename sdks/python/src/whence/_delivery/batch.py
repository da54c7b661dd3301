from __future__ import annotations

import time

from whence._core.identifiers import timestamp
from whence._core.trim_event import to_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from whence._core.event import Json
    from whence._delivery.http import Answer

PATH = "/api/telemetry/events"


def batch_body(
    header: Mapping[str, Json], dropped: list[list[int | str]], events: list[bytes]
) -> bytes:
    """Return the body of one request."""
    fields: dict[str, Json] = {**header, "sent_at": timestamp(time.time())}
    if dropped:
        fields["dropped"] = [
            {"from_seq": first, "to_seq": last, "reason": reason} for first, last, reason in dropped
        ]
    return b'%s,"events":[%s]}' % (to_json(fields)[:-1], b",".join(events))


def rejected_indexes(answer: Answer) -> list[int] | None:
    """Return the places of rejected events; None when this isn't the answer of a Whence server."""
    import json

    try:
        body = json.loads(answer.body)
    except ValueError:
        return None
    if type(body) is not dict or type(body.get("accepted")) is not int:
        return None
    rejected = body.get("rejected")
    items = rejected if type(rejected) is list else []
    return [
        item["index"] for item in items if type(item) is dict and type(item.get("index")) is int
    ]


def wanted_files(answer: Answer) -> list[str] | None:
    """Return the files that the service asks for; None when it asks for none of this release."""
    import json

    try:
        body = json.loads(answer.body)
    except ValueError:
        return None
    wanted = body.get("wanted_files") if type(body) is dict else None
    return [path for path in wanted if type(path) is str] if type(wanted) is list else None
