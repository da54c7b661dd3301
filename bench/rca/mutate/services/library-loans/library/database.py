import sqlite3
import threading

SCHEMA = """
create table books (isbn text primary key, title text not null, authors text not null, copies integer not null);
create table members (id integer primary key, name text not null, kind text not null, fee_cents integer not null);
create table loans (member integer not null, isbn text not null, taken text not null, due text not null, returned text);
create table reservations (member integer not null, isbn text not null);
"""


class Database:
    def __init__(self):
        self.connection = sqlite3.connect(":memory:", check_same_thread=False)
        self.connection.row_factory = sqlite3.Row
        self.connection.executescript(SCHEMA)
        self.lock = threading.Lock()

    def all(self, sql, *values):
        with self.lock:
            return self.connection.execute(sql, values).fetchall()

    def one(self, sql, *values):
        rows = self.all(sql, *values)
        return rows[0] if rows else None

    def run(self, sql, *values):
        with self.lock:
            cursor = self.connection.execute(sql, values)
            self.connection.commit()
            return cursor.lastrowid
