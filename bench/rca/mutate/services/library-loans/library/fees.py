from datetime import date

CENTS_PER_DAY = {"adult": 20, "child": 5}
MAX_CENTS = 1000


def fee_for(due, returned, kind):
    late = (returned - date.fromisoformat(due)).days
    if late <= 0:
        return 0
    cents = min(late * CENTS_PER_DAY[kind], MAX_CENTS)
    if not isinstance(cents, int):
        raise TypeError(f"a fee of {cents!r}")
    return cents
