import re
from dataclasses import dataclass, replace
from fractions import Fraction

PATTERN = re.compile(r"^(\d+(?:\.\d+)?)\s+(?:(g|kg|l|ml)\s+)?(\w+)$")


@dataclass(frozen=True)
class Ingredient:
    amount: Fraction
    unit: str | None
    name: str

    def times(self, factor):
        return replace(self, amount=self.amount * factor)

    def __str__(self):
        unit = f" {self.unit}" if self.unit else ""
        return f"{float(self.amount):g}{unit} {self.name}"


def parse_ingredient(text):
    amount, unit, name = PATTERN.match(text).groups()
    return Ingredient(Fraction(amount), unit, name)
