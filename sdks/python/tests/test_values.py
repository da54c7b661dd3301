"""Copies of the program's values."""

import datetime
import enum
import os
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

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


class _Prices:
    async def of(self, sku):
        return sku


def test_names_the_function_of_a_coroutine():
    coroutine = _Prices().of("A-1")
    order = {"price": coroutine}
    try:
        copy = Walk.of_locals().field("order", order, Redaction().named)
        assert copy == {"price": "<coroutine _Prices.of>"}
    finally:
        coroutine.close()


def test_redacts_inside_an_object_by_where_it_is():
    redaction = Redaction()
    walk = Walk.of_data(1_000)
    fields = {"authorization": "Bearer a"}
    assert walk.field("fields", fields, redaction.data) == fields
    assert walk.field("headers", fields, redaction.data) == {"authorization": "[redacted]"}


class Sundial(datetime.tzinfo):
    def utcoffset(self, at):
        raise ValueError(at)


class Color(enum.Enum):
    RED = 1


def local(value, name="value"):
    return Walk.of_locals().field(name, value, Redaction().variables)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Decimal("0.19"), "<Decimal 0.19>"),
        (datetime.date(2026, 11, 30), "<date 2026-11-30>"),
        (UUID(int=7), "<UUID 00000000-0000-0000-0000-000000000007>"),
        (PurePosixPath("/tmp/a"), "<PurePosixPath /tmp/a>"),
        (Color.RED, "<enum Color.RED>"),
        (float("nan"), "<float nan>"),
        (2**70, "<int 1180591620717411303424>"),
        (Fraction(10**5_000, 3), "<Fraction …>"),
        (
            datetime.datetime(2026, 11, 30, tzinfo=Sundial()),
            "<datetime 2026-11-30 00:00:00 Sundial>",
        ),
        (datetime.time(9, tzinfo=Sundial()), "<time 09:00:00 Sundial>"),
        (datetime.time(9, tzinfo=datetime.timezone.utc), "<time 09:00:00+00:00>"),
        (
            datetime.datetime(2026, 11, 30, tzinfo=ZoneInfo("UTC")),
            "<datetime 2026-11-30 00:00:00+00:00>",
        ),
        ("0.19", "0.19"),
        (0.19, 0.19),
    ],
)
def test_tells_local_variables_that_json_has_no_form_for_from_texts(value, text):
    assert local(value) == text


def test_tells_keys_of_other_types_from_texts():
    keys = {
        2: "int", "2": "text", True: "bool", None: "none", 1.5: "float",
        ("a", 1, "1"): "tuple", Decimal(3): "decimal", Color.RED: "enum", b"a": "bytes",
    }  # fmt: skip
    assert list(local(keys)) == [
        *("<int 2>", "2", "<bool True>", "<None>", "<float 1.5>", "<tuple ('a', 1, '1')>"),
        *("<Decimal 3>", "<enum Color.RED>", "<bytes>"),
    ]


def test_reads_only_the_start_of_a_key():
    copied = local({10**5_000: 1, ("a" * 1_000,): 2})
    whole, cut = copied
    assert whole == "<int …>"
    assert cut.startswith("<tuple ('aaa")
    assert len(cut) < 250


def test_leaves_the_variables_of_a_function_that_is_traced(start, gateway):
    client = start()

    def trace(_frame, _event, _argument):
        error = sys.exc_info()[1]
        if error is not None:
            client.capture_exception(error, mechanism="capture_exception")
        return trace

    def total(order):
        prices = order["prices"]
        try:
            prices.append(order["tax"])
        except KeyError:
            prices.append(0)
        return prices

    traced = sys.gettrace()
    sys.settrace(trace)
    try:
        given = total({"prices": [19]})
    finally:
        sys.settrace(traced)
    assert given == [19, 0]
    client.flush(5)
    [exception] = gateway.events("exception")[-1]["exceptions"]
    assert exception["frames"][0]["vars"]["prices"] == [19]


class _Lazy(type):
    def __getattr__(cls, name):
        raise RuntimeError(name)


class _Order(metaclass=_Lazy):
    pass


def test_reports_an_error_with_an_object_whose_class_answers_nothing_once(start):
    client = start()
    error = ValueError(_Order())
    first = client.capture_exception(error, mechanism="capture_exception")
    assert first is not None
    assert client.capture_exception(error, mechanism="capture_exception") == first


def test_keeps_the_plain_text_of_data_that_the_program_hands_over():
    fields = {"rate": Decimal("0.19"), "color": Color.RED, "counts": {2: 1}}
    sent = {"rate": "0.19", "color": "Color.RED", "counts": {"2": 1}}
    assert Walk.of_data(1_000).record(fields, Redaction().data) == sent


@pytest.mark.parametrize(
    "name",
    [
        *("clientSecret", "db_password", "AWS_SECRET_ACCESS_KEY", "x-api-key", "accessToken"),
        *("HTTP_AUTHORIZATION", "HTTP_COOKIE", "token"),
    ],
)
def test_redacts_local_variables_that_are_named_like_a_credential(name):
    assert local("s3cret", name) == "[redacted]"
    assert local({name: ["s3cret"]}) == {name: "[redacted]"}


def test_keeps_what_is_missing_of_a_credential():
    settings = {"clientSecret": None, "apiToken": "", "has_password": False, "author": "ada"}
    assert local(settings) == settings


def test_replaces_values_of_the_environment_wherever_they_are_copied(monkeypatch):
    monkeypatch.setenv("DSN", "postgres://ada:pw@db/shop")
    monkeypatch.setenv("REQUEST_METHOD", "POST")
    replaced = "[redacted environment variable]"
    environ = {"DSN": os.environ["DSN"], "REQUEST_METHOD": "POST", "PORT": "80", "EMPTY": ""}
    sent = {"DSN": replaced, "REQUEST_METHOD": "POST", "PORT": "80", "EMPTY": ""}
    assert local({"environ": environ}) == {"environ": sent}
    assert local(os.environ["DSN"], "DSN") == replaced
    assert local({"DSN": "sqlite://", "\ud800": "a"}) == {"DSN": "sqlite://", "\ud800": "a"}
    data = Walk.of_data(1_000)
    given = {"DSN": os.environ["DSN"], "request": {"environ": environ}}
    assert data.record(given, Redaction().data) == {**given, "request": {"environ": sent}}


def test_replaces_those_that_the_program_removed_after_its_start(tmp_path, gateway):
    import subprocess

    file = tmp_path / "program.py"
    file.write_text(
        "import os, whence\n"
        "whence.init()\n"
        "copied = dict(os.environ)\n"
        "for name in list(os.environ): os.environ.pop(name)\n"
        "def serve(environ): raise LookupError(f'no {api_key}')\n"
        "api_key = copied['WHENCE_API_KEY']\n"
        "serve({name: copied[name] for name in ('WHENCE_API_KEY', 'DSN')})\n"
    )
    key = "wha_0123456789abcdef"
    variables = {"WHENCE_API_KEY": key, "WHENCE_ENDPOINT": gateway.url, "WHENCE_SPOOL": "off"}
    variables |= {"DSN": "postgres://ada:pw@db/shop", "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, str(file)], env=variables, capture_output=True, timeout=60)
    [event] = gateway.events("exception")
    assert event["message"] == "no [redacted]"
    assert event["exceptions"][0]["frames"][0]["vars"]["environ"] == {
        "WHENCE_API_KEY": "[redacted]",
        "DSN": "[redacted environment variable]",
    }
    assert key not in str(gateway.events()) and "ada:pw" not in str(gateway.events())
    rules = [entry["rule"] for entry in event["redactions"]]
    assert "credential-name" in rules and "environment-variable" in rules


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
