import asyncio

from lockers.access import Access
from lockers.config import DOOR_TIMEOUT_MS
from lockers.vendor import open_door

access = Access()


class DoorError(Exception):
    pass


async def unlock_door(number):
    status, detail = await asyncio.wait_for(open_door(await access.current(), number), DOOR_TIMEOUT_MS / 1000)
    if status != 200:
        raise DoorError(f"door {number} answered {status}: {detail}")
    return detail
