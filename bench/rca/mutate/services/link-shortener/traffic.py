import http.client
import json
import threading

import server

httpd = server.create(("127.0.0.1", 0))
threading.Thread(target=httpd.serve_forever, daemon=True).start()


def call(method, path, body=None, headers=()):
    connection = http.client.HTTPConnection("127.0.0.1", httpd.server_port, timeout=5)
    connection.request(method, path, json.dumps(body) if body else None, dict(headers))
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return json.loads(content) if content else {}


a = call("POST", "/links", {"url": "https://example.org/a?x=1", "owner": "ada", "days": 30})
b = call("POST", "/links", {"url": "HTTPS://Example.org/b", "owner": "ada", "alias": "promo"})
call("POST", "/links", {"url": "https://evil.example/", "owner": "bo"})
for agent in ("Mozilla/5.0 (X11; Linux) Firefox/120.0", "curl/8.4.0", "Mozilla/5.0 (iPhone) Safari/605"):
    call("GET", "/r/" + a.get("code", "-"), headers={"User-Agent": agent, "Referer": "https://news.example/x"})
call("GET", "/r/promo", headers={"User-Agent": "curl/8.4.0"})
call("GET", "/stats/" + a.get("code", "-"))
call("GET", "/stats/promo")
call("GET", "/owners/ada")
call("DELETE", "/links/promo")
call("GET", "/top")
httpd.shutdown()
