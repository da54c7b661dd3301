"""Programs that a gateway asks for files."""

import os
import subprocess
import sys
import time
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "src"
#: Sends one exception, and runs until its input ends.
START = """
import sys
import whence

whence.init(api_key="k", service="shop", release="1", spool=False)
whence.capture_exception(LookupError("boom"))
whence.flush()
"""
WAIT = "sys.stdin.read()\n"
#: A request takes as long as the service likes.
NO_TIMEOUT = "from whence._core import limits\nlimits.REQUEST_TIMEOUT_S = 3600\n"
#: How much clocks of disks differ here.
DISK_S = 0.1
#: Asks for files right after each exception.
ASKS_AT_ONCE = """
from whence._core import limits

limits.FILES_ASKED_FIRST_S = limits.FILES_ASKED_LAST_S = limits.FILES_ASKED_AGAIN_S = 0
"""
#: Sends a further exception for each line of its input.
ROUNDS = """
for line in sys.stdin:
    whence.capture_exception(LookupError(line))
    whence.flush()
"""


class Program:
    """A program in `app`, whose batches are answered with the files that are wanted."""

    def __init__(self, folder, gateway):
        self.folder = folder
        self._gateway = gateway
        self._processes = []

    def run(self, files, wanted, *arguments, **variables):
        for path, text in files.items():
            at = self.folder / path
            at.parent.mkdir(parents=True, exist_ok=True)
            at.write_text(text)
        self._gateway.wanted = [
            str(self.folder / path) if path.startswith("app/") else path for path in wanted
        ]
        environment = {name: value for name, value in os.environ.items() if "WHENCE" not in name}
        environment |= {
            "PYTHONPATH": str(SOURCES),
            "PYTHONDONTWRITEBYTECODE": "1",
            "WHENCE_ENDPOINT": self._gateway.url,
            **variables,
        }
        process = subprocess.Popen(
            [sys.executable, *(arguments or ["main.py"])],
            cwd=self.folder / "app",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self._processes.append(process)
        self._started_by = time.time()
        return process

    def change(self, path, change):
        """Change a file until that is later than the start, by more than disks' clocks differ."""
        file = self.folder / path
        while file.stat().st_ctime < self._started_by + 2 * DISK_S:
            change(file)

    def sent(self, requests=1):
        """Wait for requests with files; return the paths of the last one's, in its order."""
        self._gateway.wait_until(lambda: len(self._gateway.files) >= requests)
        return [file["path"] for file in self._gateway.files[requests - 1]["files"]]

    def asked(self, times=1):
        """Wait until the program has asked: it has handled the answers to what came before."""
        self._gateway.wait_until(lambda: len(self.questions) >= times)

    @property
    def questions(self):
        """The batches without events, which only ask for files."""
        return [post["batch"] for post in self._gateway.posts if not post["batch"]["events"]]

    def close(self):
        for process in self._processes:
            process.kill()
            process.communicate()


def send(process, line="next"):
    process.stdin.write(f"{line}\n")
    process.stdin.flush()
