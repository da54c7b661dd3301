"""A real HTTP server in place of the gateway: keeps what it gets, and answers as a test says."""

import gzip
import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Gateway:
    def __init__(self):
        self.posts = []
        self.answers = []
        #: The requests with files of the program, and the answers to them: 202, or a status with or
        #: without headers.
        self.files = []
        self.file_answers = []
        #: Those of these requests whose answers the program didn't wait for.
        self.left = []
        #: Set while requests with files are answered.
        self.answers_files = threading.Event()
        self.answers_files.set()
        #: For an answer that is held until the gateway closes.
        self.never = threading.Event()
        #: What an answer to a batch asks for.
        self.wanted = None
        self._arrived = threading.Condition()
        gateway = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                if self.headers.get("content-encoding") == "gzip":
                    body = gzip.decompress(body)
                if self.path == "/api/telemetry/sources":
                    gateway.keep(gateway.files, json.loads(body))
                    while not gateway.answers_files.wait(0.02):
                        if self.is_left():
                            gateway.keep(gateway.left, self.path)
                            self.close_connection = True
                            return
                    given = gateway.file_answers.pop(0) if gateway.file_answers else 202
                    status, headers = given if isinstance(given, tuple) else (given, {})
                    try:
                        self.answer(status, '{"stored": 1}', headers)
                    except OSError:
                        # The program didn't wait.
                        self.close_connection = True
                    return
                answer = gateway.answers.pop(0) if gateway.answers else {"status": 202}
                batch = json.loads(body)
                status = answer["status"]
                content = answer.get("body")
                if content is None:
                    accepted = {"accepted": len(batch["events"]), "rejected": []}
                    if gateway.wanted is not None:
                        accepted["wanted_files"] = gateway.wanted
                    content = json.dumps(accepted if status == 202 else {"detail": "no"})
                headers = {name.lower(): value for name, value in self.headers.items()}
                post = {"status": status, "batch": batch, "headers": headers}
                gateway.keep(gateway.posts, post)
                if "held" in answer:
                    answer["held"].wait(30)
                self.answer(status, content, answer.get("headers", {}))

            def is_left(self):
                self.connection.setblocking(False)
                try:
                    return self.connection.recv(1, socket.MSG_PEEK) == b""
                except BlockingIOError:
                    return False
                except OSError:
                    return True
                finally:
                    self.connection.setblocking(True)

            def answer(self, status, content, headers):
                self.send_response_only(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(content.encode())))
                self.end_headers()
                self.wfile.write(content.encode())

            def log_message(self, *args):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )
        self._thread.start()

    def keep(self, kept, request):
        with self._arrived:
            kept.append(request)
            self._arrived.notify_all()

    def wait_until(self, holds):
        """Wait until requests have arrived for which this holds."""
        with self._arrived:
            assert self._arrived.wait_for(holds, 30)

    @property
    def batches(self):
        return [post["batch"] for post in self.posts if post["status"] == 202]

    def events(self, *types):
        found = {}
        for batch in self.batches:
            for event in batch["events"]:
                if not types or event["type"] in types:
                    found.setdefault(event["id"], event)
        return sorted(found.values(), key=lambda event: event["seq"])

    def close(self):
        self.answers_files.set()
        self.never.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
