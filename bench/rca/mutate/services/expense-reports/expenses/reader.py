import csv
import io
from datetime import date
from decimal import Decimal

from .model import Expense


def read_expenses(text):
    for number, row in enumerate(csv.DictReader(io.StringIO(text)), start=2):
        yield Expense(
            line=number,
            day=date.fromisoformat(row["date"]),
            employee=row["employee"],
            category=row["category"],
            amount=parse_amount(row["amount"]),
            currency=row["currency"],
            receipt=row["receipt"] or None,
        )


def parse_amount(text):
    amount = Decimal(text.replace(",", ""))
    if amount <= 0:
        raise ValueError(f"an amount of {amount}")
    return amount
