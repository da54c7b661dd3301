import asyncio

from letters.settings import settings
from letters.transport import send


class DuplicateCampaign(ValueError):
    pass


class Campaigns:
    def __init__(self):
        self.sent = {}
        self.one_at_a_time = asyncio.Lock()

    async def launch(self, name, people):
        async with self.one_at_a_time:
            if name in self.sent:
                return "sent before"
            for start in range(0, len(people), settings.batch_size):
                await send(people[start : start + settings.batch_size])
            self.record(name, len(people))
        return "sent"

    def record(self, name, count):
        if name in self.sent:
            raise DuplicateCampaign(f"campaign {name} exists")
        if len(self.sent) >= settings.open_campaigns_max:
            raise ValueError(f"{len(self.sent)} campaigns are open, the maximum")
        self.sent[name] = count
