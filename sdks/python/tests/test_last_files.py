"""The files that a program sends when it ends."""

import pytest
from sent_files import NO_TIMEOUT, START, send

ENDS = {
    "in order": ("", 0),
    "by an error": ("raise ValueError('the end')\n", 1),
}
#: Only what arrives ends the wait at the program's end.
PATIENT = f"{NO_TIMEOUT}limits.EXIT_WAIT_S = limits.CRASH_WAIT_S = limits.FORK_WAIT_S = 3600\n"


@pytest.mark.parametrize("end", ENDS)
def test_sends_the_last_events_before_files_at_the_end_of_the_program(program, silent, end):
    code, status = ENDS[end]
    main = f"{PATIENT}{START}sys.stdin.readline()\n{code}"
    process = program.run({"app/main.py": main}, ["."])
    program.sent()
    send(process)
    silent.wait_until(lambda: silent.events("exit"))
    messages = [event["message"] for event in silent.events("exception")]
    assert messages == ["boom", "the end"][: 1 + status]
    silent.answers_files.set()
    assert process.wait(30) == status


def test_watches_no_more_while_it_sends_the_last_files(program, silent):
    before = "import logging, threading\nunwatched = logging.Logger.callHandlers\n"
    meanwhile = """
threading.Thread(target=whence.close, args=(3600,)).start()
sys.stdin.readline()
print(logging.Logger.callHandlers is unwatched, flush=True)
sys.stdin.readline()
"""
    process = program.run({"app/main.py": f"{before}{PATIENT}{START}{meanwhile}"}, ["."])
    program.sent()
    silent.wait_until(lambda: silent.events("exit"))
    send(process)
    assert process.stdout.readline() == "True\n"
    silent.answers_files.set()
    send(process)
    assert process.wait(30) == 0


@pytest.mark.parametrize("end", ENDS)
def test_does_not_hold_up_the_end_of_the_program_for_files_that_take_long(program, silent, end):
    code, status = ENDS[end]
    waits = "limits.EXIT_WAIT_S = limits.CRASH_WAIT_S = 0.1\n"
    main = f"{NO_TIMEOUT}{waits}{START}sys.stdin.readline()\n{code}"
    process = program.run({"app/main.py": main}, ["."])
    program.sent()
    send(process)
    assert process.wait(30) == status


def test_closes_without_files_that_take_long(program, silent):
    main = f"{NO_TIMEOUT}limits.CRASH_WAIT_S = 0.1\n{START}assert whence.close(3600)\n"
    process = program.run({"app/main.py": main}, ["."])
    assert process.wait(30) == 0
    assert len(silent.files) == 1


BEGINS = "import sys, whence\nwhence.init(api_key='k', service='shop', release='1', spool=False)\n"
SHORT = {
    "fails at once": ("raise LookupError('boom')\n", 1),
    "catches an error and exits": (
        "whence.capture_exception(LookupError('boom'))\nsys.exit(3)\n",
        3,
    ),
    "catches an error and runs out of work": ("whence.capture_exception(LookupError('boom'))\n", 0),
    "flushes and exits": (
        "whence.capture_exception(LookupError('boom'))\nwhence.flush()\nsys.exit(3)\n",
        3,
    ),
}


@pytest.mark.parametrize("how", SHORT)
def test_a_short_program_sends_them_before_it_ends(program, gateway, how):
    code, status = SHORT[how]
    main = f"import orders\n{PATIENT}{BEGINS}{code}"
    process = program.run({"app/main.py": main, "app/orders.py": ""}, ["app/orders.py"])
    assert process.wait(60) == status
    assert {file["path"] for each in gateway.files for file in each["files"]} == {
        "main.py",
        "orders.py",
    }
    assert [event["message"] for event in gateway.events("exception")] == ["boom"]


def test_a_program_whose_folder_is_gone_sends_its_error(program, gateway):
    lost = "import os\nos.mkdir('gone')\nos.chdir('gone')\nos.rmdir('../gone')\n"
    main = f"{PATIENT}{BEGINS}{lost}whence.capture_exception(LookupError('boom'))\n"
    runs = "import runpy; runpy.run_path('main.py', run_name='__main__')"
    process = program.run({"app/main.py": main}, ["."], "-c", runs)
    assert process.wait(60) == 0
    assert [event["message"] for event in gateway.events("exception")] == ["boom"]


@pytest.mark.parametrize("source", ["functions", "none"])
def test_a_short_program_sends_none_if_the_option_forbids_it(program, gateway, source):
    code, status = SHORT["fails at once"]
    main = f"{PATIENT}{BEGINS}{code}"
    process = program.run({"app/main.py": main}, ["."], WHENCE_SOURCE=source)
    assert process.wait(60) == status
    assert (len(gateway.events("exception")), gateway.files) == (1, [])
