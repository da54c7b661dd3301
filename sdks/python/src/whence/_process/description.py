from __future__ import annotations

import os
import sys

from whence._core.guard import guarded
from whence._core.identifiers import random_hex
from whence._version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whence._core.event import Json


class ProcessDescription:
    """The fields that all batches of this process share, made when they are first needed."""

    def __init__(self, service: str, env: str, release: str | None) -> None:
        self._service = service
        self._env = env
        self._release = release
        self._header: dict[str, Json] | None = None
        self.instance = random_hex(16)

    def change(self, name: str, value: str) -> bool:
        """Change the service, env, or release, unless a batch has named them."""
        if self._header is not None:
            return False
        setattr(self, f"_{name}", value)
        return True

    def renew(self) -> None:
        """Begin the life of a forked process."""
        self.instance = random_hex(16)
        self._header = None

    def header(self) -> dict[str, Json]:
        """Return the header. Reads files the first time."""
        if self._header is None:
            self._header = self._described()
        return self._header

    def _described(self) -> dict[str, Json]:
        import platform
        import socket

        from whence._process.release import deployed_release

        release = self._release or guarded(deployed_release)
        return {
            "sdk": {"name": "whence", "version": __version__},
            "service": self._service,
            "env": self._env,
            **({} if release is None else {"release": release}),
            "host": {
                "name": socket.gethostname(),
                "pid": os.getpid(),
                "runtime": {
                    "name": sys.implementation.name,
                    "version": ".".join(str(part) for part in sys.version_info[:3]),
                },
                "os": sys.platform,
                "arch": platform.machine(),
            },
            "instance": self.instance,
        }
