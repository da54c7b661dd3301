"""Stands for the service of the door controllers."""
import asyncio
import time

granted = {}


async def log_in():
    await asyncio.sleep(0.002)
    key = f"door-{len(granted)}"
    granted[key] = time.time() + 0.4
    return {"key": key, "expires_in_ms": 400}


async def open_door(key, number):
    await asyncio.sleep(0.02)
    if granted.get(key, 0) < time.time():
        return 403, "credentials are no longer valid"
    return 200, number
