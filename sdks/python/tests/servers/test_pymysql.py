"""Statements of PyMySQL on a real MariaDB."""

import sys
import traceback
from urllib.parse import urlsplit

import pymysql
import pytest
import sqlalchemy

from whence._instrumentations.pymysql_cursors import watch_pymysql
from whence._instrumentations.sqlalchemy_engine import watch_sqlalchemy


@pytest.fixture
def crumbs(start):
    client = start(watch_pymysql, watch_sqlalchemy)

    def newest():
        return [crumb.data for crumb in client.scopes.process.ring.newest()]

    return newest


def statements(crumbs):
    return [crumb["statement"] for crumb in crumbs()]


def connect(mysql, **options):
    url = urlsplit(mysql)
    return pymysql.connect(
        host=url.hostname, port=url.port, user="root", database="test", **options
    )


def test_records_a_statement_without_values(crumbs, mysql):
    with connect(mysql) as connection, connection.cursor() as cursor:
        asked = len(crumbs())
        cursor.execute("SELECT %s, 'secret', \"secret\"", ["secret"])
        assert cursor.fetchall() == (("secret", "secret", "secret"),)
    [data] = crumbs()[asked:]
    assert data.pop("duration_ms") >= 0
    assert data == {
        "system": "mysql",
        "operation": "SELECT",
        "statement": "SELECT %s, ?, ?",
        "host": "127.0.0.1",
        "port": urlsplit(mysql).port,
        "database": "test",
    }


def test_records_a_failure_with_its_code_and_adds_no_frame(crumbs, mysql):
    with connect(mysql) as connection, pytest.raises(pymysql.err.ProgrammingError) as caught:
        connection.cursor().execute("SELECT * FROM absent")
    if sys.version_info >= (3, 11):
        assert "whence/_" not in "".join(traceback.format_exception(caught.value))
    data = crumbs()[-1]
    assert data["error_code"] == "ER_NO_SUCH_TABLE"
    assert "'test.absent' doesn't exist" in data["error"]


def test_records_each_way_to_execute_once(crumbs, mysql):
    with connect(mysql) as connection, connection.cursor() as cursor:
        asked = len(crumbs())
        cursor.execute("CREATE TEMPORARY TABLE orders (id int)")
        cursor.executemany("INSERT INTO orders VALUES (%s)", [(1,), (2,)])
        cursor.executemany("UPDATE orders SET id = %s WHERE id = %s", [(3, 1), (4, 2)])
        with connection.cursor(pymysql.cursors.SSDictCursor) as unbuffered:
            unbuffered.execute("SELECT id FROM orders WHERE id > %(id)s", {"id": 3})
            assert unbuffered.fetchall() == [{"id": 4}]
    assert statements(crumbs)[asked:] == [
        "CREATE TEMPORARY TABLE orders (id int)",
        "INSERT INTO orders VALUES (%s)",
        "UPDATE orders SET id = %s WHERE id = %s",
        "SELECT id FROM orders WHERE id > %(id)s",
    ]


def test_records_a_statement_of_sqlalchemy_once(crumbs, mysql):
    engine = sqlalchemy.create_engine(mysql.replace("mysql:", "mysql+pymysql:", 1))
    with engine.connect() as connection:
        asked = len(crumbs())
        connection.execute(sqlalchemy.text("SELECT :secret"), {"secret": "a"})
    engine.dispose()
    assert [crumb["operation"] for crumb in crumbs()[asked:]] == ["SELECT"]


def test_is_as_before_after_the_end_of_the_client(start):
    before = pymysql.cursors.Cursor.execute
    client = start(watch_pymysql)
    assert pymysql.cursors.Cursor.execute is not before
    client.close(2)
    assert pymysql.cursors.Cursor.execute is before
