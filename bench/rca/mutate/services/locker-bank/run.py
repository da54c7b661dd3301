import asyncio
import sys
import time
import traceback

from lockers.bank import Bank
from lockers.codes import make_code, redeem
from lockers.inbox import Inbox
from lockers.labels import label

failed = False


async def attempt(what, work):
    global failed
    try:
        result = work()
        print(what, await result if asyncio.iscoroutine(result) else result)
    except Exception:
        failed = True
        print(f"{what} failed", file=sys.stderr)
        traceback.print_exc()


async def main():
    bank = Bank(8)
    await asyncio.gather(*(attempt("deposit", lambda name=name: bank.deposit(name)) for name in ("a", "b", "c", "d")))
    await asyncio.sleep(0.5)
    await attempt("deposit", lambda: bank.deposit("e"))
    inbox = Inbox()
    for number in range(9):
        await attempt("offer", lambda: inbox.offer(f"n{number}"))
    await attempt("redeem", lambda: redeem(make_code("a"), time.time() + 600))
    await attempt("label", lambda: label("a", "handle with care " * 40))


asyncio.run(main())
sys.exit(1 if failed else 0)
