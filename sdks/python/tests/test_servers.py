"""Real servers with their workers: an error in a request arrives, and the server goes on and ends as before.

A server that isn't installed is skipped: CI installs all but uWSGI, which is compiled. docs/sdk/python/frameworks.md
says which versions the others were tested with.
"""

import importlib.util
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "programs"
SOURCES = Path(__file__).parents[1] / "src"
UWSGI = Path(sys.executable).parent / "uwsgi"
DEADLINE_S = 60
GUNICORN = [sys.executable, "-m", "gunicorn", "--workers", "2", "--bind", "127.0.0.1:{port}"]
UVICORN = [sys.executable, "-m", "uvicorn", "--port", "{port}", "served:asgi"]
UWSGI_COMMAND = [
    *(str(UWSGI), "--http-socket", "127.0.0.1:{port}", "--processes", "1"),
    *("--die-on-term", "--need-app", "--module", "served:wsgi"),
]
UWSGI_FORKING = [*UWSGI_COMMAND, "--master"]
#: The package that a server needs, and its command.
SERVERS = {
    "gunicorn sync": ("gunicorn", [*GUNICORN, "served:wsgi"]),
    "gunicorn sync, preloaded": ("gunicorn", [*GUNICORN, "--preload", "served:wsgi"]),
    "gunicorn gthread, preloaded": (
        "gunicorn",
        [*GUNICORN, "--preload", "--worker-class=gthread", "--threads=4", "served:wsgi"],
    ),
    "gunicorn gevent": ("gevent", [*GUNICORN, "--worker-class=gevent", "served:wsgi"]),
    "gunicorn gevent, preloaded": (
        "gevent",
        [*GUNICORN, "--preload", "--worker-class=gevent", "served:wsgi"],
    ),
    "uvicorn": ("uvicorn", UVICORN),
    "uvicorn, 2 workers": ("uvicorn", [*UVICORN, "--workers", "2"]),
    "uWSGI with threads, lazy": ("uwsgi", [*UWSGI_FORKING, "--threads", "2", "--lazy-apps"]),
    "uWSGI with threads": ("uwsgi", [*UWSGI_FORKING, "--threads", "2"]),
    "uWSGI without threads, lazy": ("uwsgi", [*UWSGI_FORKING, "--lazy-apps"]),
    "uWSGI without threads": ("uwsgi", UWSGI_FORKING),
    "uWSGI without a master": ("uwsgi", UWSGI_COMMAND),
}


def is_installed(package):
    return UWSGI.exists() if package == "uwsgi" else bool(importlib.util.find_spec(package))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(url):
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, ""
    except OSError:
        return 0, ""


def until(holds):
    end = time.monotonic() + DEADLINE_S
    while not (found := holds()) and time.monotonic() < end:
        time.sleep(0.05)
    return found


def start(command, variables, output):
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if "WHENCE" not in name}
    environment |= {"PYTHONPATH": os.pathsep.join([str(SOURCES), str(PROGRAMS)]), **variables}
    server = subprocess.Popen(
        [part.format(port=port) for part in command],
        cwd=PROGRAMS,
        env=environment,
        stdout=output,
        stderr=output,
        start_new_session=True,
    )
    return server, f"http://127.0.0.1:{port}"


def end(server):
    server.send_signal(signal.SIGTERM)
    try:
        return server.wait(DEADLINE_S)
    except subprocess.TimeoutExpired:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
        return "killed"


@pytest.mark.parametrize("name", SERVERS)
def test_reports_an_error_of_each_worker_and_ends_as_before(name, gateway, tmp_path):
    package, command = SERVERS[name]
    if not is_installed(package):
        pytest.skip(f"{package} isn't installed")
    log = tmp_path / "log"
    with log.open("w") as output:
        alone, url = start(command, {}, output)
        answers = until(lambda: ask(f"{url}/ok")[0] == 200)
        code = end(alone)
        assert answers, log.read_text()

        variables = {
            "WHENCE_API_KEY": "k",
            "WHENCE_ENDPOINT": gateway.url,
            "WHENCE_SPOOL": str(tmp_path / "spool"),
        }
        server, url = start(command, variables, output)
        try:
            assert until(lambda: ask(f"{url}/ok")[0] == 200), log.read_text()
            assert ask(f"{url}/missing")[0] in (0, 500)
            arrived = until(lambda: gateway.events("exception"))
            assert arrived, log.read_text()
            assert arrived[0]["message"].startswith("no page /missing in ")
            assert arrived[0]["request"]["path"] == "/missing"
            failed = int(arrived[0]["message"].rpartition(" ")[2])
            os.kill(failed, 0)
            statuses = {ask(f"{url}/ok")[0] for _ in range(20)}
            assert statuses == {200}, log.read_text()
        finally:
            ended = end(server)
    assert ended == code, log.read_text()


INTERPRETER = """\
import sys
sys.path[:0] = {path!r}
import whence
whence.init(api_key="k", endpoint={url!r}, spool=False)
try:
    raise LookupError("in a subinterpreter")
except LookupError:
    whence.capture_exception()
assert whence.close(5)
"""


@pytest.mark.skipif(sys.version_info < (3, 13), reason="importing ssl in one ends Python 3.12.1")
def test_works_in_a_subinterpreter(gateway):
    code = INTERPRETER.format(path=[str(SOURCES)], url=gateway.url)
    program = f"""\
import _interpreters as interpreters
interpreter = interpreters.create()
failed = interpreters.exec(interpreter, {code!r})
assert failed is None, failed
interpreters.destroy(interpreter)
print("after")
"""
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "after\n", "")
    assert [event["message"] for event in gateway.events("exception")] == ["in a subinterpreter"]
