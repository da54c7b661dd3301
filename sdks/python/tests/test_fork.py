"""A fork while the sender is at work."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[1] / "src"
PROGRAM = """
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
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, module],
        capture_output=True,
        text=True,
        timeout=60,
        env={
            **os.environ,
            "PYTHONPATH": str(SOURCES),
            "WHENCE_API_KEY": "k",
            "WHENCE_ENDPOINT": gateway.url,
        },
    )
    assert ended.stdout == "1\n"
    assert "ValueError: in the child" in ended.stderr
    assert [event["message"] for event in gateway.events("exception")] == ["in the child"]
