import time

from hire.insurer import fetch_ticket, insure

_ticket = None
_good_for_ms = 0
_since = 0.0


class NotCovered(RuntimeError):
    pass


def ticket():
    global _ticket, _good_for_ms, _since
    age_ms = (time.monotonic() - _since) * 1000
    if _ticket is None or age_ms > _good_for_ms - 50:
        _ticket, _good_for_ms = fetch_ticket()
        _since = time.monotonic()
    return _ticket


def cover(tool, value_euros):
    answer = insure(ticket(), tool, round(value_euros * 100))
    if not answer["ok"]:
        raise NotCovered(f"{tool} isn't insured: {answer['why']}")
    return answer["policy"]
