"""Starts the client before a program, when its folder is on PYTHONPATH: ``python -m whence run``.

Python imports a module of this name at its start. The program's own one, if any, is imported
afterwards, and this folder leaves ``sys.path``.
"""

from __future__ import annotations

import os
import sys

_OLDEST = (3, 10)


def _start() -> None:
    folder = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
    sys.path[:] = [entry for entry in sys.path if entry != folder]
    if sys.version_info >= _OLDEST:
        try:
            from whence._preload.start import start
        except ImportError:
            # Another Python, in which the client isn't installed.
            return
        start()


def _import_own() -> None:
    """Import the ``sitecustomize`` that this one was found before."""
    this = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # type: ignore[import-not-found] # noqa: F401
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
    finally:
        if this is not None:
            sys.modules.setdefault("sitecustomize", this)


_start()
_import_own()
