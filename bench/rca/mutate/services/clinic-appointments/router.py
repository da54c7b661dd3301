import re


class Router:
    def __init__(self):
        self.routes = []

    def add(self, method, path, handler):
        pattern = re.compile("^" + re.sub(r"<(\w+)>", r"(?P<\1>[^/]+)", path) + "$")
        self.routes.append((method, pattern, handler))
        return handler

    def get(self, path):
        return lambda handler: self.add("GET", path, handler)

    def post(self, path):
        return lambda handler: self.add("POST", path, handler)

    def find(self, method, path):
        for known, pattern, handler in self.routes:
            match = pattern.match(path)
            if match and known == method:
                return handler, match.groupdict()
        raise LookupError("nothing at %s %s" % (method, path))
