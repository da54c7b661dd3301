import json
from urllib.parse import parse_qs

from discounts import discount_for


def answer(environ, start_response):
    """Answer one request. An error is for the server to answer, with status 500."""
    if environ["PATH_INFO"] == "/healthz":
        return send(start_response, "200 OK", {"status": "ok"})
    if environ["PATH_INFO"] != "/discounts":
        return send(start_response, "404 Not Found", {"error": "no such page"})
    query = parse_qs(environ["QUERY_STRING"])
    return send(start_response, "200 OK", discount_for(query["sku"][0], int(query["quantity"][0])))


def send(start_response, status, body):
    """Answer with JSON."""
    start_response(status, [("content-type", "application/json; charset=utf-8")])
    return [json.dumps(body).encode()]
