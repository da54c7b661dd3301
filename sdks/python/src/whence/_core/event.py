"""The shapes of what the client sends: ``docs/wire-format.md``."""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict, Union

Json: TypeAlias = Union[bool, int, float, str, "list[Json]", "dict[str, Json]", None]
Level: TypeAlias = Literal["debug", "info", "warning", "error", "critical"]


class SourceContext(TypedDict, total=False):
    """The lines of source around a frame's line."""

    start_line: int
    lines: list[str]
    function: dict[str, int]


class WireFrame(TypedDict, total=False):
    """One call on the stack."""

    file: str
    function: str
    line: int
    column: int
    in_app: bool
    context: SourceContext
    vars: dict[str, Json]


class WireException(TypedDict, total=False):
    """One link of a cause chain."""

    type: str
    message: str
    stack: str
    frames: list[WireFrame]
    module: str
    properties: dict[str, Json]
    parent: int


class WireBreadcrumb(TypedDict, total=False):
    """Something that happened before an event."""

    timestamp: str
    category: str
    level: Level
    message: str
    data: dict[str, Json]
    scope: Literal["process"]


class WireRequest(TypedDict, total=False):
    """The request that the program was serving."""

    method: str
    path: str
    route: str
    headers: dict[str, Json]


class WireEvent(TypedDict, total=False):
    """One event as it leaves the process."""

    id: str
    seq: int
    type: Literal["exception", "log", "heartbeat", "exit"]
    timestamp: str
    level: Level
    message: str
    mechanism: dict[str, Json]
    exceptions: list[WireException]
    breadcrumbs: list[WireBreadcrumb]
    request: WireRequest
    trace: dict[str, str]
    attributes: dict[str, Json]
    user: dict[str, Json]
    tags: dict[str, Json]
    contexts: dict[str, Json]
    environment_variables: list[str]
    redactions: list[dict[str, str]]
