"""The border between the client and its host: what fails on this side is counted, never raised."""

from __future__ import annotations

from whence._core.signal_handlers import signal_behind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import ParamSpec, TypeVar

    P = ParamSpec("P")
    T = TypeVar("T")

_errors = [0]


def guarded(run: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
    """Return what ``run`` returns; None when it fails.

    ``KeyboardInterrupt``, ``SystemExit`` and the like pass, as does what a signal handler of the
    host raises, such as a timeout: they belong to the host.
    """
    try:
        return run(*args, **kwargs)
    except RecursionError:
        # There may be no room for the call below.
        _errors[0] += 1
        return None
    except Exception as error:
        if signal_behind(error) is not None:
            raise
        _errors[0] += 1
        return None


def internal_errors() -> int:
    """Return the number of failures of the client's own code."""
    return _errors[0]
