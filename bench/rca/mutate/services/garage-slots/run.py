import json
import sys
import urllib.error
import urllib.request

from garage.web import FAILED, start

server = start()


def call(path, body):
    request = urllib.request.Request("http://127.0.0.1:%d%s" % (server.server_port, path), json.dumps(body).encode())
    try:
        with urllib.request.urlopen(request) as answer:
            print(path, answer.status, answer.read().decode())
    except urllib.error.HTTPError as error:
        print(path, error.code, error.read().decode())


call("/enter/a1", {"plate": "k-ab 12", "hour": 8})
call("/enter/a9", {"plate": "k-ab 12", "hour": 8})
call("/enter/a2", {"hour": 9})
call("/slot/a1", {})
call("/slot/a9", {})
call("/leave/a1", {"hour": 11})
call("/leave/a1", {"hour": 12})
call("/leave/b1", {"hour": 11})
call("/tariff/night", {"by": 1})
call("/tariff/noon", {"by": 1})
call("/enter/a2", {"plate": "k-cd 34", "hour": 20})
call("/leave/a2", {"hour": 23, "tariff": "weekend"})
server.shutdown()
sys.exit(1 if FAILED else 0)
