import threading


class Store:
    """Tables in memory, behind one lock."""

    def __init__(self):
        self._tables = {"links": {}, "owners": {}, "visits": {}}
        self._lock = threading.Lock()

    def save(self, table, key, value):
        with self._lock:
            if key in self._tables[table]:
                raise KeyError("%s has a row %s" % (table, key))
            self._tables[table][key] = value

    def load(self, table, key):
        with self._lock:
            return self._tables[table][key]

    def append(self, table, key, value):
        with self._lock:
            self._tables[table].setdefault(key, []).append(value)

    def remove(self, table, key):
        with self._lock:
            return self._tables[table].pop(key)

    def rows(self, table):
        with self._lock:
            return list(self._tables[table].items())
