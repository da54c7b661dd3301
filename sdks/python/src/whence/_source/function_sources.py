from __future__ import annotations

from whence._core import limits
from whence._core.text import trim
from whence._source.function_lines import function_lines
from whence._source.source_files import SourceFiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType

    from whence._core.event import SourceContext
    from whence._core.stack_frames import Call


class EventSources:
    """The source sent with one event."""

    __slots__ = ("bytes", "functions")

    def __init__(self) -> None:
        self.bytes = 0
        self.functions: list[CodeType] = []


class FunctionSources:
    """The source of functions on stacks. Each function is sent in full once per process."""

    def __init__(self) -> None:
        self._files = SourceFiles()
        self._sent: set[CodeType] = set()

    def line(self, call: Call) -> str | None:
        """Return the line of a call as a traceback prints it."""
        lines = self._files.lines_of(call.code.co_filename) if call.is_in_app else None
        if lines is None or not 0 < call.line <= len(lines):
            return None
        return trim(lines[call.line - 1].strip(), limits.CONTEXT_LINE_LENGTH_MAX) or None

    def context(self, call: Call, event: EventSources) -> SourceContext | None:
        """Return the lines around a call, and the first time those of its whole function."""
        lines = self._files.lines_of(call.code.co_filename) if call.is_in_app else None
        if lines is None or not 0 < call.line <= len(lines):
            return None
        near = (
            max(1, call.line - limits.CONTEXT_LINES_AROUND),
            min(len(lines), call.line + limits.CONTEXT_LINES_AROUND),
        )
        function = function_lines(call.code)
        if function is None or not self._fits(lines, function):
            return self._context(lines, near, None, event)
        whole = (min(function[0], near[0]), max(function[1], near[1]))
        is_first = call.code not in self._sent
        if is_first and self._fits(lines, whole):
            context = self._context(lines, whole, function, event)
            if context is not None:
                event.functions.append(call.code)
                self._remember(call.code)
                return context
        return self._context(lines, near, function, event)

    def forget(self, functions: list[CodeType]) -> None:
        """Send these again: the event that had them is lost."""
        self._sent.difference_update(functions)

    def _remember(self, code: CodeType) -> None:
        if len(self._sent) >= limits.FUNCTIONS_SENT_MAX:
            self._sent.clear()
        self._sent.add(code)

    @staticmethod
    def _fits(lines: list[str], span: tuple[int, int]) -> bool:
        start, end = span
        if end > len(lines) or end - start >= limits.FUNCTION_LINES_MAX:
            return False
        size = sum(len(line) + 1 for line in lines[start - 1 : end])
        return size <= limits.FUNCTION_BYTES_MAX

    @staticmethod
    def _context(
        lines: list[str],
        span: tuple[int, int],
        function: tuple[int, int] | None,
        event: EventSources,
    ) -> SourceContext | None:
        start, end = span
        shown = [trim(line, limits.CONTEXT_LINE_LENGTH_MAX) for line in lines[start - 1 : end]]
        size = sum(len(line) for line in shown)
        if event.bytes + size > limits.FUNCTION_BYTES_PER_EVENT_MAX:
            return None
        event.bytes += size
        context: SourceContext = {"start_line": start, "lines": shown}
        if function is not None:
            context["function"] = {"start_line": function[0], "end_line": function[1]}
        return context
