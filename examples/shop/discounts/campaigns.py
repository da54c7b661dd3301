from contextlib import closing

from database import connect


def find_campaign(group, quantity):
    """Return the campaign with the highest discount for this many pieces of a product group."""
    with closing(connect()) as database:
        return database.execute(
            "SELECT name, percent FROM campaigns"
            " WHERE product_group IN (?, 'any') AND from_quantity <= ?"
            " ORDER BY percent DESC",
            (group, quantity),
        ).fetchone()
