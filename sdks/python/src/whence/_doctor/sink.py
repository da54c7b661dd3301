from __future__ import annotations

import gzip
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whence._core.event import Json


class Intercepted:
    """A batch of the program, and where it would have gone."""

    __slots__ = ("api_key", "batch", "endpoint")

    def __init__(self, endpoint: str, api_key: str, batch: dict[str, Json]) -> None:
        self.endpoint = endpoint
        self.api_key = api_key
        self.batch = batch


class Sink:
    """A stand-in for the server on a free port of this machine, so that nothing leaves it."""

    def __init__(self) -> None:
        self.intercepted: list[Intercepted] = []
        self.planted = threading.Event()
        sink = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                if self.headers.get("content-encoding") == "gzip":
                    body = gzip.decompress(body)
                sink.receive(self.path, self.headers.get("x-api-key", ""), body)
                content = b'{"accepted":0,"rejected":[]}'
                self.send_response(202)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_args: object) -> None:
                """Print nothing."""

        class Server(ThreadingHTTPServer):
            def handle_error(self, *_args: object) -> None:
                """Print nothing: the program was ended while it waited for an answer."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def receive(self, path: str, api_key: str, body: bytes) -> None:
        """Keep a batch."""
        if path == "/planted":
            self.planted.set()
            return
        _, endpoint, *rest = path.split("/")
        if "/".join(rest).startswith("api/telemetry/events"):
            self.intercepted.append(Intercepted(unquote(endpoint), api_key, json.loads(body)))

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
