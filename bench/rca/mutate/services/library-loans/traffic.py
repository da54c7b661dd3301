import json
import threading
import urllib.error
import urllib.request

from library.server import build_server

server = build_server(("127.0.0.1", 0))
threading.Thread(target=server.serve_forever, daemon=True).start()
base = "http://127.0.0.1:%d" % server.server_port


def call(method, path, body=None):
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(base + path, data=data, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            return json.load(response)
    except urllib.error.HTTPError:
        return {}


call("POST", "/books", {"isbn": "978-1", "title": "Gösta", "authors": ["Selma"], "copies": 1})
call("POST", "/books", {"isbn": "978-2", "title": "Sult", "authors": ["Knut", "X"], "copies": 2})
call("POST", "/members", {"name": "Ada", "kind": "adult"})
call("POST", "/members", {"name": "Bo", "kind": "child"})
call("POST", "/loans", {"member": 1, "isbn": "978-1", "on": "2025-03-01"})
call("POST", "/loans", {"member": 2, "isbn": "978-2", "on": "2025-03-02"})
call("POST", "/reservations", {"member": 2, "isbn": "978-1"})
call("POST", "/returns", {"isbn": "978-1", "member": 1, "on": "2025-04-05"})
call("GET", "/members/1")
call("GET", "/members/2")
call("GET", "/overdue?on=2025-05-01")
call("GET", "/books/978-2")
call("GET", "/popular")
server.shutdown()
