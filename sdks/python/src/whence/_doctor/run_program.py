from __future__ import annotations

import subprocess
import sys
import time

from whence._environment import with_preload
from whence._preload.run import FOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whence._doctor.sink import Sink

_OUTPUT_KEPT = 2_000
_POLL_S = 0.05
#: A client with options from the environment.
_CLIENT_ALONE = [sys.executable, "-c", "import time, whence; whence.init(); time.sleep(60)"]


def run_program(
    command: list[str], sink: Sink, canary: str, wait_s: float, watch_s: float
) -> str | None:
    """Run a program, with its events sent to the sink, until the canaries have arrived.

    Then watch it for ``watch_s``, and end it. Return why there is nothing to report, if so.
    """
    import tempfile

    environment = with_preload(FOLDER, WHENCE_DOCTOR=sink.address, WHENCE_DOCTOR_CANARY=canary)
    with tempfile.TemporaryFile() as output:
        try:
            program = subprocess.Popen(  # noqa: S603
                command or _CLIENT_ALONE,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        except OSError as error:
            return f"the program could not start: {error}"
        problem = _await(program, sink, wait_s)
        if problem is None:
            _await_end(program, watch_s)
        program.terminate()
        if not _await_end(program, 5):
            program.kill()
            program.wait()
        if problem is None:
            return None
        output.seek(0)
        text = output.read()[-_OUTPUT_KEPT:].decode(errors="replace")
        return f"{problem}\n{text}".rstrip()


def _await(program: subprocess.Popen[bytes], sink: Sink, wait_s: float) -> str | None:
    until = time.monotonic() + wait_s
    while not sink.planted.wait(_POLL_S):
        code = program.poll()
        if code is not None:
            return f"the program ended ({code}) before the client was ready"
        if time.monotonic() > until:
            return f"init was not called within {wait_s:g} s, or the client is off"
    return None


def _await_end(program: subprocess.Popen[bytes], wait_s: float) -> bool:
    try:
        program.wait(wait_s)
    except subprocess.TimeoutExpired:
        return False
    return True
