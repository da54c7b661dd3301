"""How files are sent: beside the events, with pauses after failures, and across forks."""

import os
import sys

import pytest
from sent_files import ASKS_AT_ONCE, NO_TIMEOUT, ROUNDS, START, WAIT, send

from whence._core import limits

BESIDE = {
    "as many events as are sent at once": f"""
for number in range({limits.SEND_FROM_EVENTS}):
    whence.capture_message(str(number))
""",
    "a flush": "whence.capture_message('0')\nassert whence.flush(3600)\n",
    "the flush interval": "whence.capture_message('0')\n",
}


@pytest.mark.parametrize("what", BESIDE)
def test_sends_events_while_a_request_with_files_gets_no_answer(program, silent, what):
    code = f"{NO_TIMEOUT}{START}sys.stdin.readline()\n{BESIDE[what]}{WAIT}"
    process = program.run({"app/main.py": code}, ["."])
    program.sent()
    send(process)
    silent.wait_until(lambda: silent.events("log"))
    assert silent.left == []


def test_ends_a_request_with_files_that_takes_too_long(program, silent):
    main = f"{NO_TIMEOUT}limits.FILES_TIME_MAX_S = 0.5\n{START}{WAIT}"
    program.run({"app/main.py": main}, ["."])
    silent.wait_until(lambda: silent.left)


def test_asks_no_name_server_for_what_it_is_connected_to(program, gateway):
    count = """
import socket

asked, found = [], socket.getaddrinfo
socket.getaddrinfo = lambda *each: asked.append(each) or found(*each)
"""
    main = f"{ASKS_AT_ONCE}{count}{START}sys.stdin.readline()\nprint(len(asked))\n"
    url = gateway.url.replace("127.0.0.1", "localhost")
    process = program.run({"app/main.py": main}, ["."], WHENCE_ENDPOINT=url)
    program.sent()
    program.asked()
    assert process.communicate("\n")[0] == "1\n"


def test_sends_again_what_did_not_arrive(program, gateway):
    gateway.file_answers = [503]
    main = f"{ASKS_AT_ONCE}limits.BACK_OFF_FIRST_S = 0\n{START}{ROUNDS}"
    process = program.run({"app/main.py": main}, ["."])
    assert (program.sent(), program.sent(2)) == (["main.py"], ["main.py"])
    rounds(program, process, range(1, 4))
    assert len(gateway.files) == 2


REPEATED = {
    "waits after a failure": ("limits.BACK_OFF_FIRST_S = 60", 503, 1),
    "waits as long as the service asks for": (
        "limits.BACK_OFF_FIRST_S = 0",
        (429, {"retry-after": "3600"}),
        1,
    ),
    "tries three times": ("limits.BACK_OFF_FIRST_S = 0", 503, 3),
    "tries again much later": (
        "limits.BACK_OFF_FIRST_S = limits.FILES_TRIED_AGAIN_S = 0",
        503,
        6,
    ),
}


@pytest.mark.parametrize("what", REPEATED)
def test_repeats_what_fails_a_few_times(program, gateway, what):
    setting, answer, requests = REPEATED[what]
    gateway.file_answers = [answer] * 100
    main = f"{ASKS_AT_ONCE}{setting}\n{START}{ROUNDS}"
    process = program.run({"app/main.py": main}, ["."])
    rounds(program, process, range(1, 8))
    assert min(len(gateway.files), 6) == requests


def rounds(program, process, numbers):
    """Have the program fail, and ask twice, again and again: one after the other."""
    program.asked(2 * numbers[0])
    for number in numbers:
        send(process)
        program.asked(2 * number + 2)


def test_does_not_ask_a_service_that_takes_no_files(program, gateway):
    answer = {"status": 202, "body": '{"accepted": 1, "rejected": []}'}
    gateway.answers = [answer] * 4
    process = program.run({"app/main.py": f"{ASKS_AT_ONCE}{START}{ROUNDS}"}, ["."])
    for number in range(2, 5):
        send(process)
        gateway.wait_until(lambda number=number: len(gateway.posts) >= number)
    assert program.questions == []
    send(process)
    # This answer names files.
    assert program.sent() == ["main.py"]


def test_sends_none_without_a_release(program, gateway):
    start = START.replace('release="1", ', "")
    process = program.run({"app/main.py": f"{ASKS_AT_ONCE}{start}{ROUNDS}"}, ["."])
    for number in range(2, 6):
        send(process)
        gateway.wait_until(lambda number=number: len(gateway.posts) >= number)
    process.stdin.close()
    process.stdin = None
    assert process.wait(30) == 0
    assert "release" not in gateway.posts[0]["batch"]
    assert (program.questions, gateway.files) == ([], [])


@pytest.mark.parametrize("source", ["files", "functions", "none"])
def test_sends_them_only_if_the_option_allows_it(program, gateway, source):
    process = program.run(
        {"app/main.py": f"{ASKS_AT_ONCE}{START}{ROUNDS}"}, ["."], WHENCE_SOURCE=source
    )
    for number in range(2, 6):
        send(process)
        gateway.wait_until(lambda number=number: len(gateway.events("exception")) >= number)
    if source == "files":
        program.sent()
        program.asked()
    process.stdin.close()
    process.stdin = None
    assert process.wait(30) == 0
    assert bool(gateway.files) == bool(program.questions) == (source == "files")


forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
counts_threads = pytest.mark.skipif(sys.platform != "linux", reason="counts threads in /proc")
THREADS = """
import os, time

def threads(wanted):
    for _ in range(500):
        if len(os.listdir("/proc/self/task")) == wanted:
            break
        time.sleep(0.02)
    return len(os.listdir("/proc/self/task"))
"""


@forks
def test_forks_while_files_are_sent_and_the_child_sends_its_own(program, silent):
    fork = """
import os
sys.stdin.readline()
pid = os.fork()
whence.capture_message("x")
whence.flush()
print("child" if pid == 0 else "parent", flush=True)
"""
    # Only the end of the request with files ends the wait.
    setting = f"{NO_TIMEOUT}limits.FORK_WAIT_S = 3600\nlimits.BACK_OFF_FIRST_S = 0\n"
    process = program.run({"app/main.py": f"{setting}{START}{fork}{WAIT}"}, ["."])
    program.sent()
    send(process)
    names = {process.stdout.readline().strip() for _ in range(2)}
    assert names == {"child", "parent"}
    silent.answers_files.set()
    program.sent(3)
    assert {file["path"] for each in silent.files for file in each["files"]} == {"main.py"}
    assert len({batch["instance"] for batch in silent.batches}) == 2


@forks
@counts_threads
def test_a_child_starts_a_thread_when_it_has_something_to_send(program, gateway):
    fork = """
pid = os.fork()
if pid == 0:
    before = threads(1)
    whence.capture_message("x")
    whence.flush()
    print(before, threads(2), flush=True)
    os._exit(0)
os.waitpid(pid, 0)
"""
    process = program.run({"app/main.py": f"{START}{THREADS}{fork}"}, [])
    assert process.communicate()[0] == "1 2\n"


LOOKUP = """
import socket, threading

entered, may_end, found = threading.Event(), threading.Event(), socket.getaddrinfo

def slow(*address):
    entered.set()
    may_end.wait()
    return found(*address)

socket.getaddrinfo = slow

from whence._core import limits

def fork():
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)

import os, sys, whence
whence.init(api_key="k", service="shop", release="1", spool=False)
whence.capture_message("first")
whence.flush(0)
entered.wait()
"""
FORKED = """
limits.FORK_WAIT_S = 0.1
fork()
whence.capture_message("second")
"""


@forks
@counts_threads
def test_goes_on_with_one_thread_when_a_fork_could_not_wait_for_it(program, gateway):
    end = "may_end.set()\nassert whence.flush(3600)\nprint(threads(2))\n"
    process = program.run({"app/main.py": f"{LOOKUP}{FORKED}{THREADS}{end}"}, [])
    assert process.communicate()[0] == "2\n"
    assert [event["message"] for event in gateway.events("log")] == ["first", "second"]


@forks
def test_a_further_fork_waits_only_for_what_can_end(program, gateway):
    end = "limits.FORK_WAIT_S = 3600\nfork()\nprint('forked', flush=True)\nmay_end.set()\n"
    process = program.run({"app/main.py": f"{LOOKUP}{FORKED}{end}"}, [])
    assert process.communicate(timeout=60)[0] == "forked\n"


def test_a_silent_name_server_holds_up_no_end_beyond_the_wait_for_events(program):
    end = "limits.FORK_WAIT_S = 3600\nlimits.EXIT_WAIT_S = 0.1\n"
    process = program.run({"app/main.py": f"{LOOKUP}{end}"}, [])
    assert process.wait(60) == 0


@forks
def test_a_further_fork_waits_no_more_for_files_that_a_disk_does_not_give(program):
    slow = """
import os, threading
from whence._core import limits

entered, may_end, found = threading.Event(), threading.Event(), os.path.islink

def hang(path):
    entered.set()
    may_end.wait()
    return found(path)

os.path.islink = hang

def fork():
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
"""
    forked = """
entered.wait()
limits.FORK_WAIT_S = 0.1
fork()
limits.FORK_WAIT_S = 3600
fork()
print("forked", flush=True)
may_end.set()
"""
    process = program.run({"app/main.py": f"{slow}{START}{forked}"}, ["."])
    assert process.communicate(timeout=60)[0] == "forked\n"


GEVENT = """
import gevent, os
from gevent import monkey
monkey.patch_all()
# It imports modules, which two threads must not do at once under gevent.
gevent.get_hub()
"""
GREENLETS = """
import select
# As it is patched, it lets the others run.
select.select([sys.stdin], [], [])
for _ in range(2):
    if os.fork() == 0:
        os._exit(0)
    whence.capture_message("after a fork")
    assert whence.flush(3600)
print("forked", flush=True)
"""


@forks
@pytest.mark.parametrize("order", ["before", "after"])
@pytest.mark.parametrize("hangs", [False, True])
def test_sends_them_beside_greenlets(program, gateway, order, hangs):
    pytest.importorskip("gevent")
    if hangs:
        gateway.answers_files.clear()
    setting = f"{ASKS_AT_ONCE}limits.FORK_WAIT_S = 3600\n"
    init, capture = START.split("whence.capture", 1)
    parts = [GEVENT, init] if order == "before" else [init, GEVENT]
    main = "".join([setting, *parts, f"whence.capture{capture}{GREENLETS}"])
    process = program.run({"app/main.py": main}, ["."])
    assert program.sent() == ["main.py"]
    send(process)
    assert process.stdout.readline() == "forked\n"
    assert [event["message"] for event in gateway.events("log")] == ["after a fork"] * 2
