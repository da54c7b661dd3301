"""The border between the client and its host: what fails on this side is counted, never raised."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import ParamSpec, TypeVar

    P = ParamSpec("P")
    T = TypeVar("T")

_errors = [0]


def guarded(run: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
    """Return what ``run`` returns; None when it fails.

    ``KeyboardInterrupt``, ``SystemExit`` and the like pass: they belong to the host.
    """
    try:
        return run(*args, **kwargs)
    except Exception:
        _errors[0] += 1
        return None


def internal_errors() -> int:
    """Return the number of failures of the client's own code."""
    return _errors[0]
