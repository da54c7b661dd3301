import asyncio
import logging

from pipeline.app import run

logging.basicConfig(format="%(levelname)s:%(name)s:%(message)s")

FRAMES = [
    b"WX1|oslo|2025-01-01T00:00:00Z|t=-3.5;h=81;w=4.2,NE\n",
    b"WX1|oslo|2025-01-01T01:00:00Z|t=-4.0;h=83;w=5.0,N\n",
    b"WX1|bergen|2025-01-01T00:30:00Z|t=5.25;h=95\n",
    "WX2|troms\u00f8|1735693200|{\"temperature\": -9.5, \"wind\": {\"speed\": 12, \"from\": \"NW\"}}\n".encode("utf-8"),
    b"WX1|bergen|2025-01-01T02:30:00Z|t=6;h=90;w=1.5,S\n",
    b"WX2|oslo|1735700400|{\"temperature\": -5.5, \"humidity\": 70, \"wind\": {\"speed\": 3, \"from\": \"E\"}}\n",
]

if __name__ == "__main__":
    asyncio.run(run(FRAMES))
