import asyncio
import traceback

from energy.service import Service

REQUESTS = [
    ("add", "m1", "2025-01-01T00:00:00+00:00", "10.50"),
    ("add", "m1", "2025-01-01T01:00:00+00:00", "12.75"),
    ("add", "m2", "2025-01-01T00:30:00+00:00", "100.00"),
    ("add", "m2", "2025-01-01T02:30:00+00:00", "104.25"),
    ("usage", "m1"),
    ("usage", "m1"),
    ("usage", "m2"),
    ("bill", "m1"),
    ("tags", "m2"),
    ("days",),
]


async def main():
    service = await Service.open()
    failed = False
    for name, *arguments in REQUESTS:
        try:
            print(name, await service.handle(name, *arguments))
        except Exception:
            traceback.print_exc()
            failed = True
    if failed:
        raise SystemExit(1)


if __name__ == "__main__":
    asyncio.run(main())
