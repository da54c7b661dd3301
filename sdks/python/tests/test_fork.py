"""The sender and forks: one while it is at work, and its start after one."""

import os
import sys
import threading

import pytest
from program_runs import run_code

from whence._delivery.worker import Worker

LOADING = """
import os, sys, threading, time

loading = threading.Event()

class SlowDisk:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            loading.set()
            time.sleep(1)

sys.meta_path.insert(0, SlowDisk())
import whence

whence.init()
loading.wait()
pid = os.fork()
if pid == 0:
    raise ValueError("in the child")
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""


@pytest.mark.parametrize("module", ["whence._core.pack_event", "http.client"])
def test_waits_for_what_the_sender_imports_which_a_child_could_not(module, gateway):
    ended = run_code(LOADING, module, WHENCE_API_KEY="k", WHENCE_ENDPOINT=gateway.url)
    assert ended.stdout == "1\n"
    assert "ValueError: in the child" in ended.stderr
    assert [event["message"] for event in gateway.events("exception")] == ["in the child"]


CONNECTING = """
import os, socket, sys

threads = []
# Hooks run in the reverse order of their registration, so this one runs after the client's.
os.register_at_fork(before=lambda: threads.append(len(os.listdir("/proc/self/task"))))

# It accepts none: once the backlog is full, the system answers no further connection.
silent = socket.create_server(("127.0.0.1", 0), backlog=0)
waiting = [socket.socket() for _ in range(4 if sys.argv[1] == "connection" else 0)]
for each in waiting:
    each.setblocking(False)
    each.connect_ex(silent.getsockname())

import whence

scheme = "https" if sys.argv[1] == "handshake" else "http"
whence.init(api_key="k", endpoint=f"{scheme}://127.0.0.1:{silent.getsockname()[1]}", spool=False)
whence.capture_message("x")
whence.flush(1)
pid = os.fork()
if pid == 0:
    os._exit(0)
os.waitpid(pid, 0)
print(*threads)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="counts threads in /proc")
@pytest.mark.parametrize("step", ["connection", "handshake", "request"])
def test_forks_without_the_thread_that_waits_for_a_silent_server(step):
    ended = run_code(CONNECTING, step)
    assert (ended.stdout, ended.stderr) == ("1\n", "")


HOOK = """
import os, threading

import whence
from whence._core import limits

limits.FORK_WAIT_MAX_S = 3600
entered, may_end = threading.Event(), threading.Event()

def before_send(event):
    entered.set()
    may_end.wait()
    return event

whence.init(
    api_key="k", endpoint="http://127.0.0.1:9", spool=False, before_send=before_send
)
whence.capture_message("x")
entered.wait()
pid = os.fork()
if pid == 0:
    os._exit(0)
os.waitpid(pid, 0)
may_end.set()
print("forked")
"""


def test_does_not_wait_for_a_hook_of_the_program():
    ended = run_code(HOOK, PYTHONWARNINGS="ignore")
    assert (ended.stdout, ended.stderr) == ("forked\n", "")


CAPTURES = """
import os

def captures():
    whence.capture_message("y")
    print(len(os.listdir("/proc/self/task")), flush=True)

# Hooks run in the reverse order of their registration, so this one runs after the client's.
os.register_at_fork(before=captures)
import whence

whence.init(api_key="k", endpoint="http://127.0.0.1:9", spool=False)
pid = os.fork()
if pid == 0:
    os._exit(0)
os.waitpid(pid, 0)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="counts threads in /proc")
def test_starts_no_thread_during_a_fork():
    ended = run_code(CAPTURES)
    assert (ended.stdout, ended.stderr) == ("1\n", "")


def test_starts_one_sender_when_several_capture_at_once(start, monkeypatch):
    client = start()
    client.sender.pause()
    starting, may_start, made = threading.Event(), threading.Event(), []

    class SlowWorker(Worker):
        def __init__(self, *arguments):
            made.append(self)
            starting.set()
            may_start.wait(30)
            super().__init__(*arguments)

    monkeypatch.setattr("whence._delivery.sender.Worker", SlowWorker)
    other = threading.Thread(target=client.sender.start)
    other.start()
    starting.wait()
    # It returns although the other thread still starts the sender, and starts none.
    client.capture_message("x", mechanism="capture_message")
    may_start.set()
    other.join()
    assert client.flush()
    assert len(made) == 1


GREENLETS = """
from gevent import monkey
monkey.patch_all()
import os, gevent.event, whence
from whence._delivery.sender import Sender

whence.init(api_key="k", endpoint="http://127.0.0.1:9", spool=False)
started = gevent.event.Event()
run = Sender._run

def runs(sender, worker):
    started.set()
    run(sender, worker)

Sender._run = runs
pid = os.fork()
if pid == 0:
    os._exit(0)
os.waitpid(pid, 0)
print(started.wait(30))
"""


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="starts with the next event there")
def test_starts_the_sender_after_a_fork_with_gevent():
    pytest.importorskip("gevent")
    ended = run_code(GREENLETS)
    assert (ended.stdout, ended.stderr) == ("True\n", "")


NO_THREADS = """
import _thread, os

def no_thread(*_):
    raise RuntimeError("can't start new thread")

_thread.start_new_thread = no_thread
import whence
whence.init(api_key="k", endpoint="http://127.0.0.1:9", spool=False)
pid = os.fork()
if pid == 0:
    os._exit(0)
os.waitpid(pid, 0)
print(whence._api.running_client().sender.has_work)
"""


def test_prints_nothing_where_no_thread_starts_after_a_fork():
    ended = run_code(NO_THREADS)
    assert (ended.stdout, ended.stderr) == ("False\n", "")
