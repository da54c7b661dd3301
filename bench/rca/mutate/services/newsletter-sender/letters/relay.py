"""Stands for the mail relay."""
import asyncio
import itertools
import time

_secrets = {}
_numbers = itertools.count(1)


async def issue_secret():
    await asyncio.sleep(0.001)
    secret = f"s{next(_numbers)}"
    _secrets[secret] = time.time() * 1000 + 450
    return {"secret": secret, "expires_at_ms": _secrets[secret]}


async def submit(secret, batch):
    await asyncio.sleep(0.03)
    if len(batch) > 50:
        return "552 too many recipients"
    if _secrets.get(secret, 0) < time.time() * 1000:
        return "535 authentication failed"
    return "250 ok"
