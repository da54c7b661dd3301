import pytest
import sqlalchemy
from sqlalchemy import create_engine, text

from whence._core.statement_shape import statement_shape
from whence._instrumentations.sqlalchemy_engine import watch_sqlalchemy


@pytest.mark.parametrize(
    ("system", "statement", "shape"),
    [
        ("postgresql", "SELECT * FROM users WHERE id = 31", "SELECT * FROM users WHERE id = ?"),
        ("postgresql", "SELECT 'it''s' AS x -- secret", "SELECT ? AS x"),
        ("postgresql", 'SELECT "name" FROM t WHERE a = $1', 'SELECT "name" FROM t WHERE a = $1'),
        ("postgresql", "SELECT 'never closed", "SELECT ?"),
        (
            "postgresql",
            "INSERT INTO t VALUES (%s, :name, 1.5e3)",
            "INSERT INTO t VALUES (%s, :name, ?)",
        ),
        ("postgresql", "SELECT $$a secret$$, 2", "SELECT ?, ?"),
        ("postgresql", "SELECT/* a secret */1", "SELECT ?"),
        ("postgresql", "SELECT a #> %s, b # 7 FROM t", "SELECT a #> %s, b # ? FROM t"),
        ("sqlite", 'SELECT "name", `b` FROM t', 'SELECT "name", `b` FROM t'),
        ("mysql", 'SELECT * FROM t WHERE a = "b@x.com"', "SELECT * FROM t WHERE a = ?"),
        ("mysql", 'SELECT `a`, "it\'s", %s # a secret', "SELECT `a`, ?, %s"),
        ("mysql", 'SELECT 5--3, 1--"a\nsecret" FROM t -- secret', "SELECT ?--?, ?--? FROM t"),
        ("mysql", 'SELECT "a\\", "secret"', "SELECT ?"),
        ("mysql", "SELECT $$, 'a$$ secret'", "SELECT ?"),
        ("mariadb", 'SELECT "a secret" # another', "SELECT ?"),
        ("snowball", 'SELECT "a secret" -- another', "SELECT ?"),
    ],
)
def test_keeps_no_value_of_a_statement(system, statement, shape):
    assert statement_shape(statement, system) == shape


def test_records_statements_of_sqlalchemy(start):
    client = start(watch_sqlalchemy)
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        connection.execute(text("SELECT :secret"), {"secret": "a"})
        with pytest.raises(sqlalchemy.exc.OperationalError):
            connection.execute(text("SELECT * FROM absent WHERE a = 'secret'"))
    engine.dispose()
    done, failed = (crumb.data for crumb in client.scopes.process.ring.newest())
    assert done.pop("duration_ms") >= 0
    assert done == {
        "system": "sqlite",
        "operation": "SELECT",
        "statement": "SELECT ?",
        "database": ":memory:",
    } or done == {"system": "sqlite", "operation": "SELECT", "statement": "SELECT ?"}
    assert failed["statement"] == "SELECT * FROM absent WHERE a = ?"
    assert failed["error"] == "no such table: absent"


def test_reads_quotes_as_the_system_does(start):
    client = start(watch_sqlalchemy)
    engine = create_engine("sqlite://")
    for engine.dialect.name in ("sqlite", "mysql"):
        with engine.connect() as connection:
            connection.execute(text('SELECT 1 AS "one"'))
    engine.dispose()
    shapes = [crumb.data["statement"] for crumb in client.scopes.process.ring.newest()]
    assert shapes == ['SELECT ? AS "one"', "SELECT ? AS ?"]
