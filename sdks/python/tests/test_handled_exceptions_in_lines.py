"""A line that a program logs about an exception that it handles, without its stack."""

import logging
import traceback

import pytest

from whence._instrumentations.log_records import watch_logs

log = logging.getLogger("shop.orders")


@pytest.fixture
def client(start):
    return start(watch_logs)


def raises(message="no room in A-17"):
    raise LookupError(message)


def sent(client, gateway):
    assert client.flush()
    exceptions = [event["message"] for event in gateway.events("exception")]
    return exceptions, [event["message"] for event in gateway.events("log")]


@pytest.mark.parametrize(
    "line",
    [
        lambda error: log.error("order lost: %s", error),
        lambda error: log.error(f"order lost: {error}"),
        lambda error: log.critical("order lost: %r", error),
    ],
)
def test_is_the_exception_with_its_stack(client, gateway, line):
    try:
        raises()
    except LookupError as error:
        line(error)
    assert sent(client, gateway) == (["no room in A-17"], [])
    [event] = gateway.events("exception")
    assert event["exceptions"][0]["frames"][0]["function"] == "raises"


def test_is_one_failure_with_its_capture_before_and_after(client, gateway):
    for first, second in [("capture", "log"), ("log", "capture")]:
        try:
            raises(f"no room for {first}")
        except LookupError as error:
            for step in (first, second):
                if step == "log":
                    log.error("order lost: %s", error)
                else:
                    client.capture_exception(error, mechanism="capture_exception")
    assert sent(client, gateway) == (["no room for capture", "no room for log"], [])


def test_is_a_line_where_it_is_about_something_else(client, gateway):
    try:
        raises()
    except LookupError:
        log.error("stock of B-02 is negative")
    assert sent(client, gateway) == ([], ["stock of B-02 is negative"])


@pytest.mark.parametrize(("message", "is_known"), [("seven 7", False), ("eight 88", True)])
def test_needs_a_message_that_is_not_there_by_chance(client, gateway, message, is_known):
    try:
        raises(message)
    except LookupError as error:
        log.error(f"order lost: {error}")
    exceptions, lines = sent(client, gateway)
    assert (exceptions, lines) == (
        ([message], []) if is_known else ([], [f"order lost: {message}"])
    )


def test_is_one_failure_with_the_lines_that_follow_it(client, gateway):
    try:
        raises("7")
    except LookupError as error:
        log.error("order lost: %s", error)
        log.error(traceback.format_exc())
    log.critical("PUT /orders in 0.2 seconds: 500 Internal Server Error")
    assert sent(client, gateway) == (["7"], [])
    [event] = gateway.events("exception")
    assert event["exceptions"][0]["type"] == "LookupError"


def test_is_a_line_about_an_answer_after_no_failure(client, gateway):
    log.critical("PUT /orders in 0.2 seconds: 500 Internal Server Error")
    assert sent(client, gateway) == ([], ["PUT /orders in 0.2 seconds: 500 Internal Server Error"])


def test_is_a_line_once_the_exception_is_handled(client, gateway):
    try:
        raises()
    except LookupError as error:
        handled = error
    log.error("order lost: %s", handled)
    assert sent(client, gateway) == ([], ["order lost: no room in A-17"])
