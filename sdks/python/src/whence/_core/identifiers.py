from __future__ import annotations

import os
import time


def random_hex(size: int) -> str:
    """Return random bytes in hexadecimal."""
    return os.urandom(size).hex()


def uuid7() -> str:
    """Return a UUID whose first bits are the time in milliseconds (RFC 9562, section 5.7)."""
    bits = int.from_bytes(os.urandom(10), "big")
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
