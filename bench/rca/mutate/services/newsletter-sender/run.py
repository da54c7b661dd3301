import asyncio
import sys
import time
import traceback

from letters.campaigns import Campaigns
from letters.links import follow, make_link
from letters.subjects import subject

failed = []


async def attempt(what, work):
    try:
        result = work()
        print(what, await result if asyncio.iscoroutine(result) else result)
    except Exception:
        failed.append(what)
        print(f"{what} failed", file=sys.stderr)
        traceback.print_exc()


async def main():
    campaigns = Campaigns()
    people = [f"p{number}@example.org" for number in range(45)]
    await asyncio.gather(*(attempt("launch", lambda: campaigns.launch("spring", people)) for _ in range(3)))
    await asyncio.sleep(0.5)
    await attempt("launch", lambda: campaigns.launch("summer", people[:5]))
    await attempt("follow", lambda: follow(make_link("p1"), time.time() + 9 * 86400))
    await attempt("follow", lambda: follow(make_link("p2")))
    await attempt("subject", lambda: subject("Seeds, soil, and what to sow in spring"))


asyncio.run(main())
sys.exit(1 if failed else 0)
