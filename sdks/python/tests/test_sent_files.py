"""Which files a program sends when the service asks for some."""

import hashlib
import os
import sys

import pytest
from sent_files import ASKS_AT_ONCE, ROUNDS, START, WAIT, send

from whence._core import limits
from whence._process.program import program_roots


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
    (tmp_path / "app" / "linked").symlink_to(tmp_path / "library")
    main = """
import sys
sys.path += ["../library", ".hidden", "env/lib", "vendor/site-packages", "linked"]
import elsewhere, hidden, linked, installed, packaged, in_link
NAMES = [".env.json", "../outside.json", "/etc/hosts.json", "links/outside.json", "data.json",
    "links/inside.json", "env/lib/data.json"]
"""
    program.run(
        {
            "outside.py": "",
            "outside.json": "{}",
            "library/elsewhere.py": "",
            "library/in_link.py": "",
            "app/main.py": f"{main}{START}{WAIT}",
            "app/.hidden/hidden.py": "",
            "app/.env.json": "{}",
            "app/env/pyvenv.cfg": "",
            "app/env/lib/installed.py": "",
            "app/env/lib/data.json": "{}",
            "app/vendor/site-packages/packaged.py": "",
            "app/data.json": "{}",
            "app/unloaded.py": "",
            "app/unnamed.json": "{}",
        },
        [
            *("app/main.py", "app/unloaded.py", "app/unnamed.json", "app/.hidden/hidden.py"),
            *("app/linked.py", "app/env/lib/installed.py", "/etc/passwd"),
            *(str(tmp_path / "library/elsewhere.py"), os.__file__),
        ],
    )
    assert sorted(program.sent()) == ["data.json", "links/inside.json", "main.py"]


#: Of an upload, too, these stay where they are.
CREDENTIALS = (
    *("secrets.yaml", "secret.json", "credentials.json", "credentials-test.toml", "passwd.yml"),
    *("db-password.json", "private_key.json", "service-account.json", "token.json"),
    *("kubeconfig.yaml", "secrets/all.json", "secret/all.json", "credentials/all.json"),
    *(".env", ".env.json", ".env.production", "key.pem"),
)


def test_sends_no_data_that_is_named_after_credentials(program):
    named = (*CREDENTIALS, "data.json", "secretary/all.json")
    main = f"NAMES = {[*named]}\n{START}{WAIT}"
    files = {f"app/{name}": "{}" for name in named}
    program.run({**files, "app/main.py": main}, ["app/main.py", *files])
    assert sorted(program.sent()) == ["data.json", "main.py", "secretary/all.json"]


@pytest.mark.parametrize(
    ("name", "is_sent"),
    [
        *(("main.py", True), ("bin/serve", True), ("credentials", False), ("key.pem", False)),
        *(("secrets.yaml", False), ("data.json", True), (".env", False), ("bin/api-token", False)),
    ],
)
def test_sends_a_main_file_unless_it_is_named_after_credentials(program, name, is_sent):
    main = f"import sys\nsys.path.insert(0, '.')\nimport orders\n{START}{WAIT}"
    program.run({f"app/{name}": main, "app/orders.py": ""}, [".", "app/orders.py"], name)
    assert sorted(program.sent()) == sorted([name, "orders.py"] if is_sent else ["orders.py"])


def test_sends_none_when_none_of_those_asked_for_is_the_programs(program, gateway):
    process = program.run(
        {"app/main.py": f"{ASKS_AT_ONCE}{START}{ROUNDS}", "app/other.py": ""},
        ["/etc/passwd", "app/other.py"],
    )
    # It sends before it asks.
    program.asked(2)
    send(process)
    program.asked(4)
    assert gateway.files == []
    gateway.wanted = ["."]
    send(process)
    assert program.sent() == ["main.py"]


@pytest.mark.parametrize("count", [limits.SENT_FILES_MAX, limits.SENT_FILES_MAX + 1])
def test_sends_60_files_at_most(program, count):
    names = [f"module_{index}" for index in range(count - 1)]
    files = {f"app/{name}.py": "# x\n" for name in names}
    program.run({**files, "app/main.py": f"import {', '.join(names)}\n{START}{WAIT}"}, ["."])
    paths = program.sent()
    assert len(paths) == 60
    assert set(paths) <= {"main.py", *(f"{name}.py" for name in names)}


@pytest.mark.parametrize(("size", "is_sent"), [(262_144, True), (262_145, False)])
@pytest.mark.parametrize("character", ["#", "é"])
def test_sends_files_of_256_kib_at_most(program, size, is_sent, character):
    width = len(character.encode())
    text = "#" * (1 + (size - 1) % width) + character * ((size - 1) // width)
    assert len(text.encode()) == size
    files = {"app/large.py": text, "app/main.py": f"import large\n{START}{WAIT}"}
    program.run(files, ["app/main.py"])
    assert program.sent() == ["main.py", *(["large.py"] if is_sent else [])]


@pytest.mark.parametrize(("size", "is_sent"), [(2_097_152, True), (2_097_153, False)])
def test_sends_2_mib_at_most(program, gateway, size, is_sent):
    main = f"import a, b, c, d, e, f, g, h\n{START}{WAIT}"
    rest = size - 7 * 262_144 - len(main)
    files = {f"app/{name}.py": "#" * 262_144 for name in "abcdefg"}
    program.run({**files, "app/h.py": "#" * rest, "app/main.py": main}, ["app/main.py"])
    paths = program.sent()
    assert ("h.py" in paths) == is_sent
    assert len(paths) == (9 if is_sent else 8)


def test_reads_a_text_that_is_almost_an_import(program):
    odd = f'"""\nfrom{" " * 250_000}"""\n'
    program.run({"app/main.py": f"import odd\n{START}{WAIT}", "app/odd.py": odd}, ["app/odd.py"])
    assert program.sent() == ["odd.py", "main.py"]


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


NO_REAL_ROOT = """
import os.path
is_file = os.path.isfile
os.path.isfile = lambda path: path == "/pyproject.toml" or is_file(path)
"""
FOLDERS = {
    "the nearest with a manifest": (["app/pyproject.toml", "pyproject.toml"], "src/main.py"),
    "the topmost of a checkout": (
        ["app/src/setup.py", "app/pyproject.toml", "app/.git/HEAD", "pyproject.toml"],
        "src/main.py",
    ),
    "the topmost of a checkout with several": (
        ["app/src/setup.py", "app/pyproject.toml", "pyproject.toml", ".git/HEAD"],
        "app/src/main.py",
    ),
    "its own without a manifest": (["app/.git/HEAD"], "main.py"),
}


@pytest.mark.parametrize("which", FOLDERS)
def test_takes_a_programs_folder(program, which):
    others, path = FOLDERS[which]
    main = f"{NO_REAL_ROOT}os.chdir('/')\n{START}{WAIT}"
    program.run({"app/src/main.py": main, **dict.fromkeys(others, "")}, ["."], "src/main.py")
    assert program.sent() == [path]


@pytest.mark.parametrize(
    ("home", "path"), [("app/src", None), ("app", "main.py"), (".", "src/main.py")]
)
def test_never_takes_the_home_folder(program, gateway, tmp_path, home, path):
    manifests = dict.fromkeys(["app/pyproject.toml", "pyproject.toml"], "")
    main = f"{ASKS_AT_ONCE}import os\nos.chdir('/')\n{START}{WAIT}"
    program.run(
        {"app/src/main.py": main, **manifests},
        ["."],
        "src/main.py",
        HOME=str(tmp_path / home),
    )
    if path is None:
        program.asked(2)
        assert gateway.files == []
    else:
        assert program.sent() == [path]


@pytest.mark.parametrize(
    ("home", "manifest", "roots"),
    [
        ("/app", "/app/requirements.txt", ["/app"]),
        ("/app", "/app/src/requirements.txt", []),
        ("/app", "/requirements.txt", []),
        ("/root", "/root/requirements.txt", []),
        ("/home/someone", "/home/someone/requirements.txt", []),
        ("/", "/requirements.txt", []),
    ],
)
def test_takes_a_home_folder_only_of_a_program_in_a_container(monkeypatch, home, manifest, roots):
    monkeypatch.setenv("HOME", home)
    monkeypatch.setattr("os.getcwd", lambda: home)
    monkeypatch.setattr("os.path.isfile", lambda path: path == manifest)
    monkeypatch.setattr("os.path.realpath", os.path.abspath)
    monkeypatch.setattr("os.path.exists", lambda path: False)
    monkeypatch.setitem(sys.modules, "__main__", None)
    assert program_roots() == roots
