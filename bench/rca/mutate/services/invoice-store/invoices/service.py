from invoices.read import count, find
from invoices.write import mark_paid, store


def handle(kind, number):
    if kind == "find":
        return find(number)
    if kind == "count":
        return count()
    if kind == "paid":
        return mark_paid(number)
    return store({"number": number, "cents": number * 100})
