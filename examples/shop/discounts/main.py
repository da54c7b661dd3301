"""The discounts of the shop, on the standard library: a WSGI application with a thread for each request."""

import signal
import sys
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import whence

whence.init(service="discounts", propagate_traces=True)

from config import config
from routes import answer
from whence.frameworks.wsgi import WhenceMiddleware


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class QuietHandler(WSGIRequestHandler):
    def log_message(self, *args):
        pass


signal.signal(signal.SIGTERM, lambda *_: sys.exit())
make_server(
    "127.0.0.1", config.port, WhenceMiddleware(answer), server_class=Server, handler_class=QuietHandler
).serve_forever()
