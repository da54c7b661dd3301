from invoices.pool import pool


def store(invoice):
    connection = pool.acquire()
    try:
        if not invoice["cents"]:
            raise ValueError("an invoice of nothing")
        return f"{connection}: {invoice['number']}"
    finally:
        pool.release(connection)


def mark_paid(number):
    connection = pool.acquire()
    try:
        return f"{connection}: {number} paid"
    finally:
        pool.release(connection)
