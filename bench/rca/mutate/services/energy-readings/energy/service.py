from energy.billing import bill_for
from energy.calendar import days_of
from energy.readings import parse_reading
from energy.store import Store
from energy.usage import Usage


class Service:
    def __init__(self, store):
        self._store = store
        self._usage = Usage(store)

    @classmethod
    async def open(cls):
        store = Store()
        await store.connect()
        return cls(store)

    async def handle(self, name, *arguments):
        return await getattr(self, name)(*arguments)

    async def add(self, meter, at, value):
        reading = parse_reading(at, value)
        await self._store.append(meter, reading)
        self._usage.forget(meter)
        return reading.value

    async def usage(self, meter):
        usage = await self._usage.of(meter)
        return f"{usage.kwh} kWh until {usage.until.isoformat()}"

    async def bill(self, meter):
        usage = await self._usage.of(meter)
        tariff = await self._store.tariff(meter)
        return bill_for(usage, tariff)

    async def tags(self, meter):
        tags = await self._store.tags(meter)
        return sorted(tags.union({"metered"}))

    async def days(self):
        return days_of(await self._store.everything())
