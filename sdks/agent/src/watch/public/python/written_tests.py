"""Writes what tests ran while they run, since a process may be ended without its exit, as those of pytest-xdist."""

from json import dumps
from os import getpid, replace
from os.path import join
from threading import get_ident
from time import perf_counter

# A test may replace it while it runs.
_open = open
# How often it is written at most, and the share of the program's time that this takes.
_EVERY_SECONDS = 0.02
_SHARE_FOR_WRITING = 1 / 5


def thread_name():
    """Return what identifies a process: its threads are watched together."""
    return f"{getpid()}-0"


class WrittenTests:
    """What tests ran, in a file of its own that is replaced each time; it takes no room from stops."""

    def __init__(self, tests, orders):
        self._tests = tests
        self._orders = orders
        self._due = 0.0

    def write_new(self):
        """Write what is new, if that is due."""
        if self._tests.has_new and perf_counter() >= self._due:
            self.write()

    def write(self):
        began = perf_counter()
        self._replace()
        ended = perf_counter()
        self._due = ended + max(_EVERY_SECONDS, (ended - began) / _SHARE_FOR_WRITING)

    def _replace(self):
        ran = self._tests.found(self._orders["ranFunctionsMax"])
        tests = self._tests.all()
        if not tests:
            return
        thread = thread_name()
        part = {"thread": thread, "places": [], "files": [], "hits": [], "tests": tests}
        if ran:
            part["ran"] = ran
        text = dumps(part) + "\n"
        if len(text) > self._orders["writtenLengthMax"]:
            return
        file = join(self._orders["folder"], f"{thread}-tests")
        # Two threads may write at the same time.
        part_file = f"{file}-{get_ident()}"
        try:
            # A process that is killed meanwhile leaves what was written before.
            with _open(part_file, "w", encoding="utf-8") as opened:
                opened.write(text)
            replace(part_file, f"{file}.jsonl")
        except OSError:
            # The folder is gone: the run that ordered it has ended.
            return
