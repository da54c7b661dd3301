class Slip:
    def __init__(self, employee, month, currency):
        self.employee = employee
        self.month = month
        self.currency = currency
        self.lines = []

    def add(self, label, amount):
        self.lines.append((label, amount))

    @property
    def net(self):
        return round(sum(amount for _, amount in self.lines), 2)

    def check(self):
        gross = self.lines[0][1]
        if not 0 < self.net <= gross:
            raise ArithmeticError(f"{self.employee.name} would get {self.net} of {gross}")

    def text(self):
        width = max(len(label) for label, _ in self.lines)
        rows = [f"{label.ljust(width)} {amount:>12,.2f}" for label, amount in self.lines]
        return "\n".join([f"{self.employee.name.upper()} {self.month}", *rows, f"{'Net'.ljust(width)} {self.net:>12,.2f} {self.currency}"])
