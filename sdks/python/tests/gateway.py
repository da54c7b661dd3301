"""A real HTTP server in place of the gateway: keeps what it gets, and answers as a test says."""

import gzip
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Gateway:
    def __init__(self):
        self.posts = []
        self.answers = []
        gateway = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                if self.headers.get("content-encoding") == "gzip":
                    body = gzip.decompress(body)
                answer = gateway.answers.pop(0) if gateway.answers else {"status": 202}
                batch = json.loads(body)
                status = answer["status"]
                content = answer.get("body")
                if content is None:
                    accepted = {"accepted": len(batch["events"]), "rejected": []}
                    content = json.dumps(accepted if status == 202 else {"detail": "no"})
                headers = {name.lower(): value for name, value in self.headers.items()}
                gateway.posts.append({"status": status, "batch": batch, "headers": headers})
                self.send_response_only(status)
                for name, value in answer.get("headers", {}).items():
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
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
