"""What the program's options leave out when something is captured."""

from __future__ import annotations

import os

from whence._core.guard import guarded
from whence._core.levels import level_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whence._core.breadcrumbs import Breadcrumb
    from whence._options import BeforeBreadcrumb, Options


def excluded(title: str, options: Options) -> str | None:
    """Return why the options leave an event out; None when it is reported."""
    for pattern in options.ignore_errors:
        is_match = pattern in title if type(pattern) is str else pattern.search(title)  # type: ignore[union-attr]
        if is_match:
            return "ignored"
    share = options.sample_rate
    if share < 1 and int.from_bytes(os.urandom(4), "big") >= share * 2**32:
        return "sampled_out"
    return None


def review_breadcrumb(crumb: Breadcrumb, hook: BeforeBreadcrumb) -> bool:
    """Whether the program's hook keeps a breadcrumb. One that the hook fails on isn't kept."""
    from whence._core.wire_event import wire_breadcrumb

    wire = wire_breadcrumb(crumb, is_process=False)
    if "data" in wire:
        wire["data"] = dict(wire["data"])
    changed = guarded(hook, wire)
    if type(changed) is not dict:
        return False
    crumb.message = changed.get("message")
    crumb.data = changed.get("data")
    crumb.category = changed.get("category", crumb.category)
    if "level" in changed:
        crumb.level = level_of(changed["level"], "info")
    return True
