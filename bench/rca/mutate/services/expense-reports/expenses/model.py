from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Optional


@dataclass(frozen=True)
class Expense:
    line: int
    day: date
    employee: str
    category: str
    amount: Decimal
    currency: str
    receipt: Optional[str] = None

    @property
    def month(self):
        return self.day.strftime("%Y-%m")


@dataclass
class State:
    expense: Expense
    status: str = "open"
    waits_for: list = field(default_factory=list)
    notes: list = field(default_factory=list)
