from __future__ import annotations

import warnings

from whence._options import WhenceWarning, resolve_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whence._client import Client

_AT_ANY_TIME = ("before_send", "before_breadcrumb", "ignore_errors", "sample_rate")
_UNTIL_SENT = ("service", "env", "release")


def adopt_options(client: Client, given: dict[str, object]) -> bool:
    """Adopt what a later call of ``init`` gives; return False when it turns the client off.

    One warning names the options that can no longer change.
    """
    named = [name for name, value in given.items() if value is not None]
    options = resolve_options({**given, "api_key": client.options.api_key})
    if options is None:
        return False
    late: list[str] = []
    for name in named:
        if name in ("api_key", "enabled"):
            is_late = name == "api_key" and given[name] != client.options.api_key
        elif name == "redact":
            client.redaction.add(options.redact)
            is_late = False
        else:
            value = getattr(options, name)
            is_same = value == getattr(client.options, name)
            is_late = not is_same and not _adopt(client, name, value)
        if is_late:
            late.append(name)
    if late:
        warnings.warn(
            f"whence: init was called before, so {', '.join(late)} can't change",
            WhenceWarning,
            stacklevel=5,
        )
    return True


def _adopt(client: Client, name: str, value: object) -> bool:
    if name in _AT_ANY_TIME:
        setattr(client.options, name, value)
        return True
    return name in _UNTIL_SENT and client.describe(name, str(value))
