from __future__ import annotations

import sys

from whence._core.builtin_types import ModuleType

#: The modules with which servers show that the program runs within them.
_SERVERS = ("mod_wsgi", "uwsgi")


def may_end_alone() -> bool:
    """Return whether the program has created this interpreter, and may end it before the process.

    Before Python 3.13, ending one that has a thread, or has imported `ssl`, fails or ends the
    process. Those of servers, one for each application, live as long as the process does.
    """
    if sys.version_info >= (3, 13) or any(name in sys.modules for name in _SERVERS):
        return False
    main = sys.modules.get("__main__")
    has_file = issubclass(type(main), ModuleType) and "__file__" in vars(main)
    return not has_file and _is_further()


def _is_further() -> bool:
    try:
        interpreters = __import__("_xxsubinterpreters")
    except ImportError:
        return False
    return bool(interpreters.get_current() != interpreters.get_main())
