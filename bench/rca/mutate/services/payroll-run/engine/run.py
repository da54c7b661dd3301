import json

from . import bank
from .employees import build_employee
from .rounding import cents
from .slips import Slip
from .taxes import TaxTable
from .timesheets import Timesheet


class PayrollRun:
    def __init__(self, countries, month):
        self.countries = countries
        self.month = month
        self.tables = {code: TaxTable(country["brackets"]) for code, country in countries.items()}

    @classmethod
    def from_country_file(cls, path, month):
        with open(path, "rb") as file:
            return cls(json.loads(file.read().decode("utf-8")), month)

    def calculate(self, records, sheets):
        slips = []
        for record in records:
            employee = build_employee(record)
            country = self.countries[employee.country]
            sheet = Timesheet(self.month, sheets.get(employee.name, []), country["hours"])
            slips.append(self.slip(employee, country, sheet))
        return sorted(slips, key=lambda slip: slip.employee.name.split()[-1])

    def slip(self, employee, country, sheet):
        gross = employee.gross(sheet)
        pension = cents(gross * country["pension"])
        tax = self.tables[employee.country].tax_on(gross - pension, employee.dependents)
        slip = Slip(employee, self.month, country["currency"])
        slip.add("Gross", gross)
        slip.add("Pension", -pension)
        slip.add("Tax", -tax)
        slip.check()
        return slip

    def totals(self, slips):
        totals = {}
        for slip in slips:
            total = totals.setdefault(slip.currency, {"net": 0, "count": 0})
            total["net"] += slip.net
            total["count"] += 1
        return totals

    def bank_batch(self, slips):
        return bank.batch(self.month, [(slip.employee.iban, slip.net, slip.currency) for slip in slips])
