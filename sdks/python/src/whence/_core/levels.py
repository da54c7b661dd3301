from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whence._core.event import Level

_levels: dict[str, Level] = {
    "debug": "debug",
    "info": "info",
    "warning": "warning",
    "warn": "warning",
    "error": "error",
    "critical": "critical",
    "fatal": "critical",
}


def level_of(name: object, default: Level) -> Level:
    """Return the level of this name, ignoring case; ``default`` for anything else."""
    return _levels.get(name.lower(), default) if type(name) is str else default


def level_of_number(number: int) -> Level:
    """Return the level of a number of :mod:`logging`."""
    if number >= 50:  # noqa: PLR2004 - logging.CRITICAL
        return "critical"
    if number >= 40:  # noqa: PLR2004 - logging.ERROR
        return "error"
    if number >= 30:  # noqa: PLR2004 - logging.WARNING
        return "warning"
    return "info" if number >= 20 else "debug"  # noqa: PLR2004 - logging.INFO


def is_failure(level: Level) -> bool:
    """Whether an event of this level may open an incident."""
    return level in ("error", "critical")
