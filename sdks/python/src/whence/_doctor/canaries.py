"""The values that the doctor plants into a program. Each is unique, and none is a secret."""

from __future__ import annotations

from whence._api import CREDENTIAL_HEADERS
from whence._core.redact import REDACTED_NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

#: Common field names for secrets that aren't among the thirteen default names.
_NEAR_NAMES = (
    *("accessToken", "access_token", "refreshToken", "idToken", "authToken", "apiToken"),
    *("clientSecret", "privateKey", "userPassword", "creditCard", "cardNumber", "sessionId"),
    "set-cookie",
)
_TEXTS = (
    *("message of an error", "message of a cause", "message of a breadcrumb"),
    "text of a log record",
)
_URLS = ("query of the request", "query of an outgoing request")
_PROCESS = ("environment variable", "header of an outgoing request", "body of a request")

#: The parts of an event that carry fields.
FIELDS = ("property", "variable", "attribute", "breadcrumb")


def value_of(channel: str, name: str) -> str:
    """Return the value of one canary."""
    return f"canary.{channel}.{name.replace(' ', '-')}.end"


def _plant(channel: str, names: Iterable[str]) -> list[tuple[str, str]]:
    return [(channel, name) for name in names]


_defaults = sorted(REDACTED_NAMES)

#: The channel and the name of each canary.
CANARIES = (
    *_plant("header", [*_defaults, *CREDENTIAL_HEADERS]),
    *[canary for channel in FIELDS for canary in _plant(channel, [*_defaults, *_NEAR_NAMES])],
    *_plant("text", _TEXTS),
    *_plant("url", _URLS),
    *_plant("process", _PROCESS),
)


def fields_of(channel: str) -> dict[str, str]:
    """Return the canaries of a channel as fields."""
    return {name: value_of(channel, name) for each, name in CANARIES if each == channel}
