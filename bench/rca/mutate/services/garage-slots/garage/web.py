import json
import sys
import threading
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from garage import handlers

ROUTES = {"enter": handlers.enter, "leave": handlers.leave, "slot": handlers.show, "tariff": handlers.raise_tariff}
FAILED = []


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        action, name = self.path.strip("/").split("/")
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            status, answer = ROUTES[action](name, body)
        except Exception:
            FAILED.append(self.path)
            print("POST %s" % self.path, file=sys.stderr)
            traceback.print_exc()
            status, answer = 500, {"error": "failed"}
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *arguments):
        pass


def start():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
