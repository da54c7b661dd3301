from __future__ import annotations

import atexit
import sys

from whence._client import Client
from whence._core import limits
from whence._core.breadcrumbs import Ring
from whence._core.guard import guarded
from whence._core.levels import level_of
from whence._core.redact import Redaction
from whence._core.scope import Scope, Scopes, Within
from whence._instrumentations.defaults import default_instrumentations
from whence._options import resolve_options
from whence._process.fork import watch_forks
from whence._process.interpreter import may_end_alone

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Mapping, Sequence

    from whence._core.before_send import BeforeSend
    from whence._options import BeforeBreadcrumb

#: Headers that carry credentials and have other names than the redacted ones, for ``redact``.
CREDENTIAL_HEADERS = (
    *("set-cookie", "proxy-authorization", "x-api-key", "api-key", "x-apikey", "x-auth-token"),
    *("x-access-token", "x-refresh-token", "x-id-token", "x-session-token", "x-session-id"),
    *("x-csrf-token", "x-xsrf-token", "csrf-token", "x-amz-security-token", "x-goog-api-key"),
    *("x-goog-iap-jwt-assertion", "x-amzn-oidc-data", "x-amzn-oidc-accesstoken"),
    *("x-ms-token-aad-access-token", "x-ms-token-aad-id-token", "cf-access-jwt-assertion"),
    *("cf-access-client-secret", "ocp-apim-subscription-key", "x-functions-key"),
    *("x-forwarded-access-token", "x-forwarded-authorization", "x-vault-token", "x-gitlab-token"),
    *("private-token", "job-token", "x-shopify-access-token", "x-webhook-secret", "x-secret"),
    *("x-password", "authentication", "x-authorization", "x-auth", "dpop"),
)

_running: list[Client] = []


def init(
    api_key: str | None = None,
    service: str | None = None,
    env: str | None = None,
    enabled: bool | str | None = None,  # noqa: FBT001 - the specification's order
    *,
    endpoint: str | None = None,
    release: str | None = None,
    redact: Sequence[str] | None = None,
    error_fields: Sequence[str] | None = None,
    before_send: BeforeSend | None = None,
    before_breadcrumb: BeforeBreadcrumb | None = None,
    ignore_errors: Sequence[str | re.Pattern[str]] | None = None,
    sample_rate: float | None = None,
    source: str | None = None,
    logs: bool | None = None,
    databases: bool | None = None,
    spool: bool | str | None = None,
    local_variables: bool | None = None,
    propagate_traces: bool | None = None,
) -> None:
    """Start the client. Never raises; a later call changes the running client where it can.

    Each option that isn't given comes from its variable, such as ``WHENCE_API_KEY``.

    :param api_key: an API key of your organization with the ``send`` scope; without one, the
        client is off.
    :param service: the name of your program, ``default`` by default.
    :param env: the environment, ``PROD`` by default; only failures in ``PROD`` are investigated.
    :param enabled: false turns the client off: nothing is installed or sent.
    :param endpoint: base URL of your Whence server.
    :param release: the version of your program; by default that of the environment, else of
        pyproject.toml and the git checkout.
    :param redact: additional field names to redact, ignoring case.
    :param error_fields: additional own attributes of exceptions to report.
    :param before_send: inspects, changes, or drops (None) each event before it leaves.
    :param before_breadcrumb: the same for each breadcrumb when it is recorded.
    :param ignore_errors: texts in, or patterns of, ``Name: message`` that aren't reported.
    :param sample_rate: the share of errors that are reported; those that end the process are.
    :param source: ``files`` to send the source of functions on the stack, and the program's own
        files when an investigation lacks them; ``functions`` to send the functions alone; or
        ``none``.
    :param logs: false to record no log records.
    :param databases: false to record no database calls.
    :param spool: keeps unsent events on disk as well: in another folder, or not with false.
    :param local_variables: false to report no values of local variables.
    :param propagate_traces: true to add the trace of the request being served to the requests
        that it makes (``traceparent``, W3C Trace Context).
    """
    given = dict(locals())
    guarded(_start, given)


def _start(given: dict[str, object]) -> None:
    if _running:
        from whence._later_init import adopt_options

        if not adopt_options(_running[0], given):
            close()
        return
    options = resolve_options(given)
    if options is None or may_end_alone():
        return
    client = Client(options)
    _running.append(client)
    atexit.register(_finish)
    client.start(default_instrumentations(options))
    watch_forks(client)


def _finish() -> None:
    for client in _running:
        guarded(client.finish)


def running_client() -> Client | None:
    """Return the client that runs."""
    return _running[0] if _running else None


def capture_exception(
    error: BaseException | None = None,
    *,
    level: str = "error",
    attributes: Mapping[str, object] | None = None,
) -> str | None:
    """Record an exception, by default the one being handled, and return the id of its event."""
    client = running_client()
    error = sys.exc_info()[1] if error is None else error
    if client is None or error is None:
        return None
    return guarded(
        client.capture_exception,
        error,
        mechanism="capture_exception",
        level=level_of(level, "error"),
        attributes=attributes,
    )


def capture_message(
    message: str, *, level: str = "info", attributes: Mapping[str, object] | None = None
) -> str | None:
    """Record a message and return the id of its event."""
    client = running_client()
    if client is None:
        return None
    return guarded(
        client.capture_message,
        message,
        mechanism="capture_message",
        level=level_of(level, "info"),
        attributes=attributes,
    )


def add_breadcrumb(
    message: str | None = None,
    *,
    category: str = "manual",
    level: str = "info",
    data: Mapping[str, object] | None = None,
) -> None:
    """Record something that happened, for the events that follow."""
    client = running_client()
    if client is not None:
        guarded(client.add_breadcrumb, category, message, level_of(level, "info"), data)


def scope() -> Within:
    """Return a scope for a ``with`` statement: facts set inside hold until its end."""
    client = running_client()
    if client is None:
        return Scopes(Redaction()).within()
    return client.scopes.within()


def _current_scope() -> Scope:
    client = running_client()
    return Scope(Redaction(), None, Ring()) if client is None else client.scopes.current()


def set_user(user: Mapping[str, object] | None) -> None:
    """Set who the program is working for, such as ``{"id": 31}``; None for no one."""
    guarded(_current_scope().set_user, user)


def set_tag(name: str, value: object) -> None:
    """Set a short fact for the events of this scope; None removes it."""
    guarded(_current_scope().set_tag, name, value)


def set_tags(tags: Mapping[str, object]) -> None:
    """Set several tags for the events of this scope."""
    guarded(_current_scope().set_tags, tags)


def set_context(name: str, fields: Mapping[str, object] | None) -> None:
    """Set an object of facts for the events of this scope; None removes it."""
    guarded(_current_scope().set_context, name, fields)


def flush(timeout: float = limits.FLUSH_TIMEOUT_S) -> bool:
    """Send queued events now, for up to ``timeout`` seconds.

    Returns whether everything since the last flush arrived.
    """
    client = running_client()
    return client is None or guarded(client.flush, timeout) is True


def lost_events() -> dict[str, int]:
    """Return how many events were dropped, by reason."""
    client = running_client()
    return {} if client is None else client.lost_events()


def close(timeout: float = limits.FLUSH_TIMEOUT_S) -> bool:
    """Send queued events for up to ``timeout`` seconds, then stop the client."""
    client = running_client()
    if client is None:
        return True
    _running.clear()
    atexit.unregister(_finish)
    return guarded(client.close, timeout) is True
