"""Watches a program at ordered places, and writes what was seen; nothing of the program changes.

Only functions of files with ordered places are traced, line by line.
"""

import atexit
import os
import sys
import threading
from collections import deque
from functools import lru_cache
from itertools import islice
from json import dumps, load
from opcode import opmap
from time import perf_counter

from error_text import class_name, error_text
from masked_text import MaskedText
from ran_functions import RanFunctions, is_resumed
from value_text import ValueText, cut
from written_tests import WrittenTests, thread_name

_THROWS_KEPT = 20
_THROW_CALLS = 8
# What is left of the time is for the failure, which may be thrown after stops at places took most of it.
_SHARE_FOR_PLACES = 3 / 4
_RETURNS = frozenset(opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in opmap)
# A test may replace it while it runs.
_open = open
_RAISE = opmap["RAISE_VARARGS"]
_library = os.path.dirname(os.__file__) + os.sep
_real_path = lru_cache(maxsize=None)(os.path.realpath)


def start():
    """Begin to watch this process if there are orders for it and no debugger traces it."""
    path = os.environ.get("WHENCE_WATCH")
    if path is None or sys.gettrace() is not None:
        return
    with open(path, encoding="utf-8") as file:
        orders = load(file)
    watch = _Watch(orders)
    threading.settrace(watch.called)
    sys.settrace(watch.called)
    atexit.register(watch.write)


class _Watch:
    def __init__(self, orders):
        self._orders = orders
        credentials = orders["credentials"]
        self._masked = MaskedText(credentials["patterns"], orders["textLengthMax"])
        self._text = ValueText(orders["redactedNames"], credentials["name"]["source"], self._masked)
        self._began = perf_counter()
        self._places = {}
        for index, place in enumerate(orders["places"]):
            self._places.setdefault(place["file"], []).append((index, place))
        tests = [place for place in orders["places"] if place.get("is_test")]
        self._tests = RanFunctions(orders["base"], tests, orders["redactedNames"]) if tests else None
        self._written_tests = WrittenTests(self._tests, orders) if tests else None
        self._real = {}
        self._lines = {}
        self._files = {}
        self._counts = {}
        self._stops = {}
        self._kept = {}
        self._spent = 0.0
        self._room = orders["writtenLengthMax"]

    def called(self, frame, event, _argument):
        """Trace the calls of functions in files with ordered places, and those of tests."""
        if event != "call" or self._is_over():
            return None
        is_test = self._tests is not None and self._tests.called(frame)
        if is_test:
            self._written_tests.write_new()
        return self._tracer_of(frame) or (self._tests.trace if is_test else None)

    def _tracer_of(self, frame):
        code = frame.f_code
        lines = self._lines.get(code)
        if lines is None:
            lines = self._lines[code] = self._lines_of(code)
        return self._tracer(lines, [not is_resumed(frame)]) if lines else None

    def _lines_of(self, code):
        places = self._places_of(code.co_filename)
        if not places:
            return {}
        if code.co_name == "<module>":
            for index, _ in places:
                self._counts.setdefault(index, [0, True])
        lines = {}
        starts = None if code.co_name == "<module>" else code.co_firstlineno
        last = max((line for _, _, line in code.co_lines() if line is not None), default=0)
        for index, place in places:
            if code.co_firstlineno <= place["line"] <= last:
                lines.setdefault(place["line"], []).append(index)
            if starts is not None and place["starts"] is not None and abs(place["starts"] - starts) <= 3:
                lines.setdefault(None, []).append(index)
        return lines

    def _tracer(self, lines, is_first):
        def trace(frame, event, argument):
            if self._is_over():
                return None
            if self._are_places_over() and event != "exception":
                frame.f_trace_lines = False
                return trace
            began = perf_counter()
            if event == "line":
                places = lines.get(frame.f_lineno)
                if is_first[0]:
                    is_first[0] = False
                    places = (places or []) + lines.get(None, [])
                if places:
                    self._hit("reached", frame, places)
            elif event == "return" and lines.get(None) and _returns(frame):
                self._hit("returned", frame, lines[None], argument)
            elif event == "exception":
                self._threw(frame, argument)
            self._spent += perf_counter() - began
            return trace

        return trace

    def _places_of(self, file):
        known = self._real.get(file)
        if known is None:
            real = _real_path(file)
            known = self._places.get(file) or self._places.get(real) or ()
            self._loaded(file, real)
            self._real[file] = known
        return known

    def _loaded(self, file, real):
        is_own = real.startswith(self._orders["base"] + os.sep) and "site-packages" not in real
        if is_own and not file.startswith("<") and len(self._files) < self._orders["loadedFilesMax"]:
            self._files.setdefault(real, False)

    def _hit(self, kind, frame, places, returned=None):
        for index in places:
            count = self._counts.setdefault(index, [0, True])
            count[0] += 1
            if count[0] > self._orders["stopsPerPlaceMax"]:
                count[1] = False
                return
        code = frame.f_code
        key = (kind, code.co_filename, code.co_firstlineno, frame.f_lineno)
        self._stops[key] = self._stops.get(key, 0) + 1
        hit = self._hit_at(kind, frame, self._stops[key])
        if kind == "returned":
            hit["returned"] = self._text.returned(code.co_name, returned)
        self._keep(key, hit, self._orders["hitsPerPlaceMax"])

    def _threw(self, frame, argument):
        _, error, traceback = argument
        # The end of an iterator is reported to its loop, which it doesn't leave.
        if traceback is None or traceback.tb_frame is not frame:
            return
        is_raised = _raises(frame)
        if not is_raised and _was_seen(traceback):
            return
        told = error_text(error)
        is_failure = any(text in told for text in self._orders["failures"])
        if self._tests is not None:
            self._tests.threw(class_name(type(error)), is_failure)
        said = self._masked.cut(told)
        at = self._at_ms()
        # An error that is raised again keeps the calls that it left before.
        left = None if is_raised else traceback.tb_next
        for call, line in islice(_calls_of(frame, left), _THROW_CALLS if is_failure else 1):
            hit = self._hit_at("threw", call, 0)
            hit["line"] = line or 1
            hit["error"] = said
            hit["at_ms"] = at
            self._keep("failure" if is_failure else "throw", hit, _THROWS_KEPT)
        if is_failure:
            self.write()

    def _hit_at(self, kind, frame, nth):
        callers = []
        caller = frame.f_back
        while caller is not None and len(callers) < self._orders["callersPerHitMax"]:
            if _is_program(caller):
                callers.append(_called_at(caller))
            caller = caller.f_back
        return {
            **_called_at(frame),
            "kind": kind,
            "nth": nth,
            "at_ms": self._at_ms(),
            "values": self._values(frame),
            "callers": callers,
        }

    def _values(self, frame):
        if frame.f_code.co_name == "<module>":
            return {}
        values = {}
        for name, value in list(frame.f_locals.items()):
            if len(values) >= self._orders["valuesPerHitMax"]:
                break
            if not name.startswith("__"):
                values[cut(name, 200)] = self._text.named(name, value)
        return values

    def _keep(self, key, hit, most):
        self._kept.setdefault(key, deque(maxlen=most)).append(hit)

    def _at_ms(self):
        return round((perf_counter() - self._began) * 1000, 1)

    def write(self):
        """Write what is known by now, and forget it."""
        if self._written_tests is not None:
            self._written_tests.write()
        kept, self._kept = self._kept, {}
        # Other threads go on meanwhile.
        hits = sorted((hit for some in list(kept.values()) for hit in list(some)), key=lambda hit: hit["at_ms"])
        places = [
            {"place": index, "hits": count[0], "is_complete": count[1] and not self._are_places_over()}
            for index, count in list(self._counts.items())
        ]
        files = [file for file, is_written in list(self._files.items()) if not is_written]
        thread = thread_name()
        part = {"thread": thread, "places": places, "files": files, "hits": hits}
        text = dumps(part) + "\n"
        if len(text) > self._room:
            return
        self._room -= len(text)
        self._files.update(dict.fromkeys(files, True))
        try:
            with _open(os.path.join(self._orders["folder"], f"{thread}.jsonl"), "a", encoding="utf-8") as file:
                file.write(text)
        except OSError:
            # The folder is gone: the run that ordered it has ended.
            return

    def _is_over(self):
        return self._spent > self._orders["pauseMsMax"] / 1000

    def _are_places_over(self):
        return self._spent > self._orders["pauseMsMax"] / 1000 * _SHARE_FOR_PLACES


def _returns(frame):
    """Whether a call ends with a value: an exception and a generator's yield are reported alike."""
    return frame.f_code.co_code[frame.f_lasti] in _RETURNS


def _raises(frame):
    """Whether a call is at a ``raise`` with an error, which may be one that was raised before."""
    code, at = frame.f_code.co_code, frame.f_lasti
    return code[at] == _RAISE and code[at + 1] > 0


def _was_seen(traceback):
    """Whether an error was thrown in a watched call that it has left, or at another line of this one."""
    inner = traceback.tb_next
    while inner is not None:
        if inner.tb_frame.f_trace is not None:
            return True
        inner = inner.tb_next
    return False


def _calls_of(frame, inner):
    """Yield the program's calls that an error left or is about to leave, with their lines, the innermost first.

    Functions that aren't watched may have thrown it.
    """
    left = []
    while inner is not None:
        left.append((inner.tb_frame, inner.tb_lineno))
        inner = inner.tb_next
    yield from (call for call in reversed(left) if _is_program(call[0]))
    while frame is not None:
        if _is_program(frame):
            yield frame, frame.f_lineno
        frame = frame.f_back


def _is_program(frame):
    file = frame.f_code.co_filename
    return not file.startswith((_library, "<")) or "site-packages" in file


def _called_at(frame):
    code = frame.f_code
    is_module = code.co_name == "<module>"
    return {
        "file": _real_path(code.co_filename),
        "line": frame.f_lineno or 1,
        "function": None if is_module else code.co_name,
        "starts": None if is_module else code.co_firstlineno,
    }
