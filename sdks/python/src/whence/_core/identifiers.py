from __future__ import annotations

import os
import time


def random_hex(size: int) -> str:
    """Return random bytes in hexadecimal."""
    return os.urandom(size).hex()


#: Asking the system lets another thread run first, so random bytes are kept ready.
_kept: list[bytes] = []
_KEPT_MAX = 32
_ID_BYTES = 10
_pid = [0]


def _random() -> bytes:
    pid = os.getpid()
    if _pid[0] != pid:
        # A forked process must not use those of its parent.
        _kept.clear()
        _pid[0] = pid
    try:
        return _kept.pop()
    except IndexError:
        drawn = os.urandom(_ID_BYTES * _KEPT_MAX)
        _kept.extend(drawn[at : at + _ID_BYTES] for at in range(_ID_BYTES, len(drawn), _ID_BYTES))
        return drawn[:_ID_BYTES]


def uuid7() -> str:
    """Return a UUID whose first bits are the time in milliseconds (RFC 9562, section 5.7)."""
    bits = int.from_bytes(_random(), "big")
    milliseconds = int(time.time() * 1_000) & 0xFFFF_FFFF_FFFF
    value = (milliseconds << 80) | (bits & ((1 << 80) - 1))
    value = (value & ~(0xF << 76)) | (0x7 << 76)
    value = (value & ~(0x3 << 62)) | (0x2 << 62)
    text = f"{value:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def timestamp(seconds: float) -> str:
    """Return a time since 1970 as RFC 3339 in UTC, with milliseconds."""
    milliseconds = int(seconds * 1_000)
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(milliseconds // 1_000))
    return f"{whole}.{milliseconds % 1_000:03d}Z"
