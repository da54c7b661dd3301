from datetime import datetime, timedelta


class Planner:
    def __init__(self, shelf):
        self._shelf = shelf

    async def start_times(self, names, ready):
        end = datetime.strptime(ready, "%H:%M")
        starts = {}
        for name in names:
            duration = await self._duration(name)
            starts[name] = (end - duration).strftime("%H:%M")
        return starts

    async def _duration(self, name):
        recipe = await self._shelf.get(name)
        return recipe.duration + timedelta(minutes=10)
