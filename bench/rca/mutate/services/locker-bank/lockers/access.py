import time

from lockers.vendor import log_in


class Access:
    def __init__(self):
        self.key = None
        self.renew_at = 0.0

    async def current(self):
        if self.key is None or time.time() >= self.renew_at:
            grant = await log_in()
            self.key = grant["key"]
            self.renew_at = time.time() + grant["expires_in_ms"] / 1000 - 0.05
        return self.key
