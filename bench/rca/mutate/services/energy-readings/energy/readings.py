from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal


@dataclass(frozen=True)
class Reading:
    at: datetime
    value: Decimal


def parse_reading(at, value):
    return Reading(at=datetime.fromisoformat(at), value=Decimal(value))
