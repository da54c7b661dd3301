"""The end of a program: no thread of the client is within an import when the interpreter goes.

In Python 3.11, one that waits for the lock of the imports while the interpreter removes that lock
ends the process with SIGSEGV, or SIGABRT.
"""

import sys

import pytest
from program_runs import run_code
from sent_files import NO_TIMEOUT, START

#: Takes a second to load a module, and prints at the very end how many threads there are: what was
#: registered first runs last.
SLOW_DISK = """
import atexit, os, sys, threading, time

loading = threading.Event()

class SlowDisk:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            loading.set()
            time.sleep(1)

sys.meta_path.insert(0, SlowDisk())
atexit.register(lambda: print(len(os.listdir("/proc/self/task")), flush=True))
"""
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="counts threads in /proc")


@pytest.fixture
def run(gateway):
    """Runs a program to its end, which sends to the gateway."""

    def ended(code):
        process = run_code(
            code, WHENCE_API_KEY="k", WHENCE_ENDPOINT=gateway.url, WHENCE_SPOOL="off"
        )
        return process.returncode, process.stdout, process.stderr

    return ended


@pytest.mark.parametrize("module", ["whence._core.pack_event", "whence._source.function_lines"])
@pytest.mark.parametrize("captures", [False, True])
def test_ends_after_what_the_sender_imports(module, captures, run):
    capture = "whence.capture_message('x')" if captures else ""
    code = f"import whence\nwhence.init()\n{capture}\nloading.wait()\nsys.exit(7)\n"
    assert run(f"{SLOW_DISK.format(module=module)}{code}") == (7, "1\n", "")


def test_ends_after_what_is_imported_to_send_files(program):
    slow = SLOW_DISK.format(module="whence._source.loaded_files")
    # Only the import is waited for, and then until the thread ends.
    waits = "limits.EXIT_WAIT_S = limits.CRASH_WAIT_S = 0\nlimits.FORK_WAIT_S = 3600\n"
    main = f"{slow}{NO_TIMEOUT}{waits}{START}loading.wait()\nsys.exit(7)\n"
    process = program.run({"app/main.py": main}, ["."])
    assert process.wait(30) == 7
    assert process.stdout.read().endswith("1\n")


FLUSHES = """
import atexit, os

def last():
    whence.capture_message("y")
    whence.flush()
    print(len(os.listdir("/proc/self/task")), flush=True)

atexit.register(last)
import whence
from whence._core import limits
limits.EXIT_WAIT_S = 3600
whence.init()
whence.capture_message("x")
"""


def test_starts_no_thread_after_the_end(run):
    assert run(FLUSHES) == (0, "1\n", "")


INTERPRETER = """
import sys
import _xxsubinterpreters as interpreters

within = interpreters.create(isolated=False)
interpreters.run_string(within, f'''
import sys
sys.path[:] = {sys.path}
import whence
whence.init()
whence.capture_message("x")
''')
interpreters.destroy(within)
print("destroyed")
"""


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="works there: see test_servers.py")
def test_is_off_in_an_interpreter_that_could_not_be_ended(run, gateway):
    assert run(INTERPRETER) == (0, "destroyed\n", "")
    assert gateway.posts == []


SERVED = """
import _xxsubinterpreters as interpreters
import sys

within = interpreters.create(isolated=False)
interpreters.run_string(within, f'''
import sys
sys.path[:] = {{sys.path}}
sys.modules[{server!r}] = sys
from whence._process.interpreter import may_end_alone
print(may_end_alone(), flush=True)
''')
interpreters.destroy(within)
"""


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="on in all interpreters there")
@pytest.mark.parametrize("server", ["mod_wsgi", "uwsgi"])
def test_is_on_in_an_interpreter_that_lives_as_long_as_its_server(server, run):
    assert run(SERVED.format(server=server)) == (0, "False\n", "")
