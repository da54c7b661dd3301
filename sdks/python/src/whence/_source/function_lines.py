from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType


def function_lines(code: CodeType) -> tuple[int, int] | None:
    """Return the first and last line of a function, decorators included; None for a module's code.

    Read from the compiled code, so nothing has to be parsed.
    """
    if code.co_name == "<module>":
        return None
    last = _last_line(code)
    return None if last < code.co_firstlineno else (code.co_firstlineno, last)


def _last_line(code: CodeType) -> int:
    last = max((line or 0 for _, _, line in code.co_lines()), default=0)
    inner = [item for item in code.co_consts if type(item) is type(code)]
    return max([last, *(_last_line(item) for item in inner)])
