import json
import math
import urllib.request


class SupplierClient:
    def __init__(self, url, timeout_seconds, batch=1):
        self.url = url
        self.timeout = timeout_seconds
        self.batch = batch

    def order(self, lines):
        body = {"lines": [{"kind": kind, "count": self.round_up(count)} for kind, count in lines]}
        request = urllib.request.Request(self.url, data=json.dumps(body).encode("utf-8"), method="POST")
        with urllib.request.urlopen(request, timeout=self.timeout) as response:
            return json.loads(response.read().decode("utf-8"))

    def round_up(self, count):
        return math.ceil(count / self.batch) * self.batch
