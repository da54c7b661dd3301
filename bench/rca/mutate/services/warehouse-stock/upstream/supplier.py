import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer


class SupplierHandler(BaseHTTPRequestHandler):
    """Takes orders of goods and says when they come and what they cost."""

    def do_POST(self):
        order = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        lines = []
        for line in order["lines"]:
            lines.append({"kind": line["kind"], "count": line["count"], "price": {"cents": 80 * line["count"], "currency": "EUR"}, "expires": "2025-09-30"})
        answer = {"order": "S-%d" % len(lines), "lines": lines, "arrives": {"date": "2025-06-02", "hour": 7}}
        content = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format, *arguments):
        pass


def start_supplier():
    server = HTTPServer(("127.0.0.1", 0), SupplierHandler)
    server.url = "http://127.0.0.1:%d/orders" % server.server_port
    server.stop = server.shutdown
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
