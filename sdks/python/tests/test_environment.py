"""Which variables of the environment an event names."""

import json
import os
from secrets import token_hex

import pytest

from whence._core.limits import ENVIRONMENT_VARIABLE_LENGTH_MAX, ENVIRONMENT_VARIABLES_MAX


@pytest.fixture
def sent(start, gateway):
    def send(**options):
        client = start(**options)
        try:
            raise LookupError
        except LookupError as error:
            client.capture_exception(error, mechanism="capture_exception")
        client.flush(5)
        [event] = gateway.events("exception")
        return event

    return send


def test_sends_names_and_no_value(sent, monkeypatch):
    monkeypatch.setenv("RECEIPT_KEY", token_hex(8))
    monkeypatch.setenv("EMPTY", "")
    monkeypatch.delenv("GONE", raising=False)
    event = sent()
    assert {"RECEIPT_KEY", "EMPTY"} <= set(event["environment_variables"])
    assert "GONE" not in event["environment_variables"]
    assert os.environ["RECEIPT_KEY"] not in json.dumps(event)


def test_sends_none_without_source(sent):
    assert "environment_variables" not in sent(source="none")


@pytest.mark.parametrize("over", [0, 1])
def test_sends_all_names_or_none(sent, monkeypatch, over):
    missing = ENVIRONMENT_VARIABLES_MAX + over - len(os.environ)
    for index in range(missing):
        monkeypatch.setenv(f"VARIABLE_{index}", "1")
    assert ("environment_variables" in sent()) == (over == 0)


@pytest.mark.parametrize("over", [0, 1])
def test_sends_long_names_or_none(sent, monkeypatch, over):
    monkeypatch.setenv("V" * (ENVIRONMENT_VARIABLE_LENGTH_MAX + over), "1")
    assert ("environment_variables" in sent()) == (over == 0)
