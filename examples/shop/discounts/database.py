import sqlite3

#: Name, product group, the least pieces of an order, percent. Everything else is sold at its price.
CAMPAIGNS = [
    ("price list", "any", 1, 0),
    ("three bags", "coffee", 3, 10),
    ("bulk paper", "brewing", 10, 20),
]


def connect():
    """Return a connection to the database, which is filled in memory here."""
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    database.execute("CREATE TABLE campaigns (name, product_group, from_quantity, percent)")
    database.executemany("INSERT INTO campaigns VALUES (?, ?, ?, ?)", CAMPAIGNS)
    return database
