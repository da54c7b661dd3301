"""The telemetry client of Whence. Importing it does nothing; :func:`init` starts it."""

from whence._api import (
    CREDENTIAL_HEADERS,
    add_breadcrumb,
    capture_exception,
    capture_message,
    close,
    flush,
    init,
    lost_events,
    scope,
    set_context,
    set_tag,
    set_tags,
    set_user,
)
from whence._options import WhenceWarning
from whence._version import __version__

__all__ = [
    "CREDENTIAL_HEADERS",
    "WhenceWarning",
    "__version__",
    "add_breadcrumb",
    "capture_exception",
    "capture_message",
    "close",
    "flush",
    "init",
    "lost_events",
    "scope",
    "set_context",
    "set_tag",
    "set_tags",
    "set_user",
]
