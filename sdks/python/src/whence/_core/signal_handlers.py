"""Errors that come from signal handlers of the program, which can interrupt the client anywhere."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

_SIGINT = 2
_VARIABLE_ARGUMENTS = 0x04
#: A handler is called with the signal's number and the frame that it interrupts.
_ARGUMENTS = 2


def signal_behind(error: BaseException) -> int | None:
    """Return the number of the signal whose handler raised an error; None if none did."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        interrupted, trace = trace.tb_frame, trace.tb_next
        given = _arguments(trace.tb_frame)[-_ARGUMENTS:]
        if len(given) == _ARGUMENTS and given[1] is interrupted and isinstance(given[0], int):
            return int(given[0])
    # Python's own handler isn't in the traceback.
    return _SIGINT if type(error) is KeyboardInterrupt else None


def _arguments(frame: FrameType) -> list[object]:
    """Return the positional arguments of a call, as its variables hold them now."""
    code, variables = frame.f_code, frame.f_locals
    given = [variables.get(name) for name in code.co_varnames[: code.co_argcount]]
    if code.co_flags & _VARIABLE_ARGUMENTS:
        rest = variables.get(code.co_varnames[code.co_argcount + code.co_kwonlyargcount])
        given += rest if type(rest) is tuple else ()
    return given
