"""What the client sends, against the vectors that all clients share (sdks/protocol/vectors)."""

import json
import re
from pathlib import Path

import pytest

from whence._core.limits import QUEUE_EVENTS_MAX
from whence._core.redact import Redaction
from whence._core.values import Walk

VECTORS = Path(__file__).parents[2] / "protocol" / "vectors"


def vectors_of(name):
    return json.loads((VECTORS / name).read_text())["vectors"]


def named(vectors):
    return [pytest.param(vector, id=vector["name"]) for vector in vectors]


SITUATIONS = vectors_of("situations.json")
REDACTIONS = vectors_of("redaction.json")


class OrderError(Exception):
    pass


class AbortError(Exception):
    pass


# As the vector writes it: its message is the key without quotes.
AmountError = type("KeyError", (Exception,), {})


def capture(client, error):
    client.capture_exception(error, mechanism="capture_exception")


def say(client, *texts):
    for text in texts:
        client.capture_message(text, mechanism="capture_message")


def error_with_two_causes(start, gateway):
    client = start()
    try:
        try:
            try:
                raise AmountError("amount")
            except AmountError as error:
                raise TypeError("not a number") from error
        except TypeError as error:
            raise OrderError("no amount") from error
    except OrderError as error:
        capture(client, error)
    return client


def uncaught_error(start, gateway):
    client = start()
    client.capture_exception(
        type("Error", (Exception,), {})("no stock"),
        mechanism="sys.excepthook",
        level="critical",
        handled=False,
        is_fatal=True,
    )
    return client


def message(start, gateway):
    client = start()
    client.capture_message(
        "stock is low", mechanism="capture_message", level="warning", attributes={"sku": "A-1"}
    )
    return client


def facts(start, gateway):
    client = start()
    scope = client.scopes.current()
    scope.set_user({"id": "u_7"})
    scope.set_tag("shard", 7)
    scope.set_context("cart", {"items": 3})
    capture(client, Exception("x"))
    return client


def many_breadcrumbs(start, gateway):
    client = start()
    for count in range(1, 102):
        client.add_breadcrumb("step", str(count))
    capture(client, Exception("x"))
    return client


def error_in_a_request(start, gateway):
    client = start()
    with client.serve("GET", "/orders/31?page=2", {"authorization": "Bearer a"}) as request:
        request.route = lambda: "/orders/:id"
        capture(client, Exception("x"))
    return client


def heartbeat(start, gateway):
    client = start()
    say(client, "hello")
    return client


def shutdown(start, gateway):
    client = start()
    say(client, "hello")
    client.close(5)
    return client


def dropped_by_hook(start, gateway):
    client = start(before_send=lambda event: None if event["message"] == "two" else event)
    say(client, "one", "two", "three")
    return client


def ignored(start, gateway):
    client = start(ignore_errors=["AbortError"])
    capture(client, AbortError("gone"))
    say(client, "kept")
    return client


def rejected(start, gateway):
    client = start()
    gateway.answers.append({"status": 202, "body": '{"accepted":1,"rejected":[{"index":0}]}'})
    say(client, "one")
    client.flush()
    say(client, "two")
    return client


def down_for_a_moment(start, gateway):
    client = start()
    gateway.answers.append({"status": 503})
    say(client, "one")
    client.flush(0.1)
    return client


def queue_overflow(start, gateway):
    client = start()
    client.sender.pause()
    client.sender.start = lambda: False
    for count in range(QUEUE_EVENTS_MAX + 10):
        say(client, f"message {count}")
    del client.sender.start
    client.flush()
    say(client, "later")
    return client


PROGRAMS = {
    "an error with two causes": error_with_two_causes,
    "an error that nothing catches": uncaught_error,
    "a message": message,
    "facts": facts,
    "101 breadcrumbs": many_breadcrumbs,
    "an error in a request": error_in_a_request,
    "a heartbeat": heartbeat,
    "a shutdown": shutdown,
    "an event that the program drops": dropped_by_hook,
    "events that the program ignores or samples out": ignored,
    "an event that the service rejects": rejected,
    "a service that is down for a moment": down_for_a_moment,
    "more events than the queue holds": queue_overflow,
}
UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
TIMESTAMP = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.*(Z|[+-]\d\d:\d\d)"


def expect(value, pattern, at="event"):
    """Fails unless a value has the fields of the pattern."""
    if pattern == "$text":
        assert isinstance(value, str), at
    elif pattern == "$number":
        assert isinstance(value, (int, float)), at
    elif pattern == "$uuid":
        assert re.fullmatch(UUID, value), at
    elif pattern == "$timestamp":
        assert re.fullmatch(TIMESTAMP, value), at
    elif isinstance(pattern, dict) and "$first" in pattern:
        assert "$count" not in pattern or len(value) == pattern["$count"], at
        expect(value[0], pattern["$first"], f"{at}[0]")
        if "$last" in pattern:
            expect(value[-1], pattern["$last"], f"{at}[-1]")
    elif isinstance(pattern, dict):
        for name, inner in pattern.items():
            assert name in value, f"{at}.{name}"
            expect(value[name], inner, f"{at}.{name}")
    elif isinstance(pattern, list):
        assert len(value) == len(pattern), at
        for index, inner in enumerate(pattern):
            expect(value[index], inner, f"{at}[{index}]")
    else:
        assert value == pattern, at


def lost_numbers(gateway):
    ranges = [entry for batch in gateway.batches for entry in batch.get("dropped", [])]
    return [
        (seq, entry["reason"])
        for entry in ranges
        for seq in range(entry["from_seq"], entry["to_seq"] + 1)
    ]


def test_has_a_program_for_each_situation():
    assert sorted(PROGRAMS) == sorted(vector["name"] for vector in SITUATIONS)


@pytest.mark.parametrize("vector", named(SITUATIONS))
def test_sends_what_the_vector_says(vector, start, gateway):
    client = PROGRAMS[vector["name"]](start, gateway)
    while client.sender.has_work:
        client.flush()
        assert len(gateway.posts) < 10
    events = vector.get("events")
    sent = gateway.events()
    if '"heartbeat"' not in json.dumps(events):
        sent = [event for event in sent if event["type"] != "heartbeat"]
    if events is not None:
        expect(sent, events)
    lost = lost_numbers(gateway)
    counts = {reason: [each[1] for each in lost].count(reason) for _, reason in lost}
    dropped = vector.get("dropped", {})
    assert sorted(counts) == sorted(dropped)
    expect(counts, dropped)
    if vector.get("resent"):
        assert gateway.posts[0]["batch"]["events"] == gateway.posts[1]["batch"]["events"]
    numbers = {event["seq"] for event in gateway.events()} | {seq for seq, _ in lost}
    assert sorted(numbers) == list(range(1, len(numbers) + 1))


def properties_of(error, given):
    for name, value in given.items():
        setattr(error, name, value)
    return error


@pytest.mark.parametrize("vector", named(REDACTIONS))
def test_redacts_what_the_vector_says(vector, start, gateway):
    client = start(redact=vector["added"])
    given, sent = vector["given"], vector["sent"]
    with client.serve("GET", "/", given.get("request", {})) as scope:
        if "user" in given:
            scope.set_user(given["user"])
        scope.set_tags(given.get("tags", {}))
        for name, fields in given.get("contexts", {}).items():
            scope.set_context(name, fields)
        if "breadcrumb" in given:
            client.add_breadcrumb("step", data=given["breadcrumb"])
        client.capture_exception(
            properties_of(Exception("x"), given.get("properties", {})),
            mechanism="capture_exception",
            attributes=given.get("attributes"),
        )
    client.flush()
    [event] = gateway.events("exception")
    found = {
        "request": event["request"]["headers"],
        "properties": event["exceptions"][0].get("properties"),
        "breadcrumb": event.get("breadcrumbs", [{}])[0].get("data"),
        "attributes": event.get("attributes"),
        "user": event.get("user"),
        "tags": event.get("tags"),
        "contexts": event.get("contexts"),
    }
    expected = dict.fromkeys(found) | {"request": {}} | sent
    expected.pop("vars", None)
    assert found == expected
    entries = {(entry["rule"], entry["path"]) for entry in event.get("redactions", [])}
    assert entries == {
        (entry["rule"], entry["path"])
        for entry in vector["redactions"]
        if "/vars/" not in entry["path"]
    }


@pytest.mark.parametrize("vector", named([each for each in REDACTIONS if "vars" in each["given"]]))
def test_redacts_local_variables_as_the_vector_says(vector):
    rules = Redaction(vector["added"]).variables
    walk = Walk.of_locals()
    given = vector["given"]["vars"]
    assert {name: walk.field(name, value, rules) for name, value in given.items()} == vector[
        "sent"
    ]["vars"]
