"""What the client watches: the list to read first."""

from __future__ import annotations

from whence._instrumentations.loaded_modules import once_loaded
from whence._instrumentations.multiprocessing_children import watch_multiprocessing
from whence._instrumentations.uncaught_exception import watch_uncaught_exceptions
from whence._instrumentations.unraisable import watch_unraisable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whence._instrumentations.loaded_modules import Instrumentation
    from whence._options import Options


def default_instrumentations(options: Options) -> list[Instrumentation]:
    """Return what starts each part; each returns what stops it."""
    return [
        watch_uncaught_exceptions,
        watch_unraisable,
        watch_multiprocessing,
        once_loaded("threading", _threads),
        once_loaded("asyncio.base_events", _asyncio),
        once_loaded("http.client", _http),
        once_loaded("httpx", _httpx),
        once_loaded("aiohttp", _aiohttp),
        once_loaded("celery.signals", _celery),
        once_loaded("rq.worker", _rq),
        once_loaded("dramatiq", _dramatiq),
        *(_databases() if options.databases else []),
        *([once_loaded("logging", _logs)] if options.logs else []),
    ]


def _threads() -> Instrumentation:
    from whence._instrumentations.threads import watch_threads

    return watch_threads


def _asyncio() -> Instrumentation:
    from whence._instrumentations.asyncio_tasks import watch_asyncio

    return watch_asyncio


def _http() -> Instrumentation:
    from whence._instrumentations.outgoing_http import watch_outgoing_http

    return watch_outgoing_http


def _httpx() -> Instrumentation:
    from whence._instrumentations.httpx_client import watch_httpx

    return watch_httpx


def _aiohttp() -> Instrumentation:
    from whence._instrumentations.aiohttp_client import watch_aiohttp

    return watch_aiohttp


def _celery() -> Instrumentation:
    from whence._instrumentations.celery_tasks import watch_celery

    return watch_celery


def _rq() -> Instrumentation:
    from whence._instrumentations.rq_jobs import watch_rq

    return watch_rq


def _dramatiq() -> Instrumentation:
    from whence._instrumentations.dramatiq_messages import watch_dramatiq

    return watch_dramatiq


def _databases() -> list[Instrumentation]:
    return [
        once_loaded("sqlalchemy", _sqlalchemy),
        once_loaded("psycopg", _psycopg),
        once_loaded("asyncpg", _asyncpg),
        once_loaded("pymysql", _pymysql),
        once_loaded("django.db.backends.signals", _django),
    ]


def _psycopg() -> Instrumentation:
    from whence._instrumentations.psycopg_cursors import watch_psycopg

    return watch_psycopg


def _asyncpg() -> Instrumentation:
    from whence._instrumentations.asyncpg_statements import watch_asyncpg

    return watch_asyncpg


def _pymysql() -> Instrumentation:
    from whence._instrumentations.pymysql_cursors import watch_pymysql

    return watch_pymysql


def _django() -> Instrumentation:
    from whence._instrumentations.django_connections import watch_django_connections

    return watch_django_connections


def _sqlalchemy() -> Instrumentation:
    from whence._instrumentations.sqlalchemy_engine import watch_sqlalchemy

    return watch_sqlalchemy


def _logs() -> Instrumentation:
    from whence._instrumentations.log_records import watch_logs

    return watch_logs
