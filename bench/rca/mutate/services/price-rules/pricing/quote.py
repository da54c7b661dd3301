from pricing.audit import audit
from pricing.rules import rules_for
from pricing.totals import steps_of, totals_of


class Quotes:
    def __init__(self):
        self._count = 0

    def quote(self, customer, lines, group):
        totals = totals_of(lines)
        for name, percent in rules_for(group):
            if name == "bulk" and max(count for _, count in lines) < 10:
                continue
            totals["discount"] += totals["net"] * percent // 100
        audit(lines, steps_of(lines), totals, group)
        self._count += 1
        return totals["net"] - totals["discount"]
