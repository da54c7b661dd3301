"""The same application for WSGI (Flask) and for ASGI (FastAPI), with the client that CLIENT names by `init` alone."""

import logging
import os
from urllib.request import urlopen

BACKEND = os.environ["BACKEND"]
UPSTREAM = os.environ["UPSTREAM"]

if os.environ["CLIENT"] == "whence":
    import whence

    whence.init(api_key="k", endpoint=BACKEND, service="bench")
elif os.environ["CLIENT"] == "sentry-sdk":
    import sentry_sdk

    sentry_sdk.init(dsn=f"http://k@{BACKEND.partition('//')[2]}/1")


def fail(calls, order):
    name = f"step {calls}"
    if calls == 0:
        raise ValueError(f"no stock of {order['sku']}, {name}")
    fail(calls - 1, order)


def log_failure():
    try:
        fail(9, {"sku": "A-1", "count": 2, "note": "n" * 500})
    except ValueError:
        logging.getLogger("shop").exception("not ordered")


if os.environ["KIND"] == "wsgi":
    from flask import Flask

    wsgi = Flask(__name__)

    @wsgi.get("/plain")
    def plain():
        return {"status": "ok"}

    @wsgi.get("/call")
    def call():
        with urlopen(UPSTREAM) as response:
            return {"bytes": len(response.read())}

    @wsgi.get("/error")
    def error():
        log_failure()
        return {"status": "failed"}, 500

else:
    import httpx
    from fastapi import FastAPI
    from fastapi.responses import JSONResponse

    asgi = FastAPI()
    client = httpx.AsyncClient()

    @asgi.get("/plain")
    async def plain():
        return {"status": "ok"}

    @asgi.get("/call")
    async def call():
        response = await client.get(UPSTREAM)
        return {"bytes": len(response.content)}

    @asgi.get("/error")
    async def error():
        log_failure()
        return JSONResponse({"status": "failed"}, 500)
