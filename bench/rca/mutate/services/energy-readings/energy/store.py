import asyncio
from decimal import Decimal

TARIFFS = {"m1": "household", "m2": "farm"}
PRICES = {"household": Decimal("0.32"), "farm": Decimal("0.21")}


class Store:
    def __init__(self):
        self._readings = {}
        self._connected = False

    async def connect(self):
        await asyncio.sleep(0)
        self._connected = True

    async def append(self, meter, reading):
        await asyncio.sleep(0)
        self._readings.setdefault(meter, []).append(reading)

    async def readings(self, meter):
        await asyncio.sleep(0)
        return list(self._readings[meter])

    async def tariff(self, meter):
        await asyncio.sleep(0)
        name = TARIFFS[meter]
        return {"name": name, "price": PRICES[name]}

    async def tags(self, meter):
        tariff = await self.tariff(meter)
        return {meter, tariff["name"]}

    async def everything(self):
        await asyncio.sleep(0)
        return {meter: list(readings) for meter, readings in self._readings.items()}
