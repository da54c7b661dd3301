"""The trace of an event: OpenTelemetry's current span, else that of the request."""

import http.client
import sys

import pytest
from opentelemetry import trace as opentelemetry
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags

from whence._core.trace import active_span
from whence._instrumentations.outgoing_http import watch_outgoing_http

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
SPAN = "00f067aa0ba902b7"


@pytest.fixture
def sent(start, gateway):
    client = start()

    def capture(headers):
        with client.serve("GET", "/orders/31", headers):
            client.capture_message("x", mechanism="capture_message")
        client.flush(5)
        return gateway.events("log")[-1]["trace"]

    return capture


def span(trace_id, span_id):
    context = SpanContext(trace_id, span_id, is_remote=False, trace_flags=TraceFlags(1))
    return opentelemetry.use_span(NonRecordingSpan(context))


def test_continues_the_trace_of_a_request_in_a_span_of_its_own(sent):
    trace = sent({"traceparent": f"00-{TRACE}-{SPAN}-01"})
    assert trace["trace_id"] == TRACE
    assert trace["span_id"] != SPAN


@pytest.mark.parametrize(
    "header",
    [
        *("", "garbage", f"00-{TRACE}-{SPAN}", f"ff-{TRACE}-{SPAN}-01"),
        *(f"00-{'0' * 32}-{SPAN}-01", f"00-{TRACE}-{'0' * 16}-01", f"00-{TRACE.upper()}-{SPAN}-01"),
    ],
)
def test_starts_a_trace_when_the_header_is_not_valid(sent, header):
    trace = sent({"traceparent": header})
    assert trace["trace_id"] not in (TRACE, TRACE.upper(), "0" * 32)
    assert (len(trace["trace_id"]), len(trace["span_id"])) == (32, 16)


def test_has_the_span_of_opentelemetry_first(sent):
    with span(int(TRACE, 16), 7):
        assert sent({"traceparent": f"00-{'1' * 32}-{SPAN}-01"}) == {
            "trace_id": TRACE,
            "span_id": "0000000000000007",
        }


def test_has_the_span_of_opentelemetry_outside_of_requests(start, gateway):
    client = start()
    with span(int(TRACE, 16), int(SPAN, 16)):
        client.capture_message("x", mechanism="capture_message")
    client.flush(5)
    [event] = gateway.events("log")
    assert event["trace"] == {"trace_id": TRACE, "span_id": SPAN}


def test_has_no_span_where_opentelemetry_has_none(monkeypatch):
    assert active_span() is None
    monkeypatch.delitem(sys.modules, "opentelemetry.trace")
    assert active_span() is None


def test_adds_no_header_to_a_request(start, gateway):
    client = start(watch_outgoing_http)
    with client.serve("GET", "/", {"traceparent": f"00-{TRACE}-{SPAN}-01"}):
        connection = http.client.HTTPConnection(gateway.url.removeprefix("http://"))
        connection.request("POST", "/things", b'{"events":[]}')
        connection.getresponse().read()
        connection.close()
    assert "traceparent" not in gateway.posts[-1]["headers"]
