import json
import logging
import re
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from .catalog import Catalog
from .database import Database
from .loans import Loans
from .members import Members

logger = logging.getLogger("library")
logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.respond()

    def do_POST(self):
        self.respond()

    def respond(self):
        parts = urlsplit(self.path)
        length = int(self.headers.get("Content-Length", 0))
        body = json.loads(self.rfile.read(length)) if length else {}
        try:
            answer = self.server.routes(self.command, parts.path, body, parse_qs(parts.query))
            status = 200
        except Exception:
            logger.exception("%s %s failed", self.command, self.path)
            answer, status = {"error": "internal"}, 500
        content = json.dumps(answer).encode("utf-8")
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments):
        pass


def build_server(address):
    database = Database()
    catalog = Catalog(database)
    members = Members(database)
    loans = Loans(database, catalog, members)

    def routes(method, path, body, query):
        if (method, path) == ("POST", "/books"):
            return catalog.add(body["isbn"], body["title"], body["authors"], body["copies"])
        if (method, path) == ("POST", "/members"):
            return members.add(body["name"], body["kind"])
        if (method, path) == ("POST", "/loans"):
            due = loans.lend(body["member"], body["isbn"], date.fromisoformat(body["on"]))
            return {"due": due.isoformat()}
        if (method, path) == ("POST", "/returns"):
            return loans.give_back(body["member"], body["isbn"], date.fromisoformat(body["on"]))
        if (method, path) == ("POST", "/reservations"):
            return loans.reserve(body["member"], body["isbn"])
        if path == "/overdue":
            return [line.upper() for line in loans.overdue(date.fromisoformat(query["on"][0]))]
        if path == "/popular":
            return catalog.popular()
        match = re.match(r"/(books|members)/([\w-]+)$", path)
        kind, key = match.groups()
        return catalog.describe(key) if kind == "books" else members.describe(int(key))

    server = ThreadingHTTPServer(address, Handler)
    server.routes = routes
    return server
