"""Copies of the program's values."""

import os

from whence._core.identifiers import uuid7
from whence._core.redact import Redaction
from whence._core.values import Walk


def test_copies_an_object_in_several_frames_once_and_counts_it_each_time():
    order = {"sku": "A-1", "lines": ["x" * 100]}
    rules = Redaction().named
    once, twice = Walk.of_locals(), Walk.of_locals()
    first = once.field("order", order, rules)
    assert twice.field("order", order, rules) == twice.field("given", order, rules) == first
    spent = Walk.of_locals().characters - once.characters
    assert Walk.of_locals().characters - twice.characters == 2 * spent


def test_redacts_inside_an_object_by_where_it_is():
    redaction = Redaction()
    walk = Walk.of_data(1_000)
    fields = {"authorization": "Bearer a"}
    assert walk.field("fields", fields, redaction.data) == fields
    assert walk.field("headers", fields, redaction.data) == {"authorization": "[redacted]"}


def test_a_hook_may_change_a_variable_of_one_frame(start, gateway):
    def before_send(event):
        for frame in event["exceptions"][0]["frames"]:
            if "order" in frame["vars"]:
                del frame["vars"]["order"]["sku"]
        return event

    client = start(before_send=before_send)

    def inner(order):
        raise LookupError("no stock")

    def outer(order):
        inner(order)

    try:
        outer({"sku": "A-1", "count": 2})
    except LookupError as error:
        client.capture_exception(error, mechanism="capture_exception")
    client.flush(5)
    [event] = gateway.events("exception")
    frames = event["exceptions"][0]["frames"]
    assert [frame["vars"]["order"] for frame in frames[:2]] == [{"count": 2}] * 2


def test_a_forked_process_makes_ids_of_its_own():
    uuid7()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, "".join(uuid7()[-12:] for _ in range(40)).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        text = pipe.read().decode()
    theirs = {text[at : at + 12] for at in range(0, len(text), 12)}
    ours = {uuid7()[-12:] for _ in range(40)}
    assert len(ours) == len(theirs) == 40
    assert not ours & theirs
