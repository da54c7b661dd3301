"""Finds out which functions a failing test ran, and which of them other tests ran too."""

import os
from collections import Counter
from functools import lru_cache

from error_text import class_name

_FUNCTION_FLAG = 0x1
# Those of generators, coroutines, and generators that wait (`inspect.CO_COROUTINE` and the like).
_PAUSING_FLAGS = 0x20 | 0x80 | 0x200
_TESTS_MAX = 1_000
_PLAIN = (type(None), bool, int, float, str, bytes)
_real_path = lru_cache(maxsize=None)(os.path.realpath)


class _Test:
    def __init__(self, call):
        self.call = call
        self.ran = set()
        self.errors = set()


class _Alike:
    """Tests in which errors of the same types were thrown, and how many of them ran each function."""

    def __init__(self, count=0, counts=()):
        self.count = count
        self.counts = Counter(counts)

    def add(self, test):
        self.count += 1
        self.counts.update(test.ran)


class RanFunctions:
    """The functions of the tree that ran between the beginnings of tests."""

    def __init__(self, base, places, redacted_names):
        self._redacted = frozenset(redacted_names)
        self._base = base + os.sep
        self._begins = {(place["file"], place["starts"]) for place in places}
        # By the address of the code, which is kept: to hash it, Python reads all of it.
        self._known = {}
        self._functions = {}
        self._ended = {}
        self._begun = 0
        self._current = None
        self._failing = None
        # Whether a test began, or the failing one failed, since all was read.
        self.has_new = False
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._ended.clear)

    @property
    def has_failed(self):
        return self._failing is not None

    def called(self, frame):
        """Count a call; return whether a test begins with it."""
        code = frame.f_code
        known = self._known.get(id(code))
        if known is None:
            known = (code, self._kind_of(code))
            # A program may compile code in memory without end.
            if not code.co_filename.startswith("<"):
                self._known[id(code)] = known
        kind = known[1]
        if kind == "test" and not self._is_own(frame.f_back):
            if not is_resumed(frame):
                self._begin(self._call_of(frame))
            return True
        if kind == "expected failure":
            self._pass()
        elif type(kind) is tuple and self._current is not None:
            self._current.ran.add(kind)
        return False

    def trace(self, frame, event, argument):
        """Trace a test for the errors that leave or reach it."""
        frame.f_trace_lines = False
        if event == "exception":
            self.threw(class_name(argument[0]), False)
        return self.trace

    def threw(self, kind, is_failure):
        """Say that an error was thrown in the current test, and whether it is the failure."""
        current = self._current
        if current is None:
            return
        current.errors.add(kind)
        if is_failure and (self._failing is None or self._failing[0] is not current):
            self._failing = (current, set(current.ran), kind)
            self.has_new = True

    def found(self, functions_max):
        """Return what the failing test ran, first what most alike failures and fewest others ran; None if unknown."""
        if self._failing is None:
            return None
        _, ran, kind = self._failing
        groups = self._groups()
        failed = [alike for errors, alike in groups if kind in errors]
        passed = [alike for errors, alike in groups if kind not in errors]
        # The failing test itself is one of those that failed so.
        functions = [
            (key, sum(alike.counts[key] for alike in failed) - 1, sum(alike.counts[key] for alike in passed))
            for key in ran
        ]
        functions.sort(key=lambda one: (-one[1], one[2], -self._functions[one[0]], *one[0]))
        return {
            "failed": sum(alike.count for alike in failed) - 1,
            "passed": sum(alike.count for alike in passed),
            "functions": [
                {**_placed(key), "failed": in_failed, "passed": in_passed}
                for key, in_failed, in_passed in functions[:functions_max]
            ],
        }

    def all(self):
        """Return what all tests of the process ran: another process may have run the failing one."""
        self.has_new = False
        return [
            {
                "errors": sorted(errors),
                "count": alike.count,
                "functions": [{**_placed(key), "count": count} for key, count in list(alike.counts.items())],
            }
            for errors, alike in self._groups()
        ]

    def _begin(self, call):
        if self._current is not None:
            # A test that failed is tried again.
            if self._current.errors and self._current.call == call:
                return
            self._ended.setdefault(frozenset(self._current.errors), _Alike()).add(self._current)
        self._current = _Test(call) if self._begun < _TESTS_MAX else None
        self._begun += 1
        self.has_new = True

    def _pass(self):
        """Count a test that is expected to fail, and does, as one that passes."""
        if self._current is None:
            return
        self._current.errors.clear()
        if self._failing is not None and self._failing[0] is self._current:
            self._failing = None

    def _call_of(self, frame):
        """Return what tells a test by its function and arguments; one that may not be read is like no other."""
        code = frame.f_code
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        given = frame.f_locals
        is_read = {name: name.lower() not in self._redacted for name in names if name in given}
        return (id(code), *(_argument(name, given[name]) if is_read[name] else object() for name in is_read))

    def _groups(self):
        """Return the tests that have ended, and the one that runs, by the types of their errors."""
        if self._current is None:
            return list(self._ended.items())
        key = frozenset(self._current.errors)
        known = self._ended.get(key, _Alike())
        together = _Alike(known.count, known.counts)
        together.add(self._current)
        return list({**self._ended, key: together}.items())

    def _kind_of(self, code):
        """Return what a call of some code is; of a function of the tree, its file, its line, and its name."""
        if code.co_name == "addExpectedFailure":
            return "expected failure"
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
        key = (file, code.co_firstlineno, code.co_name)
        self._functions[key] = _length_of(code)
        return key

    def _is_own(self, frame):
        if frame is None:
            return False
        known = self._known.get(id(frame.f_code))
        return known is not None and (known[1] == "test" or type(known[1]) is tuple)


def is_resumed(frame):
    """Whether a function that was called goes on after a pause, which Python reports as a call, too."""
    code = frame.f_code
    return bool(code.co_flags & _PAUSING_FLAGS) and frame.f_lineno != code.co_firstlineno


def _argument(name, value):
    kind = type(value)
    # Each try of a test may have an instance of its own.
    if name == "self":
        return id(kind)
    return (kind, hash(value)) if any(kind is one for one in _PLAIN) else id(value)


def _placed(key):
    file, starts, name = key
    return {"file": file, "function": name, "starts": starts}


def _length_of(code):
    return max((line for _, _, line in code.co_lines() if line is not None), default=0) - code.co_firstlineno
