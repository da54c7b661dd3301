from __future__ import annotations

from whence._core import limits
from whence._core.values import Walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whence._core.event import Json
    from whence._core.redact import FieldRules

#: Own attributes of exceptions that describe the kind and place of the failure. None of them
#: contains stored or sent data, unlike ``args``, ``params``, ``doc``, ``object``, and ``body``.
USUAL_NAMES = frozenset(
    (
        # The interpreter: OSError, ImportError, UnicodeError, SSLError.
        *("errno", "winerror", "filename", "filename2", "strerror", "name", "path", "encoding"),
        *("reason", "start", "end", "library", "verify_code", "verify_message", "lineno", "offset"),
        # HTTP clients and servers: requests, httpx, aiohttp, Starlette, werkzeug, boto, Stripe.
        *("code", "status", "status_code", "statuscode", "reason_phrase", "method", "host", "port"),
        *(
            "operation_name",
            "error_code",
            "retryable",
            "request_id",
            "http_status",
            "param",
            "type",
        ),
        # Databases: psycopg, PyMySQL, oracledb, SQLAlchemy, redis, pymongo.
        *("pgcode", "sqlstate", "sqlite_errorcode", "sqlite_errorname", "connection_invalidated"),
        *("severity", "constraint_name", "table_name", "column_name", "schema_name", "full_code"),
        *("codename", "timeout", "error_labels"),
        # Processes and tasks.
        *("returncode", "exitcode", "signal", "task_id", "countdown"),
    )
)
_of_system = ("errno", "filename", "strerror")
_PROPERTIES_MAX = 50
_scalars = (str, int, float, bool)


def properties_of(
    error: BaseException, rules: FieldRules, added: frozenset[str]
) -> dict[str, Json]:
    """Return the own attributes of an exception that say what kind of failure it was."""
    walk = Walk.of_data(limits.BREADCRUMB_CHARACTERS_MAX)
    found = dict(vars(error)) if type(vars(error)) is dict else {}
    if issubclass(type(error), OSError):
        found.update((name, getattr(error, name, None)) for name in _of_system)
    result: dict[str, Json] = {}
    for name, value in found.items():
        lower = name.lower()
        is_named = lower in USUAL_NAMES or lower in added or rules.rule_of(name) is not None
        if not is_named or not issubclass(type(value), _scalars):
            continue
        if len(result) >= _PROPERTIES_MAX or walk.is_spent:
            break
        result[name] = walk.field(name, value, rules)
    return result
