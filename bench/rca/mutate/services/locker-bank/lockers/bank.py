import asyncio

from lockers.doors import unlock_door


class Occupied(Exception):
    pass


class Bank:
    def __init__(self, size):
        self.parcels = {}
        self.size = size
        self.lock = asyncio.Lock()

    def first_free(self):
        for number in range(self.size):
            if number not in self.parcels:
                return number
        return None

    async def deposit(self, parcel):
        async with self.lock:
            number = self.first_free()
            if number is None:
                return None
            await unlock_door(number)
            self.fill(number, parcel)
        return number

    def fill(self, number, parcel):
        if number in self.parcels:
            raise Occupied(f"locker {number} already holds {self.parcels[number]}")
        self.parcels[number] = parcel
