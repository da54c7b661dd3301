"""Statements of asyncpg on a real PostgreSQL."""

import asyncio
import inspect
import sys
import traceback
from urllib.parse import urlsplit

import asyncpg
import pytest
import sqlalchemy
from sqlalchemy.ext.asyncio import create_async_engine

from whence._instrumentations.asyncpg_statements import watch_asyncpg
from whence._instrumentations.sqlalchemy_engine import watch_sqlalchemy

HAS_CUT_TRACEBACKS = sys.version_info >= (3, 11)


@pytest.fixture
def crumbs(start):
    client = start(watch_asyncpg, watch_sqlalchemy)

    def newest():
        return [crumb.data for crumb in client.scopes.process.ring.newest()]

    return newest


def statements(crumbs):
    return [crumb["statement"] for crumb in crumbs()]


def connected(url, ask):
    async def run():
        connection = await asyncpg.connect(url)
        try:
            return await ask(connection)
        finally:
            await connection.close()

    return asyncio.run(run())


def test_records_a_statement_without_values(crumbs, postgres):
    rows = connected(postgres, lambda at: at.fetch("SELECT $1::text, 'secret'", "secret"))
    assert [tuple(row) for row in rows] == [("secret", "secret")]
    [data] = crumbs()
    assert data.pop("duration_ms") >= 0
    assert data == {
        "system": "postgresql",
        "operation": "SELECT",
        "statement": "SELECT $1::text, ?",
        "host": "127.0.0.1",
        "port": urlsplit(postgres).port,
        "database": "postgres",
    }


@pytest.mark.parametrize("way", ["execute", "fetch"])
def test_records_a_failure_with_its_sqlstate(crumbs, postgres, way):
    with pytest.raises(asyncpg.UndefinedTableError) as caught:
        connected(postgres, lambda at: getattr(at, way)("SELECT * FROM absent"))
    if HAS_CUT_TRACEBACKS:
        assert "whence/_" not in "".join(traceback.format_exception(caught.value))
    [data] = crumbs()
    assert data["error_code"] == "42P01"
    assert data["error"].startswith('relation "absent" does not exist')


def test_records_each_way_to_execute_once(crumbs, postgres):
    async def ask(connection):
        await connection.execute("CREATE TEMPORARY TABLE orders (id int)")
        await connection.execute("INSERT INTO orders VALUES ($1)", 1)
        await connection.executemany("INSERT INTO orders VALUES ($1)", [(2,), (3,)])
        assert await connection.fetchval("SELECT count(*) FROM orders") == 3
        assert await connection.fetchrow("SELECT id FROM orders WHERE id = 1") == (1,)
        prepared = await connection.prepare("SELECT id FROM orders WHERE id > $1")
        assert await prepared.fetch(2) == [(3,)]
        async with connection.transaction():
            cursor = await connection.cursor("SELECT id FROM orders ORDER BY id DESC")
            assert await cursor.fetch(1) == [(3,)]
            assert [row async for row in connection.cursor("TABLE orders")] == [(1,), (2,), (3,)]

    connected(postgres, ask)
    assert statements(crumbs) == [
        "CREATE TEMPORARY TABLE orders (id int)",
        "INSERT INTO orders VALUES ($1)",
        "INSERT INTO orders VALUES ($1)",
        "SELECT count(*) FROM orders",
        "SELECT id FROM orders WHERE id = ?",
        "SELECT id FROM orders WHERE id > $1",
        "BEGIN;",
        "SELECT id FROM orders ORDER BY id DESC",
        "TABLE orders",
        "COMMIT;",
    ]


def test_records_what_a_program_asks_of_a_pool_and_nothing_of_the_pool_itself(crumbs, postgres):
    async def ask():
        async with asyncpg.create_pool(postgres, min_size=1, max_size=1) as pool:
            await pool.execute("SELECT 1")
            async with pool.acquire() as connection:
                await connection.execute("SELECT 2, 3")

    asyncio.run(ask())
    assert statements(crumbs) == ["SELECT ?", "SELECT ?, ?"]


@pytest.mark.parametrize("given", [((), {"query": "SELECT 1"}), (("SELECT 1",), {})])
def test_takes_a_statement_by_name_and_by_place(crumbs, postgres, given):
    args, named = given
    connected(postgres, lambda at: at.execute(*args, **named))
    assert statements(crumbs) == ["SELECT ?"]


def test_leaves_the_error_of_a_call_without_a_statement(crumbs, postgres):
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'query'"):
        connected(postgres, lambda at: at.execute())
    assert crumbs() == []


def test_records_a_timeout(crumbs, postgres):
    with pytest.raises(TimeoutError):
        connected(postgres, lambda at: at.fetch("SELECT pg_sleep(600)", timeout=0.05))
    [data] = crumbs()
    assert data["error_code"] == "TimeoutError"


def test_records_a_statement_of_sqlalchemy_once(crumbs, postgres):
    async def ask():
        url = urlsplit(postgres)._replace(scheme="postgresql+asyncpg").geturl()
        engine = create_async_engine(url)
        async with engine.connect() as connection:
            await connection.execute(sqlalchemy.text("SELECT :secret"), {"secret": "a"})
        await engine.dispose()

    asyncio.run(ask())
    own = [crumb for crumb in crumbs() if crumb["statement"].startswith("SELECT $1")]
    assert len(own) == 1


def test_is_as_before_after_the_end_of_the_client(start):
    before = asyncpg.Connection.execute
    client = start(watch_asyncpg)
    assert asyncpg.Connection.execute is not before
    assert inspect.iscoroutinefunction(asyncpg.Connection.execute)
    client.close(2)
    assert asyncpg.Connection.execute is before
