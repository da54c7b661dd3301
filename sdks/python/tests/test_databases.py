import pytest
import sqlalchemy
from sqlalchemy import create_engine, text

from whence._core.statement_shape import statement_shape
from whence._instrumentations.sqlalchemy_engine import watch_sqlalchemy


@pytest.mark.parametrize(
    ("statement", "shape"),
    [
        ("SELECT * FROM users WHERE id = 31", "SELECT * FROM users WHERE id = ?"),
        ("SELECT 'it''s' AS x -- secret", "SELECT ? AS x"),
        ('SELECT "name" FROM t WHERE a = $1', 'SELECT "name" FROM t WHERE a = $1'),
        ("SELECT 'never closed", "SELECT ?"),
        ("INSERT INTO t VALUES (%s, :name, 1.5e3)", "INSERT INTO t VALUES (%s, :name, ?)"),
        ("SELECT $$a secret$$, 2", "SELECT ?, ?"),
        ("SELECT/* a secret */1", "SELECT ?"),
    ],
)
def test_keeps_no_value_of_a_statement(statement, shape):
    assert statement_shape(statement) == shape


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
