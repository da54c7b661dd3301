"""The programs of `programs/endings.py`, and how one of them ends."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = Path(__file__).parent / "programs" / "endings.py"
SOURCES = Path(__file__).parents[1] / "src"
COMPILED = str(Path(tempfile.gettempdir()) / "whence-tests-compiled")
ADDRESS = re.compile(r"0x[0-9a-f]+|pid=\d+|\d{4,}|(?<=refcount : )\d+")
#: The name of each program, whether its event `arrives` or the client `keeps` it, and its message.
CASES = re.findall(
    r"^def ([a-z]\w*)\(\):(?:  # (arrives|keeps): (.*))?$", PROGRAM.read_text(), re.MULTILINE
)
NEWER = {"asyncio_group": (3, 11)}


def run(name, variables, python=sys.executable):
    """Return the exit code, stdout, and stderr of a program, without what differs in each run."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if "WHENCE" not in name and "SENTRY" not in name
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment |= {"PYTHONPATH": str(SOURCES), "PYTHONPYCACHEPREFIX": COMPILED, **variables}
    ended = subprocess.run(
        [str(python), str(PROGRAM), name],
        capture_output=True,
        env=environment,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    texts = [ADDRESS.sub("#", text.decode()) for text in (ended.stdout, ended.stderr)]
    return ended.returncode, *texts
