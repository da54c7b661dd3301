import json
import traceback
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from limiter import Limiter, TooMany
from links import Blocked, Links
from settings import settings
from stats import Stats
from store import Store


class Handler(BaseHTTPRequestHandler):
    def handle_request(self):
        app = self.server.app
        try:
            app["limiter"].hit(self.client_address[0])
            body = self.rfile.read(int(self.headers["Content-Length"] or 0))
            status, answer = route(app, self.command, self.path.strip("/").split("/"), json.loads(body) if body else None, self.headers)
        except Blocked as error:
            status, answer = 422, {"error": str(error)}
        except Exception:
            print("%s %s" % (self.command, self.path), file=sys.stderr)
            traceback.print_exc(file=sys.stderr)
            status, answer = 500, {}
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    do_GET = do_POST = do_DELETE = handle_request

    def log_message(self, *_):
        return None


def route(app, method, path, body, headers):
    links, stats = app["links"], app["stats"]
    if method == "POST":
        link = links.create(body["url"], body["owner"], body.get("alias"), body.get("days"))
        return 201, {"code": link["code"], "short": settings["base_url"] + link["code"]}
    if method == "DELETE":
        return 200, {"deleted": links.delete(path[1])["url"]}
    if path[0] == "r":
        link = links.resolve(path[1])
        stats.visit(link, headers.get("User-Agent"), headers.get("Referer"))
        return 200, {"location": link["url"]}
    if path[0] == "stats":
        return 200, stats.of(links.resolve(path[1]))
    if path[0] == "owners":
        return 200, [link["url"].split("/")[2] for link in links.by_owner(path[1])]
    return 200, stats.top(3)


def create(address):
    store = Store()
    server = HTTPServer(address, Handler)
    server.app = {
        "limiter": Limiter(settings["rate_limit"], settings["rate_window"]),
        "links": Links(store, settings),
        "stats": Stats(store),
    }
    return server
