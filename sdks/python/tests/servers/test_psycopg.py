"""Statements of psycopg 3 on a real PostgreSQL."""

import asyncio
import sys
import traceback
from urllib.parse import urlsplit

import psycopg
import pytest
import sqlalchemy
from psycopg import rows, sql

from whence._instrumentations.django_connections import watch_django_connections
from whence._instrumentations.psycopg_cursors import watch_psycopg
from whence._instrumentations.sqlalchemy_engine import watch_sqlalchemy


@pytest.fixture
def crumbs(start):
    client = start(watch_psycopg, watch_sqlalchemy)

    def newest():
        return [crumb.data for crumb in client.scopes.process.ring.newest()]

    return newest


def statements(crumbs):
    return [crumb["statement"] for crumb in crumbs()]


def test_records_a_statement_without_values(crumbs, postgres):
    with psycopg.connect(postgres) as connection:
        connection.execute("SELECT %s::text, 'secret'", ["secret"]).fetchall()
        port = connection.info.port
    [data] = crumbs()
    assert data.pop("duration_ms") >= 0
    assert data == {
        "system": "postgresql",
        "operation": "SELECT",
        "statement": "SELECT %s::text, ?",
        "host": "127.0.0.1",
        "port": port,
        "database": "postgres",
    }


def test_records_a_failure_with_its_sqlstate_and_adds_no_frame(crumbs, postgres):
    with pytest.raises(psycopg.errors.UndefinedTable) as caught:
        with psycopg.connect(postgres) as connection:
            connection.execute("SELECT * FROM absent")
    assert "whence/_" not in "".join(traceback.format_exception(caught.value))
    [data] = crumbs()
    assert data["error_code"] == "42P01"
    assert data["error"].startswith('relation "absent" does not exist')


def test_records_the_statements_after_a_lost_connection(crumbs, postgres):
    with psycopg.connect(postgres) as lost, psycopg.connect(postgres, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [lost.info.backend_pid])
        cursor = lost.cursor()
        for _ in range(2):
            with pytest.raises(psycopg.OperationalError):
                cursor.execute("SELECT 1")
        asked = len(crumbs())
        other.execute("SELECT 2")
    assert statements(crumbs)[asked:] == ["SELECT ?"]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="a traceback can't be cut before 3.11")
def test_adds_no_frame_to_an_error_of_the_parameters(crumbs, postgres):
    with psycopg.connect(postgres) as connection, pytest.raises(TypeError) as caught:
        connection.execute("SELECT %s", 7)
    assert "whence/_" not in "".join(traceback.format_exception(caught.value))
    assert [crumb["error_code"] for crumb in crumbs()] == ["TypeError"]


def test_records_each_way_to_execute_once(crumbs, postgres):
    with psycopg.connect(postgres) as connection, connection.cursor() as cursor:
        cursor.execute(b"CREATE TEMPORARY TABLE orders (id int)")
        cursor.executemany("INSERT INTO orders VALUES (%s)", [(1,), (2,)])
        cursor.execute(
            sql.SQL("SELECT * FROM {} WHERE id = {}").format(sql.Identifier("orders"), 1)
        )
        assert list(cursor.stream("SELECT id FROM orders")) == [(1,), (2,)]
        with connection.cursor(name="named") as named:
            named.execute("SELECT id FROM orders WHERE id > 1")
            assert named.fetchall() == [(2,)]
    assert statements(crumbs) == [
        "CREATE TEMPORARY TABLE orders (id int)",
        "INSERT INTO orders VALUES (%s)",
        'SELECT * FROM "orders" WHERE id = ?',
        "SELECT id FROM orders",
        "SELECT id FROM orders WHERE id > ?",
    ]


def test_records_statements_of_asynchronous_connections(crumbs, postgres):
    async def ask():
        async with await psycopg.AsyncConnection.connect(postgres) as connection:
            await connection.execute("SELECT 1")
            with pytest.raises(psycopg.errors.DivisionByZero):
                await connection.execute("SELECT 1 / 0")

    asyncio.run(ask())
    done, failed = crumbs()
    assert "error" not in done
    assert failed["error_code"] == "22012"


def test_changes_no_type_and_no_row(crumbs, postgres):
    with psycopg.connect(postgres, row_factory=rows.dict_row) as connection:
        cursor = connection.execute("SELECT 1 AS one")
        assert (type(connection), type(cursor)) == (psycopg.Connection, psycopg.Cursor)
        assert cursor.row_factory is rows.dict_row
        assert cursor.fetchone() == {"one": 1}


def test_is_as_before_after_the_end_of_the_client(start, postgres):
    before = psycopg.Cursor._execute_gen
    client = start(watch_psycopg)
    assert psycopg.Cursor._execute_gen is not before
    client.close(2)
    assert psycopg.Cursor._execute_gen is before


@pytest.mark.parametrize("driver", ["psycopg", "psycopg2"])
def test_records_a_statement_of_sqlalchemy_once(crumbs, postgres, driver):
    engine = sqlalchemy.create_engine(postgres.replace("postgres:", f"postgresql+{driver}:", 1))
    with engine.connect() as connection:
        asked = len(crumbs())
        connection.execute(sqlalchemy.text("SELECT :secret"), {"secret": "a"})
        with pytest.raises(sqlalchemy.exc.ProgrammingError):
            connection.execute(sqlalchemy.text("SELECT * FROM absent"))
    engine.dispose()
    done, failed = crumbs()[asked:]
    assert (done["system"], done["operation"]) == ("postgresql", "SELECT")
    assert failed["error_code"] == "42P01"


def test_records_a_composed_statement_of_django_by_its_text(start, postgres):
    import django
    from django.conf import settings
    from django.db.utils import ConnectionHandler

    if not settings.configured:
        settings.configure()
        django.setup()
    client = start(watch_django_connections, watch_psycopg)
    url = urlsplit(postgres)
    server = {"HOST": url.hostname, "PORT": url.port, "NAME": "postgres"}
    user = {"USER": url.username, "PASSWORD": url.password}
    engine = {"ENGINE": "django.db.backends.postgresql"}
    connection = ConnectionHandler({"default": {**engine, **server, **user}})["default"]
    with connection.cursor() as cursor:
        asked = len(client.scopes.process.ring.newest())
        cursor.execute(sql.SQL("SELECT {}").format(sql.Literal("Conan O'Brien")))
    connection.close()
    crumbs = client.scopes.process.ring.newest()[asked:]
    assert [crumb.data["statement"] for crumb in crumbs] == ["SELECT ?"]
