"""One application for WSGI and for ASGI, whose client starts before the server forks."""

import os

import whence

whence.init()

from whence.frameworks import asgi as whence_asgi
from whence.frameworks import wsgi as whence_wsgi


def fail(path):
    raise LookupError(f"no page {path} in {os.getpid()}")


def answer_wsgi(environ, start_response):
    if environ["PATH_INFO"] != "/ok":
        fail(environ["PATH_INFO"])
    start_response("200 OK", [("content-type", "text/plain")])
    return [str(os.getpid()).encode()]


async def answer_asgi(scope, receive, send):
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
        return
    if scope["path"] != "/ok":
        fail(scope["path"])
    headers = [(b"content-type", b"text/plain")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": str(os.getpid()).encode()})


wsgi = whence_wsgi.WhenceMiddleware(answer_wsgi)
asgi = whence_asgi.WhenceMiddleware(answer_asgi)
