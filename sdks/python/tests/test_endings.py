"""Each way to end, with and without the client: exit code, stdout, and stderr are the same, and the error arrives."""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "programs" / "endings.py"
SOURCES = Path(__file__).parents[1] / "src"
COMPILED = str(Path(tempfile.gettempdir()) / "whence-tests-compiled")
ADDRESS = re.compile(r"0x[0-9a-f]+|pid=\d+|\d{4,}|(?<=refcount : )\d+")
CASES = re.findall(
    r"^def ([a-z]\w*)\(\):(?:  # (arrives|keeps): (.*))?$", PROGRAM.read_text(), re.MULTILINE
)
NEWER = {"asyncio_group": (3, 11)}


def run(name, variables):
    environment = {name: value for name, value in os.environ.items() if "WHENCE" not in name}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment |= {"PYTHONPATH": str(SOURCES), "PYTHONPYCACHEPREFIX": COMPILED, **variables}
    ended = subprocess.run(
        [sys.executable, str(PROGRAM), name],
        capture_output=True,
        env=environment,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    texts = [ADDRESS.sub("#", text.decode()) for text in (ended.stdout, ended.stderr)]
    return ended.returncode, *texts


@pytest.mark.parametrize(
    ("name", "where", "text"), [pytest.param(*case, id=case[0]) for case in CASES]
)
def test_ends_as_without_the_client(name, where, text, gateway, tmp_path):
    if sys.version_info < NEWER.get(name, (3,)):
        return
    variables = {
        "WHENCE_API_KEY": "k",
        "WHENCE_ENDPOINT": gateway.url,
        "WHENCE_SPOOL": str(tmp_path),
    }
    assert run(name, variables) == run(name, {})
    if where == "":
        return
    kept = [
        json.loads(line)
        for file in tmp_path.glob("*/*.pyspool")
        for line in file.read_text().splitlines()
    ]
    sent = gateway.events("exception", "log") if where == "arrives" else []
    messages = [event.get("message", "") for event in [*sent, *kept]]
    assert any(message.startswith(text) for message in messages), messages


def test_has_at_least_forty_programs():
    assert len(CASES) >= 40
