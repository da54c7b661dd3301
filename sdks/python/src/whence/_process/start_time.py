from __future__ import annotations

import os
import sys
import time


def process_started_at() -> float:
    """Return when this process started, in seconds since 1970; where that isn't known, now.

    From Linux's ``/proc/self/stat`` (proc_pid_stat(5)), in ticks of the system's clock.
    """
    now = time.time()
    if sys.platform != "linux":
        return now
    try:
        with open("/proc/self/stat", "rb") as file:  # noqa: PTH123 - pathlib takes long to import
            # The program's name, in parentheses, may contain anything.
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return now
    return now - max(0.0, age)
