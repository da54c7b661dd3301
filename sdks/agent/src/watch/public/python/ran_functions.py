"""Finds out which functions a failing test ran, and which of them other tests ran too."""

import os
from functools import lru_cache

_FUNCTION_FLAG = 0x1
_TESTS_MAX = 1_000
_real_path = lru_cache(maxsize=None)(os.path.realpath)


class _Test:
    def __init__(self):
        self.ran = set()
        self.errors = set()


class RanFunctions:
    """The functions of the tree that ran between the beginnings of tests."""

    def __init__(self, base, places):
        self._base = base + os.sep
        self._begins = {(place["file"], place["starts"]) for place in places}
        self._known = {}
        self._tests = []
        self._failing = None

    def called(self, frame):
        """Count a call; return whether a test begins with it."""
        code = frame.f_code
        kind = self._known.get(code)
        if kind is None:
            kind = self._known[code] = self._kind_of(code)
        if kind == "test" and not self._is_own(frame.f_back):
            if len(self._tests) < _TESTS_MAX:
                self._tests.append(_Test())
            return True
        if kind == "function" and self._tests:
            self._tests[-1].ran.add(code)
        return False

    def trace(self, frame, event, argument):
        """Trace a test for the errors that leave or reach it."""
        frame.f_trace_lines = False
        if event == "exception":
            self.threw(type(argument[1] or argument[0]).__name__, False)
        return self.trace

    def threw(self, kind, is_failure):
        """Say that an error was thrown in the current test, and whether it is the failure."""
        if not self._tests:
            return
        current = self._tests[-1]
        current.errors.add(kind)
        if is_failure and (self._failing is None or self._failing[0] is not current):
            self._failing = (current, set(current.ran), kind)

    def found(self, functions_max):
        """Return what the failing test ran, first what fewer other tests ran; None where that isn't known."""
        if self._failing is None:
            return None
        test, ran, kind = self._failing
        failed = [one for one in self._tests if one is not test and kind in one.errors]
        passed = [one for one in self._tests if one is not test and kind not in one.errors]
        functions = [
            (code, sum(code in one.ran for one in failed), sum(code in one.ran for one in passed)) for code in ran
        ]
        functions.sort(key=lambda one: (one[2], -_length_of(one[0]), one[0].co_filename, one[0].co_firstlineno))
        return {
            "failed": len(failed),
            "passed": len(passed),
            "functions": [
                {
                    "file": _real_path(code.co_filename),
                    "function": code.co_name,
                    "starts": code.co_firstlineno,
                    "failed": in_failed,
                    "passed": in_passed,
                }
                for code, in_failed, in_passed in functions[:functions_max]
            ],
        }

    def _kind_of(self, code):
        # What Python or a program compiled in memory, as `<frozen runpy>`, has no file.
        if code.co_filename.startswith("<"):
            return "other"
        file = _real_path(code.co_filename)
        is_own = file.startswith(self._base) and "site-packages" not in file
        # Modules, the bodies of classes, and what has no name are no functions that a report can point to.
        if not is_own or not code.co_flags & _FUNCTION_FLAG or code.co_name.startswith("<"):
            return "other"
        if code.co_name.startswith("test") or (file, code.co_firstlineno) in self._begins:
            return "test"
        return "function"

    def _is_own(self, frame):
        return frame is not None and self._known.get(frame.f_code, "other") != "other"


def _length_of(code):
    return max((line for _, _, line in code.co_lines() if line is not None), default=0) - code.co_firstlineno
