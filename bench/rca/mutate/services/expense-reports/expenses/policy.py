import json
from decimal import Decimal


class Policy:
    cent = Decimal("0.01")

    def __init__(self, limits, rates, approvers, receipt_above):
        self.limits = {name: Decimal(limit) for name, limit in limits.items()}
        self.rates = {code: Decimal(rate) for code, rate in rates.items()}
        self.approvers = approvers
        self.receipt_above = receipt_above

    @classmethod
    def from_file(cls, path):
        with open(path) as file:
            return cls(**json.load(file))

    def in_euro(self, amount, currency):
        return (amount / self.rates[currency]).quantize(self.cent)

    def problems(self, expense):
        euro = self.in_euro(expense.amount, expense.currency)
        found = []
        if euro > self.limits[expense.category]:
            found.append(f"{euro} is over the limit of {expense.category}")
        if euro > self.receipt_above and expense.receipt is None:
            found.append("no receipt")
        return found
