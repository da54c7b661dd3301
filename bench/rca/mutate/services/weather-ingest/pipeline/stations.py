import asyncio

ALTITUDES = {"oslo": 94, "bergen": 12, "troms\u00f8": 100}


class Stations:
    def __init__(self):
        self._cache = {}
        self._locks = {}

    async def lookup(self, name):
        lock = self._locks.setdefault(name, asyncio.Lock())
        async with lock:
            if name not in self._cache:
                self._cache[name] = await self._load(name)
            return self._cache[name]

    async def _load(self, name):
        await asyncio.sleep(0)
        if name not in ALTITUDES:
            raise ValueError(f"no station {name}")
        return {"name": name, "altitude": ALTITUDES[name], "title": name.capitalize()}
