from invoices.pool import pool


def find(number):
    connection = pool.acquire()
    try:
        if number < 0:
            return None
        return {"number": number, "cents": 4200}
    finally:
        pool.release(connection)


def count():
    connection = pool.acquire()
    total = len(connection)
    pool.release(connection)
    return total
