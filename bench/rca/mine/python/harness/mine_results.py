"""A pytest plugin that writes what became of each test as JSON: the program that starts pytest reads it."""

import json
import os
import re
import traceback
import unittest

import pytest

APP = os.environ["MINE_APP"]
ONLY = set(json.loads(os.environ["MINE_ONLY"]))
HOME = os.environ["HOME"]
results = {}


def name_of(item):
    return item.nodeid.partition("::")[2]


def pytest_collection_modifyitems(items):
    if ONLY:
        items[:] = [item for item in items if name_of(item) in ONLY]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    result = results.setdefault(name_of(item), {"name": name_of(item), "failed": False, "ended": False})
    if report.failed:
        result["failed"] = True
        crash = describe(call.excinfo)
        if crash is not None:
            result.setdefault("crash", crash)
    if report.when == "call":
        result["ended"] = not report.skipped


def pytest_collectreport(report):
    if report.failed:
        text = f"CollectError: {report.longrepr}"
        results[""] = {"name": "", "failed": True, "ended": False, "crash": {"message": "", "text": text}}


def pytest_sessionfinish():
    with open(os.environ["MINE_RESULT"], "w", encoding="utf-8", errors="replace") as file:
        json.dump(list(results.values()), file)


def describe(info):
    """What was thrown, as an application would print it; None for assertions and what the runner says itself."""
    if info is None or isinstance(info.value, (AssertionError, unittest.SkipTest, KeyboardInterrupt, SystemExit)):
        return None
    if type(info.value).__module__.startswith(("_pytest", "pytest", "unittest")):
        return None
    tb = info.tb
    while tb is not None and not tb.tb_frame.f_code.co_filename.startswith(APP + "/"):
        tb = tb.tb_next
    if tb is None:
        return None
    try:
        text = "".join(traceback.TracebackException(type(info.value), info.value, tb).format())
        message = str(info.value)
    except Exception:
        return None
    return {"message": steady(message), "text": steady(text)}


def steady(text):
    """What is the same in every run."""
    return re.sub(r"\b0x[0-9a-f]{6,}", "0x7f31c0a4d2e0", text.replace(HOME, "/tmp"))
