import time

from hire.rules import reservation_hours


class TooLate(Exception):
    pass


def reserve(tool, at=None):
    start = time.time() if at is None else at
    return {"tool": tool, "until": start + reservation_hours * 3600}


def collect(reservation, at):
    if at > reservation["until"]:
        raise TooLate(f"reservation of {reservation['tool']} ended {round(at - reservation['until'])} s ago")
    return reservation["tool"]
