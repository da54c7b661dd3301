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
    # The program may have modules of these names, and its tests may replace what they find in any module.
    for name in [one for one in os.listdir(folder) if one.endswith(".py")]:
        if name != os.path.basename(__file__):
            sys.modules.pop(name[: -len(".py")], None)


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
