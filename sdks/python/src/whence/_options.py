from __future__ import annotations

from whence._core import limits
from whence._environment import doctor_address, switch_of, usual_release, variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    from whence._core.before_send import BeforeSend
    from whence._core.event import WireBreadcrumb

    T = TypeVar("T")
    BeforeBreadcrumb = Callable[[WireBreadcrumb], WireBreadcrumb | None]

#: The variable of each option that isn't code.
OPTION_VARIABLES = {
    "api_key": "WHENCE_API_KEY",
    "service": "WHENCE_SERVICE",
    "env": "WHENCE_ENV",
    "enabled": "WHENCE_ENABLED",
    "endpoint": "WHENCE_ENDPOINT",
    "release": "WHENCE_RELEASE",
    "redact": "WHENCE_REDACT",
    "error_fields": "WHENCE_ERROR_FIELDS",
    "ignore_errors": "WHENCE_IGNORE_ERRORS",
    "sample_rate": "WHENCE_SAMPLE_RATE",
    "source": "WHENCE_SOURCE",
    "logs": "WHENCE_LOGS",
    "databases": "WHENCE_DATABASES",
    "spool": "WHENCE_SPOOL",
    "local_variables": "WHENCE_LOCAL_VARIABLES",
    "propagate_traces": "WHENCE_PROPAGATE_TRACES",
}
_DEFAULT_ENDPOINT = "http://127.0.0.1:4000"
_THIS_MACHINE = ("localhost", "127.", "0.0.0.0", "[::1]", "[::]")  # noqa: S104 - names, no binding


class WhenceWarning(UserWarning):
    """An option that :func:`whence.init` can't use; its default is used instead."""


class Options:
    """The options of :func:`whence.init`, checked and complete."""

    __slots__ = (
        "api_key", "before_breadcrumb", "before_send", "databases", "endpoint", "env",
        "error_fields", "ignore_errors", "local_variables", "logs", "propagate_traces",
        "redact", "release", "sample_rate", "service", "source", "spool",
    )  # fmt: skip

    api_key: str
    service: str
    env: str
    endpoint: str
    release: str | None
    redact: tuple[str, ...]
    error_fields: frozenset[str]
    ignore_errors: tuple[str | re.Pattern[str], ...]
    sample_rate: float
    source: str
    logs: bool
    databases: bool
    #: The folder; None to keep events in memory only.
    spool: str | None
    local_variables: bool
    propagate_traces: bool
    before_send: BeforeSend | None
    before_breadcrumb: BeforeBreadcrumb | None


def resolve_options(given: dict[str, object]) -> Options | None:
    """Return the options to run with; None when the client stays off.

    An option that wasn't given comes from its variable. An unusable one falls back to its default
    with a warning: a misconfigured client must not stop a program.
    """
    values = {
        name: variable(OPTION_VARIABLES[name])
        if value is None and name in OPTION_VARIABLES
        else value
        for name, value in given.items()
    }
    if not _flag(values["enabled"], "enabled", default=True):
        return None
    api_key = values["api_key"]
    if type(api_key) is not str or not api_key.isascii() or not _is_one_word(api_key):
        found = "none" if api_key is None else "something else"
        _warn(f"api_key must be an API key of your organization, got {found}: the client is off")
        return None
    options = Options()
    options.api_key = api_key
    options.service = _name(values["service"], "service", "default")
    options.env = _env(values["env"])
    options.endpoint = _endpoint(values["endpoint"])
    options.release = _release(values["release"])
    options.redact = tuple(_texts(values["redact"], "redact"))
    options.error_fields = frozenset(
        name.lower() for name in _texts(values["error_fields"], "error_fields")
    )
    options.ignore_errors = tuple(_patterns(values["ignore_errors"]))
    options.sample_rate = _share(values["sample_rate"])
    options.source = _source(values["source"])
    for name in ("logs", "databases", "local_variables"):
        setattr(options, name, _flag(values[name], name, default=True))
    options.propagate_traces = _flag(values["propagate_traces"], "propagate_traces", default=False)
    options.spool = _spool(values["spool"])
    options.before_send = _before_send(values["before_send"])
    options.before_breadcrumb = _before_breadcrumb(values["before_breadcrumb"])
    return options


def _warn(message: str) -> None:
    import warnings

    # To the caller of whence.init.
    warnings.warn(f"whence: {message}", WhenceWarning, stacklevel=5)


def _is_one_word(text: str) -> bool:
    return bool(text) and all("!" <= character <= "~" for character in text)


def _flag(value: object, name: str, *, default: bool) -> bool:
    if value is None:
        return default
    flag = switch_of(value) if type(value) is str else value
    if type(flag) is bool:
        return flag
    _warn(f"{name} must be a boolean, got {_described(value)}: using {default}")
    return default


def _name(value: object, name: str, default: str) -> str:
    if value is None:
        return default
    if type(value) is str and 1 <= len(value) <= limits.SERVICE_LENGTH_MAX:
        return value
    length = limits.SERVICE_LENGTH_MAX
    _warn(f'{name} must be 1 to {length} characters, got {_described(value)}: using "{default}"')
    return default


def _env(value: object) -> str:
    env = _name(value, "env", "PROD")
    if env != "PROD" and env.lower() in ("prod", "production"):
        _warn(f'env is "{env}", but only failures in "PROD" are investigated: set env to "PROD"')
    return env


def _endpoint(value: object) -> str:
    endpoint = _checked_endpoint(value)
    doctor = doctor_address()
    if doctor is None:
        return endpoint
    from urllib.parse import quote

    return f"{doctor}/{quote(endpoint, safe='')}"


def _checked_endpoint(value: object) -> str:
    if value is None:
        return _DEFAULT_ENDPOINT
    text = value if type(value) is str else ""
    scheme, _, rest = text.partition("://")
    host = rest.partition("/")[0]
    if scheme.lower() not in ("http", "https") or host == "" or not _is_one_word(text):
        _warn(
            f"endpoint must be an http or https URL, got {_described(value)}: "
            f"using {_DEFAULT_ENDPOINT}"
        )
        return _DEFAULT_ENDPOINT
    if scheme.lower() == "http" and not host.startswith(_THIS_MACHINE):
        _warn(
            f"endpoint is http://{host}: the API key and all events are sent unencrypted, use https"
        )
    return text


def _release(value: object) -> str | None:
    if value is None:
        return usual_release()
    if type(value) is str and 1 <= len(value) <= limits.TEXT_LENGTH_MAX:
        return value
    length = limits.TEXT_LENGTH_MAX
    _warn(f"release must be 1 to {length} characters, got {_described(value)}: using the default")
    return usual_release()


def _texts(value: object, name: str) -> Iterable[str]:
    if value is None:
        return ()
    if type(value) is str:
        return [item.strip() for item in value.split(",") if item.strip()]
    if type(value) not in (list, tuple, set, frozenset):
        _warn(f"{name} must be a list of names, got {_described(value)}: using none")
        return ()
    items: Iterable[object] = value  # type: ignore[assignment]
    return [item for item in items if type(item) is str]


def _patterns(value: object) -> Iterable[str | re.Pattern[str]]:
    if value is None or type(value) is str:
        return _texts(value, "ignore_errors")
    if type(value) not in (list, tuple):
        _warn(f"ignore_errors must be a list, got {_described(value)}: ignoring none")
        return ()
    import re

    items: Iterable[object] = value  # type: ignore[assignment]
    return [item for item in items if isinstance(item, (str, re.Pattern)) and item != ""]


def _share(value: object) -> float:
    if value is None:
        return 1.0
    try:
        share = float(value) if type(value) in (int, float, str) else -1.0  # type: ignore[arg-type]
    except ValueError:
        share = -1.0
    if 0 <= share <= 1:
        return share
    _warn(
        f"sample_rate must be a number from 0 to 1, got {_described(value)}: reporting everything"
    )
    return 1.0


def _source(value: object) -> str:
    if value is None:
        return "files"
    if value in ("files", "functions", "none"):
        return str(value)
    _warn(f'source must be "files", "functions" or "none", got {_described(value)}: sending none')
    return "none"


def _spool(value: object) -> str | None:
    from whence._delivery.spool import default_folder

    switch = switch_of(value) if type(value) is str else value
    if switch is None and type(value) is str:
        import os

        return os.path.join(os.path.abspath(value), "whence-spool")  # noqa: PTH100, PTH118
    if switch is None or switch is True:
        return default_folder(variable("TMPDIR"))
    if switch is not False:
        _warn(f"spool must be a boolean or a folder, got {_described(value)}: the spool is off")
    return None


def _before_send(value: object) -> BeforeSend | None:
    if value is None or callable(value):
        return value
    _warn(f"before_send must be a function, got {_described(value)}: sending events without data")
    return lambda _event: {}


def _before_breadcrumb(value: object) -> BeforeBreadcrumb | None:
    if value is None or callable(value):
        return value
    _warn(
        f"before_breadcrumb must be a function, got {_described(value)}: recording no breadcrumbs"
    )
    return lambda _crumb: None


def _described(value: object) -> str:
    if type(value) in (int, float):
        return str(value)
    return f"a string of {len(value)} characters" if type(value) is str else type(value).__name__
