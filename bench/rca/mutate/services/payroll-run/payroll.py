import sys

from engine.run import PayrollRun

EMPLOYEES = [
    {"name": "Ada Berg", "country": "NO", "kind": "salaried", "monthly": 62000, "iban": "NO9386011117947", "dependents": 2},
    {"name": "Bo Klein", "country": "DE", "kind": "hourly", "rate": 31.5, "iban": "DE89370400440532013000"},
    {"name": "Cy Lund", "country": "NO", "kind": "hourly", "rate": 240, "iban": "NO8330001234567"},
]
SHEETS = {
    "Bo Klein": [("2025-05-02", 8), ("2025-05-03", 10.5), ("2025-05-05", 7)] + [("2025-05-%02d" % day, 8) for day in range(6, 20)],
    "Cy Lund": [("2025-05-%02d" % day, 7.5) for day in range(1, 15)],
}

run = PayrollRun.from_country_file("country.json", "2025-05")
slips = run.calculate(EMPLOYEES, SHEETS)
for slip in slips:
    print(slip.text())
batch = run.bank_batch(slips)
print(batch.splitlines()[0], len(batch), run.totals(slips)["NOK"]["net"] > 0, file=sys.stdout)
