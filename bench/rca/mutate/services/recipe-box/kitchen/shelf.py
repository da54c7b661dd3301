import asyncio


class Shelf:
    def __init__(self):
        self._recipes = {}
        self._lock = asyncio.Lock()

    async def put(self, recipe):
        async with self._lock:
            self._recipes[recipe.name] = recipe

    async def get(self, name):
        async with self._lock:
            return self._recipes[name]

    async def all(self):
        await asyncio.sleep(0)
        return list(self._recipes.values())

    async def units(self):
        recipes = await self.all()
        return {one.unit for recipe in recipes for one in recipe.ingredients}
