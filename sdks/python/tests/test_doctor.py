"""``python -m whence doctor``: what would leave a program, and whether it would arrive."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[1] / "src"
PROGRAM = """\
import time
import whence

whence.init(api_key="k", service="orders", release="1.4.2", {options})
whence.capture_message("started", attributes={{"userToken": "t0k3n", "size": 3, "author": "me"}})
time.sleep(60)
"""
TIDY = "redact=[*whence.CREDENTIAL_HEADERS, 'userToken']"


@pytest.fixture
def doctor(gateway, tmp_path):
    def examine(*flags, options=TIDY, program=PROGRAM, command=None, **variables):
        (tmp_path / "app.py").write_text(program.format(options=options))
        environment = {name: value for name, value in os.environ.items() if "WHENCE" not in name}
        environment |= {"PYTHONPATH": str(SOURCES), "WHENCE_ENDPOINT": gateway.url}
        environment |= {"WHENCE_SPOOL": str(tmp_path / "spool"), **variables}
        started = [sys.executable, str(tmp_path / "app.py")] if command is None else command
        return subprocess.run(
            [
                sys.executable,
                "-m",
                "whence",
                "doctor",
                *flags,
                *(["--", *started] if started else []),
            ],
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
        )

    return examine


def names(report, channel, *, leaves):
    return [
        fate["name"]
        for fate in report["canaries"]
        if fate["channel"] == channel and fate["leaves"] is leaves
    ]


def test_shows_what_would_leave_a_program_and_what_would_not(doctor):
    ended = doctor("--json", options="redact=['iban']")
    report = json.loads(ended.stdout)
    assert ended.returncode == 1
    assert {"authorization", "cookie"} <= set(names(report, "header", leaves=False))
    assert {"x-api-key", "set-cookie"} <= set(names(report, "header", leaves=True))
    assert {"password", "token"} <= set(names(report, "property", leaves=False))
    assert {"password", "token"} <= set(names(report, "variable", leaves=False))
    assert {"accessToken", "privateKey"} <= set(names(report, "variable", leaves=False))
    assert {"cardNumber", "sessionId"} <= set(names(report, "variable", leaves=True))
    assert names(report, "text", leaves=False) == []
    assert names(report, "url", leaves=True) == ["query of an outgoing request"]
    assert names(report, "process", leaves=True) == []
    assert report["near_misses"] == [{"name": "userToken", "path": "/attributes/userToken"}]


def test_reports_no_problems_for_a_well_configured_program_and_sends_only_an_empty_batch(
    doctor, gateway, tmp_path
):
    ended = doctor()
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "✓ no credential header would leave" in ended.stdout
    assert f"✓ spool: events are kept in {tmp_path}/spool" in ended.stdout
    assert "\x1b[" not in ended.stdout
    assert [(post["headers"]["x-api-key"], post["batch"]["events"]) for post in gateway.posts] == [
        ("k", [])
    ]


def test_sends_one_test_event(doctor, gateway):
    assert doctor("--send").returncode == 0
    [event] = gateway.events()
    assert (event["type"], event["level"], event["mechanism"]["type"]) == ("log", "info", "doctor")


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        ({"status": 401}, "key"),
        ({"status": 500}, "delivery"),
        ({"status": 202, "headers": {"date": "Sat, 21 Nov 2020 10:00:00 GMT"}}, "clock"),
    ],
)
def test_reports_the_failed_check(doctor, gateway, answer, name):
    gateway.answers.append(answer)
    ended = doctor("--json")
    checks = json.loads(ended.stdout)["checks"]
    assert ended.returncode == 1
    assert [check["name"] for check in checks if check["outcome"] != "ok"] == [name]


def test_reports_a_server_that_does_not_respond_and_a_spool_that_is_off(doctor):
    ended = doctor("--json", WHENCE_ENDPOINT="http://127.0.0.1:9", WHENCE_SPOOL="off")
    outcomes = {check["name"]: check["outcome"] for check in json.loads(ended.stdout)["checks"]}
    assert (outcomes["address"], outcomes["delivery"]) == ("ok", "failed")
    assert outcomes["spool"] == "warning"


def test_without_a_command_starts_a_client_with_options_from_the_environment(doctor, gateway):
    ended = doctor("--json", command=[], WHENCE_API_KEY="from-env", WHENCE_SERVICE="shop")
    checks = {check["name"]: check["detail"] for check in json.loads(ended.stdout)["checks"]}
    assert checks["service"] == "shop"
    assert gateway.posts[0]["headers"]["x-api-key"] == "from-env"


@pytest.mark.parametrize(
    ("flags", "command", "said"),
    [
        (["--nonsense"], [], "--nonsense"),
        (["--wait", "soon"], [], "--wait"),
        ([], [sys.executable, "-c", "print('ready')"], "the program ended (0) before the client"),
        ([], ["/no/such/program"], "the program could not start"),
        (
            ["--wait", "1"],
            [sys.executable, "-c", "import time; time.sleep(60)"],
            "init was not called within 1 s, or the client is off",
        ),
    ],
)
def test_says_why_it_could_not_run(doctor, flags, command, said):
    ended = doctor(*flags, command=command)
    assert ended.returncode == 2
    assert said in ended.stderr
