import time

from lockers.config import CODE_LIFETIME_MINUTES


class CodeExpired(Exception):
    pass


def make_code(parcel, now=None):
    issued = time.time() if now is None else now
    return {"parcel": parcel, "valid_until": issued + CODE_LIFETIME_MINUTES * 60}


def redeem(code, now):
    if code["valid_until"] < now:
        raise CodeExpired(f"code of {code['parcel']} has expired")
    return code["parcel"]
