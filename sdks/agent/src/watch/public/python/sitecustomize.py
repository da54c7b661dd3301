"""Starts the watch of a program before it: ``whence prove`` puts this folder first on PYTHONPATH.

The program's own ``sitecustomize``, if any, is imported afterwards.
"""

import os
import sys


def _start():
    folder = os.path.dirname(os.path.abspath(__file__))
    try:
        import whence_watch

        whence_watch.start()
    except Exception:  # noqa: BLE001 - a program that can't be watched runs as it is
        pass
    sys.path[:] = [entry for entry in sys.path if entry != folder]


def _import_own():
    this = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
    finally:
        if this is not None:
            sys.modules.setdefault("sitecustomize", this)


_start()
_import_own()
