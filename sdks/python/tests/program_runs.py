"""The programs of `programs/endings`, each a function, and how one of them ends.

The comment `# arrives: TEXT` names the message of an event that must reach the service or, where
the machine is too slow for the time that an exit may take, be on disk for the next start;
`# keeps: TEXT` one that the next start always sends.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ENDINGS = Path(__file__).parent / "programs" / "endings"
SOURCES = Path(__file__).parents[1] / "src"
COMPILED = str(Path(tempfile.gettempdir()) / "whence-tests-compiled")
ADDRESS = re.compile(r"0x[0-9a-f]+|pid=\d+|\d{4,}|(?<=refcount : )\d+")
_HEADING = re.compile(r"^def ([a-z]\w*)\(\):(?:  # (arrives|keeps): (.*))?$", re.MULTILINE)
_FOUND = [
    (file, heading)
    for file in sorted(ENDINGS.glob("*.py"))
    for heading in _HEADING.findall(file.read_text())
]
#: The name of each program, whether its event `arrives` or the client `keeps` it, and its message.
CASES = [heading for _, heading in _FOUND]
_FILES = {name: file for file, (name, _, _) in _FOUND}
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
        [str(python), str(_FILES[name]), name],
        capture_output=True,
        env=environment,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    texts = [ADDRESS.sub("#", text.decode()) for text in (ended.stdout, ended.stderr)]
    return ended.returncode, *texts


def run_code(code, *arguments, **variables):
    """Return how a program that is given as text ends, with the client to import."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(SOURCES), **variables},
    )
