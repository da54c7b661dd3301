"""Signals reach the program as without the client, whatever the client is doing when one arrives."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[1] / "src"
START = """
import functools, os, signal, subprocess, sys, _thread, threading
import whence
from whence._core import limits
"""


@pytest.fixture
def begin(gateway):
    """Starts a program that sends to the gateway."""

    def started(code):
        return subprocess.Popen(
            [sys.executable, "-c", f"{START}{code}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={
                **os.environ,
                "PYTHONPATH": str(SOURCES),
                "WHENCE_API_KEY": "k",
                "WHENCE_ENDPOINT": gateway.url,
                "WHENCE_SPOOL": "off",
            },
        )

    return started


@pytest.fixture
def run(begin):
    """Runs a program to its end."""

    def ended(code):
        process = begin(code)
        stdout, stderr = process.communicate(timeout=60)
        return process.returncode, stdout, stderr

    return ended


WAITS = """
whence.init()
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
os.kill(os.getpid(), signal.SIGTERM)
print(signal.sigwait([signal.SIGTERM]) == signal.SIGTERM)
"""


def test_leaves_a_signal_to_the_program_that_waits_for_it(run):
    assert run(WAITS) == (0, "True\n", "")


HOOK = """
def before_send(event):
    with subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"]) as child:
        child.terminate()
        print(child.wait() == -signal.SIGTERM)
    print(*signal.pthread_sigmask(signal.SIG_BLOCK, ()))
    return event

signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
whence.init(before_send=before_send)
whence.capture_message("x")
whence.flush()
print(*signal.pthread_sigmask(signal.SIG_BLOCK, ()))
"""


def test_runs_a_hook_with_the_signals_of_the_program(run):
    assert run(HOOK) == (0, "True\n10\n10\n".replace("10", str(signal.SIGUSR1)), "")


STARTS = """
import _signal

def late(*_):
    raise RuntimeError("late")

whence.init(source="none")
sender = whence._api.running_client().sender
sender.pause()
signal.signal(signal.SIGALRM, late)
valid = _signal.valid_signals
_signal.valid_signals = functools.partial(signal.raise_signal, signal.SIGALRM)
try:
    whence.capture_message("x")
except RuntimeError as error:
    print(error)
_signal.valid_signals = valid
print(whence.flush(60))
print(signal.pthread_sigmask(signal.SIG_BLOCK, ()))
"""


def test_passes_on_what_a_handler_raises_while_a_thread_starts(run):
    assert run(STARTS) == (0, "late\nTrue\nset()\n", "")


HANDLES = """
class Handlers:
    def method(self, number, frame):
        raise TimeoutError("late")

def function(number, frame):
    raise TimeoutError("late")

def rest(*_):
    raise TimeoutError("late")

method = Handlers().method
bound = functools.partial(lambda reason, number, frame: function(number, frame), "late")
signal.signal(signal.SIGALRM, {handler})
whence.init(before_breadcrumb=lambda crumb: signal.raise_signal(signal.SIGALRM))
try:
    whence.add_breadcrumb("x")
except TimeoutError as error:
    print(error)
"""


@pytest.mark.parametrize("handler", ["function", "rest", "method", "bound"])
def test_passes_on_what_a_handler_raises_within_the_client(handler, run):
    assert run(HANDLES.format(handler=handler)) == (0, "late\n", "")


def test_keeps_what_a_hook_of_the_program_raises(run):
    code = "whence.init(before_breadcrumb=lambda crumb: 1 / 0)\nwhence.add_breadcrumb('x')\n"
    assert run(code) == (0, "", "")


CRASHES = """
sys.excepthook = lambda kind, error, traceback: print(kind.__name__)
whence.init()
sender = whence._api.running_client().sender
sender.write_now = lambda: signal.raise_signal(signal.SIGINT)
raise ValueError("broken")
"""


def test_prints_an_error_whose_recording_a_signal_ends(run):
    assert run(CRASHES) == (1, "ValueError\n", "")


ENDS = """
limits.EXIT_WAIT_S = limits.CRASH_WAIT_S = limits.REQUEST_TIMEOUT_S = 3600
whence.init()
whence.capture_message("x")
sys.exit(7)
"""


def test_ends_at_once_when_a_signal_arrives_while_it_sends_the_last(begin, gateway):
    gateway.answers.append({"status": 202, "held": gateway.never})
    process = begin(ENDS)
    gateway.wait_until(lambda: gateway.posts)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout, stderr) == (7, "", "")


FORKS = """
def late(*_):
    may_end.set()
    raise TimeoutError("late")

def before_send(event):
    entered.set()
    forks.acquire()
    os.kill(os.getpid(), signal.SIGALRM)
    may_end.wait()
    return event

limits.FORK_WAIT_S = 3600
entered, may_end, forks = threading.Event(), threading.Event(), _thread.allocate_lock()
forks.acquire()
signal.signal(signal.SIGALRM, late)
whence.init(before_send=before_send)
# Hooks run in the reverse order of their registration, so this one runs before the client's.
os.register_at_fork(before=forks.release)
whence.capture_message("x")
entered.wait()
try:
    pid = os.fork()
except TimeoutError as error:
    print(error)
else:
    # The child, whose own forks are none of that signal's.
    os._exit(os.waitstatus_to_exitcode(os.waitpid(os.fork() or os._exit(0), 0)[1]))
print(os.waitstatus_to_exitcode(os.wait()[1]))
"""


def test_passes_on_a_signal_that_arrives_while_a_fork_waits_for_the_sender(run):
    assert run(FORKS) == (0, "late\n0\n", "")


FORKED = """
def late(*_):
    raise TimeoutError("late")

signal.signal(signal.SIGALRM, late)
# As if it arrived during the fork.
arrive = functools.partial(_thread.interrupt_main, signal.SIGALRM)
os.register_at_fork(after_in_parent=arrive)
whence.init()
try:
    if os.fork() == 0:
        os._exit(0)
except TimeoutError as error:
    print(error)
"""


def test_passes_on_a_signal_that_arrives_during_a_fork(run):
    assert run(FORKED) == (0, "late\n", "")
