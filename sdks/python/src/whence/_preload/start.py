from __future__ import annotations

from whence._api import init
from whence._doctor.plant import plant_if_asked
from whence._environment import is_run


def start() -> None:
    """Start the client of ``run``, or wait for the program's own with the doctor."""
    if is_run():
        init()
    plant_if_asked()
