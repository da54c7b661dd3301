from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal


@dataclass
class MeterUsage:
    meter: str
    kwh: Decimal
    until: datetime


class Usage:
    def __init__(self, store):
        self._store = store
        self._known = {}

    async def of(self, meter):
        if meter not in self._known:
            self._known[meter] = await self._compute(meter)
        return self._known[meter]

    def forget(self, meter):
        self._known.pop(meter, None)

    async def _compute(self, meter):
        readings = await self._store.readings(meter)
        first, last = readings[0], readings[-1]
        return MeterUsage(meter=meter, kwh=last.value - first.value, until=last.at)
