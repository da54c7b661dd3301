from .iban import check_iban
from .rounding import cents


class Employee:
    def __init__(self, name, country, iban, dependents=0):
        self.name = name
        self.country = country
        self.iban = check_iban(iban)
        self.dependents = dependents


class Salaried(Employee):
    def __init__(self, monthly, **rest):
        super().__init__(**rest)
        self.monthly = monthly

    def gross(self, sheet):
        return cents(self.monthly)


class Hourly(Employee):
    overtime_factor = 1.4

    def __init__(self, rate, **rest):
        super().__init__(**rest)
        self.rate = rate

    def gross(self, sheet):
        normal, extra = sheet.split()
        return cents(self.rate * (normal + extra * self.overtime_factor))


KINDS = {"salaried": Salaried, "hourly": Hourly}


def build_employee(record):
    fields = dict(record)
    kind = fields.pop("kind")
    return KINDS[kind](**fields)
