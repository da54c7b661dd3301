import time


class TooMany(Exception):
    pass


class Limiter:
    def __init__(self, limit, window):
        self.limit = limit
        self.window = window
        self.hits = {}

    def hit(self, address):
        now = time.monotonic()
        recent = [at for at in self.hits.get(address, []) if now - at < self.window]
        if len(recent) >= self.limit:
            raise TooMany("%s sent %d requests in %.0f s" % (address, len(recent), self.window))
        recent.append(now)
        self.hits[address] = recent
