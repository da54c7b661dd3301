"""What the client watches: the list to read first."""

from __future__ import annotations

from whence._instrumentations.aiohttp_client import watch_aiohttp
from whence._instrumentations.asyncio_tasks import watch_asyncio
from whence._instrumentations.httpx_client import watch_httpx
from whence._instrumentations.log_records import watch_logs
from whence._instrumentations.multiprocessing_children import watch_multiprocessing
from whence._instrumentations.outgoing_http import watch_outgoing_http
from whence._instrumentations.sqlalchemy_engine import watch_sqlalchemy
from whence._instrumentations.threads import watch_threads
from whence._instrumentations.uncaught_exception import watch_uncaught_exceptions
from whence._instrumentations.unraisable import watch_unraisable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from whence._client import Client
    from whence._options import Options


def default_instrumentations(options: Options) -> list[Callable[[Client], Callable[[], None]]]:
    """Return what starts each part; each returns what stops it."""
    return [
        watch_uncaught_exceptions,
        watch_threads,
        watch_unraisable,
        watch_asyncio,
        watch_multiprocessing,
        watch_outgoing_http,
        watch_httpx,
        watch_aiohttp,
        *([watch_sqlalchemy] if options.databases else []),
        *([watch_logs] if options.logs else []),
    ]
