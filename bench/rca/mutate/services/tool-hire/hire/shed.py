import threading

from hire.cover import cover
from hire.rules import MAX_LOANS


class AlreadyLent(Exception):
    pass


class Shed:
    def __init__(self):
        self.loans = {}
        self.mutex = threading.RLock()

    def lend(self, tool, member, value):
        with self.mutex:
            if tool in self.loans:
                return f"{tool} is out"
            policy = cover(tool, value)
            self.note(tool, member)
        return policy

    def note(self, tool, member):
        if tool in self.loans:
            raise AlreadyLent(f"{tool} was lent to {self.loans[tool]} and {member}")
        if len(self.loans) >= MAX_LOANS:
            raise AlreadyLent(f"{len(self.loans)} loans are out, no more allowed")
        self.loans[tool] = member
