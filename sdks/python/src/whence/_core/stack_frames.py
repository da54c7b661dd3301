from __future__ import annotations

import os
import sys

from whence._core import limits
from whence._core.builtin_types import deque
from whence._core.guard import guarded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType, TracebackType
    from typing import Any

    from whence._core.event import Json
    from whence._core.redact import FieldRules
    from whence._core.values import Walk

_library = os.path.dirname(os.__file__) + os.sep  # noqa: PTH120 - pathlib takes long to import
_own = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep  # noqa: PTH100, PTH120
_in_app: dict[str, bool] = {}
_FILES_KNOWN_MAX = 10_000
#: The flag of a function's code, ``inspect.CO_OPTIMIZED``.
_OPTIMIZED = 1
#: The frame's, the reading function's, and the question's own.
_REFERENCES_OF_A_SNAPSHOT = 3


class Call:
    """One call on a stack: its code, its place, and a copy of its variables."""

    __slots__ = ("code", "lasti", "line", "vars")

    def __init__(self, code: CodeType, line: int, lasti: int) -> None:
        self.code = code
        self.line = line
        self.lasti = lasti
        self.vars: dict[str, Json] | None = None

    @property
    def is_in_app(self) -> bool:
        """Whether the code is the program's own."""
        return is_in_app(self.code.co_filename)


def is_in_app(file: str) -> bool:
    """Whether a file is the program's own, and not the interpreter's or an installed package's."""
    known = _in_app.get(file)
    if known is None:
        known = _is_own_file(file)
        if len(_in_app) < _FILES_KNOWN_MAX:
            _in_app[file] = known
    return known


def _is_own_file(file: str) -> bool:
    if file.startswith("<"):
        return file in ("<string>", "<stdin>")
    path = file.replace("\\", "/")
    if "/site-packages/" in path or "/dist-packages/" in path:
        return False
    return not file.startswith((_library, _own))


def calls_of(traceback: TracebackType | None, rules: FieldRules, walk: Walk | None) -> list[Call]:
    """Return the calls of a traceback, innermost first, with variables as far as ``walk`` goes."""
    outer: list[TracebackType] = []
    inner: deque[TracebackType] = deque(maxlen=limits.FRAMES_MAX - limits.OUTER_FRAMES_KEPT)
    while traceback is not None:
        (outer if len(outer) < limits.OUTER_FRAMES_KEPT else inner).append(traceback)
        traceback = traceback.tb_next
    places = [*outer, *inner]
    places.reverse()
    calls = [Call(at.tb_frame.f_code, at.tb_lineno or 0, at.tb_lasti) for at in places]
    if walk is not None:
        guarded(_add_variables, calls, [at.tb_frame for at in places], rules, walk)
    return calls


def calls_from(frame: FrameType | None) -> list[Call]:
    """Return the calls of a running stack, innermost first."""
    calls: list[Call] = []
    while frame is not None and len(calls) < limits.FRAMES_MAX:
        if not frame.f_code.co_filename.startswith(_own):
            calls.append(Call(frame.f_code, frame.f_lineno or 0, frame.f_lasti))
        frame = frame.f_back
    return calls


def _add_variables(
    calls: list[Call], frames: list[FrameType], rules: FieldRules, walk: Walk
) -> None:
    left = limits.LOCALS_FRAMES_MAX
    for call, frame in zip(calls, frames, strict=True):
        if left == 0 or walk.is_spent:
            return
        if call.is_in_app:
            left -= 1
            call.vars = _variables(frame, rules, walk) or None


def _variables(frame: FrameType, rules: FieldRules, walk: Walk) -> dict[str, Json]:
    values = frame.f_locals
    try:
        return _copied(frame, values, rules, walk)
    finally:
        # Before Python 3.13, a function's frame keeps what was read: values would live on after
        # the program drops them, and be collected in the client's code. It is made again when
        # someone asks for it; what the program has of it stays. A function that traces or profiles
        # may be called right now: after it, Python writes the snapshot back into the frame.
        is_snapshot = type(values) is dict and frame.f_code.co_flags & _OPTIMIZED
        is_watched = sys.gettrace() is not None or sys.getprofile() is not None
        if is_snapshot and not is_watched and sys.getrefcount(values) == _REFERENCES_OF_A_SNAPSHOT:
            code = frame.f_code
            for name in (*code.co_varnames, *code.co_cellvars, *code.co_freevars):
                if name in values:
                    values[name] = None


def _copied(
    frame: FrameType, values: dict[str, Any], rules: FieldRules, walk: Walk
) -> dict[str, Json]:
    is_module = values is frame.f_globals
    # A module's globals are read where its code names them.
    names = frame.f_code.co_names if is_module else list(values)
    result: dict[str, Json] = {}
    for name in names:
        if name not in values or name.startswith("__") or name in result:
            continue
        value = values[name]
        if is_module and type(value) in _defined:
            continue
        if len(result) >= limits.LOCALS_PER_FRAME_MAX or walk.is_spent:
            result["…"] = "more"
            break
        result[name] = walk.field(name, value, rules)
    return result


_defined = (type(sys), type(is_in_app), type)
