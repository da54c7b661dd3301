import asyncio

from letters.login import secret
from letters.relay import submit
from letters.settings import settings


class Rejected(Exception):
    pass


async def send(batch):
    async with asyncio.timeout(settings.timeout):
        answer = await submit(await secret(), batch)
    if not answer.startswith("250"):
        raise Rejected(f"batch of {len(batch)} was rejected: {answer}")
    return len(batch)
