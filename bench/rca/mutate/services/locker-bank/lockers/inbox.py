import asyncio

from lockers.config import QUEUE_LIMIT


class Inbox:
    def __init__(self):
        self.queue = asyncio.Queue(maxsize=QUEUE_LIMIT)

    def offer(self, parcel):
        self.queue.put_nowait(parcel)

    async def drain(self, handle):
        while not self.queue.empty():
            await handle(self.queue.get_nowait())
