"""The files that the service asks for, which a program sends."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from whence._core import limits

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


class Program:
    """A program in `app`, whose first batches are answered with the files that are wanted."""

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
        return process

    def sent(self, requests=1):
        """Wait for requests with files; return the paths of the last one's, in its order."""
        self._gateway.wait_until(lambda: len(self._gateway.files) >= requests)
        return [file["path"] for file in self._gateway.files[requests - 1]["files"]]

    def asked(self, batches=2):
        """Wait until the program has asked for files, after it has handled the first answer."""
        self._gateway.wait_until(lambda: len(self._gateway.posts) >= batches)

    def close(self):
        for process in self._processes:
            process.kill()
            process.communicate()


@pytest.fixture
def program(tmp_path, gateway):
    started = Program(tmp_path, gateway)
    yield started
    started.close()


def test_sends_those_asked_for_then_those_they_name_then_the_others(program, gateway):
    orders = """import json
import os
from pathlib import Path

from .prices import price_of
from . import (
    stock,
)
RATES = json.loads((Path(__file__).parent.parent / "config" / "rates.json").read_text())
LIMITS = open("config/limits.yaml").read()
NAMES = ["first.sql", "./second.sql", os.path.join("..", "config", "third.toml")]
"""
    program.run(
        {
            "app/main.py": f"import shop.orders\nimport helpers\n{START}{WAIT}",
            "app/helpers.py": "",
            "app/shop/__init__.py": "NAME = 'shop'\n",
            "app/shop/orders.py": orders,
            "app/shop/prices.py": "from shop import taxes\n\ndef price_of(sku): ...\n",
            "app/shop/stock.py": "",
            "app/shop/taxes.py": "",
            "app/shop/unused.py": "",
            "app/config/rates.json": "{}",
            "app/config/limits.yaml": "a: 1",
            "app/shop/first.sql": "select 1",
            "app/shop/second.sql": "select 2",
            "app/config/third.toml": "",
            "app/config/unused.json": "{}",
        },
        ["app/shop/orders.py"],
    )
    paths = program.sent()
    near = {
        *("shop/prices.py", "shop/stock.py", "shop/first.sql", "shop/second.sql"),
        *("config/rates.json", "config/limits.yaml", "config/third.toml"),
    }
    assert paths[0] == "shop/orders.py"
    assert set(paths[1:]) >= near
    assert paths.index("shop/taxes.py") < paths.index("main.py")
    assert max(map(paths.index, near)) < paths.index("shop/taxes.py")
    assert sorted(paths) == sorted(
        {*near, "main.py", "helpers.py", "shop/__init__.py", "shop/orders.py", "shop/taxes.py"}
    )
    [request] = gateway.files
    assert (request["service"], request["release"]) == ("shop", "1")
    digest = hashlib.sha256(orders.encode()).hexdigest()
    assert request["files"][0] == {"path": "shop/orders.py", "sha256": digest, "content": orders}


def test_refuses_what_is_not_the_programs(program, tmp_path):
    (tmp_path / "app" / "links").mkdir(parents=True)
    (tmp_path / "app" / "linked.py").symlink_to(tmp_path / "outside.py")
    (tmp_path / "app" / "links" / "outside.json").symlink_to(tmp_path / "outside.json")
    (tmp_path / "app" / "links" / "inside.json").symlink_to(tmp_path / "app" / "data.json")
    main = """
import sys
sys.path += ["../library", ".hidden", "env/lib", "vendor/site-packages"]
import elsewhere, hidden, linked, installed, packaged
NAMES = [".env.json", "../outside.json", "/etc/hosts.json", "links/outside.json", "data.json",
    "links/inside.json", "service-account.json", "secrets/all.json", "env/lib/data.json", "key.pem"]
"""
    program.run(
        {
            "outside.py": "",
            "outside.json": "{}",
            "library/elsewhere.py": "",
            "app/main.py": f"{main}{START}{WAIT}",
            "app/.hidden/hidden.py": "",
            "app/.env.json": "{}",
            "app/env/pyvenv.cfg": "",
            "app/env/lib/installed.py": "",
            "app/env/lib/data.json": "{}",
            "app/vendor/site-packages/packaged.py": "",
            "app/data.json": "{}",
            "app/service-account.json": "{}",
            "app/secrets/all.json": "{}",
            "app/key.pem": "key",
            "app/unloaded.py": "",
            "app/unnamed.json": "{}",
        },
        [
            *("app/main.py", "app/unloaded.py", "app/unnamed.json", "app/.hidden/hidden.py"),
            *("app/linked.py", "app/env/lib/installed.py", "app/secrets/all.json", "/etc/passwd"),
            *(str(tmp_path / "library/elsewhere.py"), os.__file__),
        ],
    )
    assert sorted(program.sent()) == ["data.json", "links/inside.json", "main.py"]


def test_sends_none_when_none_of_those_asked_for_is_the_programs(program, gateway):
    program.run(
        {"app/main.py": f"{START}{WAIT}", "app/other.py": ""}, ["/etc/passwd", "app/other.py"]
    )
    program.asked()
    assert gateway.files == []


def test_sends_60_files_at_most_of_256_kib_each(program):
    names = [f"module_{index}" for index in range(70)]
    files = {f"app/{name}.py": "# x\n" for name in names}
    files["app/module_0.py"] = "#" * (limits.SENT_FILE_BYTES_MAX + 1)
    files["app/module_1.py"] = "#" * limits.SENT_FILE_BYTES_MAX
    program.run({**files, "app/main.py": f"import {', '.join(names)}\n{START}{WAIT}"}, ["."])
    paths = program.sent()
    assert len(paths) == limits.SENT_FILES_MAX
    assert "module_1.py" in paths
    assert "module_0.py" not in paths


def test_reads_a_text_that_is_almost_an_import(program):
    odd = f'"""\nfrom{" " * 250_000}"""\n'
    program.run({"app/main.py": f"import odd\n{START}{WAIT}", "app/odd.py": odd}, ["app/odd.py"])
    assert program.sent() == ["odd.py", "main.py"]


def test_sends_2_mb_at_most(program, gateway):
    names = [f"module_{index}" for index in range(9)]
    files = {f"app/{name}.py": "#" * limits.SENT_FILE_BYTES_MAX for name in names}
    program.run({**files, "app/main.py": f"import {', '.join(names)}\n{START}{WAIT}"}, ["."])
    program.sent()
    size = sum(len(file["content"]) for file in gateway.files[0]["files"])
    assert limits.SENT_BYTES_MAX - limits.SENT_FILE_BYTES_MAX < size <= limits.SENT_BYTES_MAX


def test_sends_them_once_and_again_what_did_not_arrive(program, gateway):
    gateway.file_answers = [503]
    program.run({"app/main.py": f"{START}{WAIT}"}, ["."])
    program.asked(3)
    assert [[file["path"] for file in each["files"]] for each in gateway.files] == [["main.py"]] * 2


def test_asks_again_when_the_investigation_has_begun(program, gateway):
    nothing = '{"accepted": 1, "rejected": [], "wanted_files": []}'
    gateway.answers = [{"status": 202, "body": nothing}]
    program.run({"app/main.py": f"{START}{WAIT}"}, ["app/main.py"])
    assert program.sent() == ["main.py"]
    assert [len(batch["events"]) > 0 for batch in gateway.batches] == [True, False]


def test_does_not_ask_a_service_that_takes_no_files(program, gateway):
    answer = '{"accepted": 1, "rejected": []}'
    gateway.answers = [{"status": 202, "body": answer}] * 2
    program.run({"app/main.py": f"{START}whence.capture_message('x')\nwhence.flush()"}, ["."])
    program.asked()
    assert gateway.files == []


def test_takes_modules_of_a_program_that_a_tool_starts(program):
    application = f"from shop import orders\nimport stock\n{START}{WAIT}"
    program.run(
        {"app/application.py": application, "app/shop/orders.py": "", "app/stock.py": ""},
        ["."],
        *("-m", "unittest", "application"),
    )
    assert program.sent() == ["application.py", "shop/orders.py", "stock.py"]


def test_finds_the_folder_of_a_program_that_runs_elsewhere(program):
    program.run(
        {
            "app/pyproject.toml": "",
            "app/src/main.py": f"import os\nos.chdir('/')\nimport orders\n{START}{WAIT}",
            "app/src/orders.py": "NAME = 'data/stock.json'",
            "app/data/stock.json": "{}",
        },
        ["app/src/orders.py"],
        "src/main.py",
    )
    assert program.sent() == ["src/orders.py", "data/stock.json", "src/main.py"]


def test_runs_no_code_of_modules(program):
    main = """
import sys, types

class Lazy(types.ModuleType):
    def __getattribute__(self, name):
        print("read", name, flush=True)
        return super().__getattribute__(name)

class Odd:
    def __getattr__(self, name):
        print("read", name, flush=True)
        raise AttributeError(name)

sys.modules["lazy"] = Lazy("lazy")
sys.modules["odd"] = Odd()
"""
    process = program.run({"app/main.py": f"{main}{START}{WAIT}"}, ["."])
    assert program.sent() == ["main.py"]
    assert process.communicate()[0] == ""


def test_sends_no_file_that_changed_since_the_start(program):
    change = """
import os, time
import orders
for name in ("orders.py", "state.json"):
    os.utime(name, (time.time() + 60, time.time() + 60))
"""
    program.run(
        {
            "app/main.py": f"{change}{START}{WAIT}",
            "app/orders.py": "",
            "app/state.json": "{}",
        },
        ["app/main.py"],
    )
    assert program.sent() == ["main.py"]


@pytest.mark.parametrize("source", ["functions", "none"])
def test_sends_none_when_the_option_forbids_it(program, gateway, source):
    main = f"{START}whence.capture_message('x')\nwhence.flush()\n"
    process = program.run({"app/main.py": main}, ["."], WHENCE_SOURCE=source)
    assert process.wait(30) == 0
    assert len(gateway.batches) > 1
    assert gateway.files == []


ENDS = {
    "in order": ("", 0),
    "by an error": ("raise ValueError('the end')\n", 1),
}


@pytest.mark.parametrize("end", ENDS)
def test_does_not_hold_up_the_end_of_the_program(program, gateway, end):
    code, status = ENDS[end]
    gateway.answers_files.clear()
    process = program.run({"app/main.py": f"{START}{WAIT}{code}"}, ["."])
    program.sent()
    process.stdin.close()
    process.stdin = None
    assert process.wait(30) == status
    gateway.wait_until(lambda: gateway.events("exit"))
    messages = [event["message"] for event in gateway.events("exception")]
    assert messages == ["boom", "the end"][: 1 + status]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_forks_while_files_are_sent_and_the_child_sends_its_own(program, gateway):
    gateway.answers_files.clear()
    forks = """
import os
sys.stdin.readline()
pid = os.fork()
whence.capture_message("x")
whence.flush()
print("child" if pid == 0 else "parent", flush=True)
"""
    process = program.run({"app/main.py": f"{START}{forks}{WAIT}"}, ["."])
    program.sent()
    process.stdin.write("\n")
    process.stdin.flush()
    names = {process.stdout.readline().strip() for _ in range(2)}
    assert names == {"child", "parent"}
    gateway.answers_files.set()
    program.sent(3)
    assert {file["path"] for each in gateway.files for file in each["files"]} == {"main.py"}
    assert len({batch["instance"] for batch in gateway.batches}) == 2
