"""Each way to end, with and without the client: exit code, stdout, and stderr are the same, and the error arrives."""

import json
import sys

import pytest
from program_runs import CASES, NEWER, run


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
