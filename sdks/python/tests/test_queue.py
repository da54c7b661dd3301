"""What waits while the service is down, and what gives way when there isn't room for all."""

import os
import runpy

import pytest

CHARACTERS = 60_000
#: How many messages of that length surely fit 6 MiB as JSON, each with less than 1,000 bytes around.
FITTING = 6 * 1_048_576 // (CHARACTERS + 1_000)
#: And how many surely don't.
TOO_MANY = 6 * 1_048_576 // CHARACTERS + 1
EVENTS_MAX = 1_224
DOWN = {"status": 503, "headers": {"retry-after": "0"}}


@pytest.fixture
def client(start, gateway):
    gateway.answers = [DOWN] * 100_000
    return start()


def say(client, count, characters=10, level="error"):
    for number in range(count):
        text = f"{level} {number} ".ljust(characters, "x")
        client.capture_message(text, level=level, mechanism="capture_message")
        client.sender.write_now()


def end_outage(client, gateway):
    """Return the messages that arrived, and the reasons of those reported as lost."""
    gateway.answers = []
    while client.sender.has_work:
        client.flush()
    arrived = [event["message"].strip("x") for event in gateway.events("log")]
    ranges = [lost for batch in gateway.batches for lost in batch.get("dropped", [])]
    lost = [each["reason"] for each in ranges for _ in range(each["from_seq"], each["to_seq"] + 1)]
    return arrived, lost


@pytest.mark.parametrize(("count", "characters"), [(FITTING, CHARACTERS), (EVENTS_MAX - 1, 10)])
def test_keeps_what_fits_until_the_service_is_back(client, gateway, count, characters):
    say(client, count, characters)
    arrived, lost = end_outage(client, gateway)
    assert (len(arrived), lost) == (count, [])


@pytest.mark.parametrize(("count", "characters"), [(TOO_MANY, CHARACTERS), (EVENTS_MAX + 1, 10)])
def test_reports_the_oldest_as_lost_when_there_is_not_room_for_all(
    client, gateway, count, characters
):
    say(client, count, characters)
    arrived, lost = end_outage(client, gateway)
    assert lost
    assert set(lost) == {"queue_full"}
    assert arrived == [f"error {number} " for number in range(count)][-len(arrived) :]


def test_gives_up_what_is_worth_less_first(client, gateway):
    say(client, 1, CHARACTERS, "error")
    say(client, TOO_MANY, CHARACTERS, "info")
    arrived, _ = end_outage(client, gateway)
    assert "error 0 " in arrived


def test_sends_a_function_again_whose_event_was_given_up(client, gateway, tmp_path):
    module = tmp_path / "failing.py"
    body = "    one = 1\n" * 50
    module.write_text(
        "".join(f"def {name}(message):\n{body}    raise ValueError(message)\n" for name in "ab")
    )
    # A file written after the program's start isn't taken for the code that runs.
    os.utime(module, (0, 0))
    functions = runpy.run_path(str(module))

    def capture(name, message):
        try:
            functions[name](message)
        except ValueError as error:
            client.capture_exception(error, mechanism="capture_exception")
        client.sender.write_now()

    def innermost(event):
        return event["exceptions"][0]["frames"][0]["context"]["start_line"]

    capture("a", "first")
    for number in range(TOO_MANY):
        capture("b", f"{number}".ljust(CHARACTERS))
    assert end_outage(client, gateway)[1]
    capture("a", "second")
    capture("a", "third")
    client.flush()
    *others, second, third = gateway.events("exception")
    assert "first" not in [event["message"] for event in others]
    assert (innermost(second), innermost(third) > 1) == (1, True)
