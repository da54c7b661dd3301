"""``python -m whence run``: the program runs as without it, with a client."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[1] / "src"

PROGRAM = """\
import sys

print(sys.argv[1:], __name__, sys.path[0], "sitecustomize" in sys.modules)
sys.stdout.flush()


def fail():
    raise LookupError("no stock")


if len(sys.argv) == 1:
    fail()
sys.exit(int(sys.argv[1]))
"""
SPAWNS = """\
import multiprocessing


def fail():
    raise LookupError("no stock in the child")


if __name__ == "__main__":
    child = multiprocessing.get_context("spawn").Process(target=fail)
    child.start()
    child.join()
"""


@pytest.fixture
def run(gateway, tmp_path):
    (tmp_path / "app.py").write_text(PROGRAM)
    (tmp_path / "spawns.py").write_text(SPAWNS)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "__main__.py").write_text(PROGRAM)
    (tmp_path / "script").write_text(f"#!{sys.executable}\n{PROGRAM}")
    (tmp_path / "script").chmod(0o755)

    def started(*arguments, **variables):
        environment = {name: value for name, value in os.environ.items() if "WHENCE" not in name}
        environment["PYTHONPATH"] = os.pathsep.join([str(tmp_path / "first"), str(SOURCES)])
        return subprocess.run(
            arguments,
            cwd=tmp_path,
            env={
                **environment,
                "WHENCE_API_KEY": "k",
                "WHENCE_ENDPOINT": gateway.url,
                "WHENCE_SPOOL": "off",
                **variables,
            },
            capture_output=True,
            text=True,
            timeout=60,
        )

    return started


def outcome(ended):
    customized = ended.stdout.replace("True", "False")
    return ended.returncode, customized, ended.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        *(["app.py"], ["app.py", "7", "--flag"], ["folder"], ["-m", "app"], ["-O", "app.py"]),
        ["-c", "import sys; print(sys.argv); 1 / 0"],
    ],
    ids=" ".join,
)
def test_runs_a_program_as_python_does_and_reports_its_error(run, gateway, arguments):
    alone = run(sys.executable, *arguments)
    watched = run(sys.executable, "-m", "whence", "run", *arguments)
    assert outcome(watched) == outcome(alone)
    failed = alone.stderr.splitlines()[-1:]
    messages = [event["message"] for event in gateway.events("exception")]
    assert messages == [line.partition(": ")[2] for line in failed]


def test_runs_a_command(run, gateway):
    assert outcome(run(sys.executable, "-m", "whence", "run", "./script")) == outcome(
        run("./script")
    )
    assert [event["message"] for event in gateway.events("exception")] == ["no stock"]


def test_passes_on_the_flags_of_the_interpreter(run):
    ended = run(sys.executable, "-O", "-m", "whence", "run", "-c", "print(__debug__)")
    assert ended.stdout == "False\n"


def test_starts_a_client_in_the_processes_that_the_program_starts(run, gateway):
    ended = run(sys.executable, "-m", "whence", "run", "spawns.py")
    assert ended.returncode == 0
    assert [event["message"] for event in gateway.events("exception")] == ["no stock in the child"]


def test_runs_the_sitecustomize_of_the_program(run, tmp_path):
    (tmp_path / "first").mkdir()
    (tmp_path / "first" / "sitecustomize.py").write_text("print('own', __file__)\n")
    ended = run(sys.executable, "-m", "whence", "run", "app.py", "0")
    own = f"own {tmp_path}/first/sitecustomize.py"
    assert ended.stdout.splitlines()[-2] == own


def test_adopts_the_options_of_the_program(run, gateway):
    code = """\
import whence
whence.init(service="orders", release="2.0", redact=["iban"], spool="/tmp", ignore_errors=["gone"])
whence.capture_exception(KeyError("gone"))
whence.capture_message("kept", attributes={"iban": "1"})
"""
    ended = run(sys.executable, "-m", "whence", "run", "-c", code)
    assert "init was called before, so spool can't change" in ended.stderr
    [event] = gateway.events("log")
    assert (event["message"], event["attributes"]) == ("kept", {"iban": "[redacted]"})
    assert not gateway.events("exception")
    assert {(batch["service"], batch["release"]) for batch in gateway.batches} == {
        ("orders", "2.0")
    }


def test_turns_off_when_the_program_says_so(run, gateway):
    code = "import whence; whence.init(enabled=False); whence.capture_message('no'); 1 / 0"
    assert run(sys.executable, "-m", "whence", "run", "-c", code).returncode == 1
    assert not gateway.events("exception", "log")


@pytest.mark.parametrize(
    ("arguments", "said", "code"),
    [
        ([], "python -m whence run", 2),
        (["--help"], "WHENCE_API_KEY", 0),
        (["nonsense"], "nonsense is neither a file nor a command", 2),
    ],
)
def test_says_how_it_is_used(run, arguments, said, code):
    ended = run(sys.executable, "-m", "whence", "run", *arguments)
    assert ended.returncode == code
    assert said in ended.stdout + ended.stderr


def test_refuses_an_interpreter_that_ignores_the_environment(run):
    path = f"import sys; sys.path.insert(0, {str(SOURCES)!r})"
    code = f"{path}; from whence.__main__ import main; sys.exit(main(['run', 'app.py']))"
    ended = run(sys.executable, "-I", "-c", code)
    assert (ended.returncode, "leave them out" in ended.stderr) == (2, True)
