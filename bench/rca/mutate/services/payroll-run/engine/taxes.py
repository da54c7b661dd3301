from .rounding import cents

DEPENDENT_RELIEF = 500


class TaxTable:
    def __init__(self, brackets):
        self.brackets = sorted(brackets)
        if self.brackets[0][0] != 0:
            raise ValueError("the first bracket starts at 0")

    def tax_on(self, amount, dependents):
        tax = 0.0
        uppers = [start for start, _ in self.brackets[1:]] + [float("inf")]
        for (start, rate), upper in zip(self.brackets, uppers):
            if amount > start:
                tax += (min(amount, upper) - start) * rate
        return max(0, cents(tax - dependents * DEPENDENT_RELIEF))
