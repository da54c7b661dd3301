import threading
import time

from hire.rules import WORKERS, desk_wait_seconds


class DeskBusy(Exception):
    pass


class Desk:
    def __init__(self):
        self.clerks = threading.BoundedSemaphore(WORKERS)

    def serve(self, minutes):
        if not self.clerks.acquire(timeout=desk_wait_seconds):
            raise DeskBusy(f"no one was free after {desk_wait_seconds} s")
        try:
            time.sleep(minutes / 60)
            return minutes
        finally:
            self.clerks.release()
