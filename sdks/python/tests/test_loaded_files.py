"""What a scan of the loaded modules does to a program: no harm."""

import os

import pytest
from sent_files import DISK_S, ROUNDS, START, WAIT, send


def test_skips_odd_modules_and_runs_no_code_of_any(program):
    main = """
import importlib.util, sys, types
import orders

class Loud(types.ModuleType):
    def __getattribute__(self, name):
        print("read", name, flush=True)
        raise RuntimeError(name)

class Odd:
    def __getattr__(self, name):
        print("read", name, flush=True)
        raise RuntimeError(name)

class Failing(types.ModuleType):
    @property
    def __file__(self):
        print("read", flush=True)
        raise RuntimeError

def module(name, file):
    made = types.ModuleType(name)
    made.__file__ = file
    return made

spec = importlib.util.find_spec("lazy")
loader = importlib.util.LazyLoader(spec.loader)
spec.loader = loader
lazy = importlib.util.module_from_spec(spec)
loader.exec_module(lazy)
for name, made in {
    "lazy": lazy, "loud": Loud("loud"), "odd": Odd(), "failing": Failing("failing"), "none": None,
    "null": module("null", "a\\0b.py"), "number": module("number", 1),
    "gone": module("gone", "/gone/gone.py"), "long": module("long", "/" + "x" * 100_000 + ".py"),
    "surrogate": module("surrogate", "\\udcff.py"), 7: module("seven", "x.py"),
}.items():
    sys.modules[name] = made
import stock
"""
    process = program.run(
        {
            "app/main.py": f"{main}{START}sys.stdin.readline()\n",
            "app/orders.py": "",
            "app/stock.py": "",
            "app/lazy.py": "print('loaded', flush=True)",
        },
        ["."],
    )
    paths = program.sent()
    assert paths[:3] == ["main.py", "orders.py", "stock.py"]
    assert set(paths) <= {"main.py", "orders.py", "stock.py", "lazy.py"}
    assert process.communicate("\n") == ("", "")


def test_runs_no_code_of_what_stands_for_the_main_module(program):
    main = """
import sys
import orders

class Odd:
    def __getattr__(self, name):
        print("read", name, flush=True)
        return "main.py"

kept, sys.modules["__main__"] = sys.modules["__main__"], Odd()
"""
    process = program.run(
        {"app/main.py": f"{main}{START}sys.stdin.readline()\n", "app/orders.py": ""}, ["."]
    )
    assert program.sent() == ["orders.py"]
    assert process.communicate("\n")[0] == ""


PRECISE = f"from whence._core import limits\nlimits.LATE_WRITE_S = {DISK_S}\n"
CHANGES = {
    "written": lambda file: file.write_text("# changed"),
    "replaced by an older one": lambda file: (
        other := file.with_suffix(".new"),
        other.write_text("# older"),
        os.utime(other, (0, 0)),
        other.replace(file),
    ),
    "touched later": lambda file: os.utime(file, (4_000_000_000, 4_000_000_000)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_sends_no_file_that_changed_since_the_start(program, gateway, change):
    main = f"{PRECISE}import orders, stock\nNAMES = ['rates.json', 'state.json']\n{START}{ROUNDS}"
    names = ("orders.py", "state.json")
    others = {"app/stock.py": "", "app/rates.json": "{}"}
    gateway.answers = [{"status": 202, "body": '{"accepted": 1, "rejected": []}'}]
    process = program.run(
        {"app/main.py": main, **others, **dict.fromkeys([f"app/{name}" for name in names], "{}")},
        ["."],
    )
    gateway.wait_until(lambda: gateway.batches)
    for name in names:
        program.change(f"app/{name}", CHANGES[change])
    send(process)
    assert sorted(program.sent()) == ["main.py", "rates.json", "stock.py"]


def test_knows_a_change_that_came_before_the_client(program):
    main = "import orders, sys\nprint('runs', flush=True)\nsys.stdin.readline()\n"
    process = program.run(
        {"app/main.py": f"{main}{PRECISE}{START}{WAIT}", "app/orders.py": ""}, ["."]
    )
    assert process.stdout.readline() == "runs\n"
    program.change("app/orders.py", CHANGES["written"])
    send(process)
    assert program.sent() == ["main.py"]


@pytest.mark.parametrize("more", [0, 1])
def test_looks_at_a_bounded_number_of_modules(program, more):
    setting = f"""
import sys
import orders
from whence._core import limits
limits.SCANNED_MODULES_MAX = list(sys.modules).index("orders") + {more}
"""
    program.run({"app/main.py": f"{setting}{START}{WAIT}", "app/orders.py": ""}, ["."])
    assert program.sent() == ["main.py", "orders.py"][: 1 + more]


@pytest.mark.parametrize("places", [1, 2])
def test_looks_for_data_at_a_bounded_number_of_places(program, places):
    main = f"""
NAMES = ["first.json", "second.json"]
from whence._core import limits
limits.NAMED_PLACES_MAX = {places}
{START}{WAIT}"""
    files = {"app/main.py": main, "app/first.json": "{}", "app/second.json": "{}"}
    program.run(files, ["."])
    assert program.sent() == ["main.py", "first.json", "second.json"][: 1 + places]


def test_follows_the_links_of_a_folder_once_and_gives_the_program_its_turns(program):
    names = [f"module_{index}" for index in range(200)]
    count = f"""
import os.path, time
followed, turns, follow, sleep = [], [], os.path.realpath, time.sleep
os.path.realpath = lambda *each, **more: followed.append(each) or follow(*each, **more)
time.sleep = lambda seconds: turns.append(seconds) or sleep(seconds)
import {", ".join(names)}
"""
    print_counts = "sys.stdin.readline()\nprint(len(followed) < 50, len(turns) >= 60, set(turns))\n"
    process = program.run(
        {
            "app/main.py": f"{count}{START}{print_counts}",
            **{f"app/{name}.py": "" for name in names},
        },
        ["."],
    )
    assert len(program.sent()) == 60
    assert process.communicate("\n")[0] == "True True {0}\n"
