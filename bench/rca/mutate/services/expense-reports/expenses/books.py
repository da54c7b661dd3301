from collections import OrderedDict
from decimal import Decimal


class Books:
    def __init__(self):
        self.entries = []
        self.accounts = OrderedDict()

    def post(self, expense, euro):
        self.entries.append((expense, euro))
        for account in (expense.employee, expense.category, expense.month):
            self.accounts[account] = self.accounts.get(account, Decimal(0)) + euro
        self.check()

    def check(self):
        total = sum(euro for _, euro in self.entries)
        if sum(self.accounts.values()) != total * 3:
            raise ArithmeticError(f"the accounts hold {sum(self.accounts.values())}, three times {total} was booked")

    def of(self, name):
        return self.accounts[name]
