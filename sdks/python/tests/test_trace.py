"""The trace of an event: OpenTelemetry's current span, else that of the request."""

import asyncio
import sys
import urllib.request

import aiohttp
import httpx
import pytest
import requests
from opentelemetry import trace as opentelemetry
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags

from whence._core.trace import active_span
from whence._instrumentations.aiohttp_client import watch_aiohttp
from whence._instrumentations.httpx_client import watch_httpx
from whence._instrumentations.outgoing_http import watch_outgoing_http

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
SPAN = "00f067aa0ba902b7"
BODY = b'{"events":[]}'


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


@pytest.fixture
def passed_on(start, gateway):
    """Makes a request while serving one; returns the traceparent that arrived."""

    def call(make, headers=(), **options):
        client = start(watch_outgoing_http, watch_httpx, watch_aiohttp, **options)
        with client.serve("GET", "/", {"traceparent": f"00-{TRACE}-{SPAN}-00"}) as scope:
            make(f"{gateway.url}/things", dict(headers))
            span_id = scope.trace.span_id
        client.close()
        return gateway.posts[0]["headers"].get("traceparent"), span_id

    return call


def by_urllib(url, headers):
    urllib.request.urlopen(urllib.request.Request(url, BODY, headers)).close()


def by_requests(url, headers):
    requests.post(url, BODY, headers=headers)


def by_httpx(url, headers):
    httpx.post(url, content=BODY, headers=headers)


def by_async_httpx(url, headers):
    async def ask():
        async with httpx.AsyncClient() as client:
            await client.post(url, content=BODY, headers=headers)

    asyncio.run(ask())


def by_aiohttp(url, headers):
    async def ask():
        async with aiohttp.ClientSession() as session:
            async with session.post(url, data=BODY, headers=headers) as response:
                await response.read()

    asyncio.run(ask())


each_library = pytest.mark.parametrize(
    "make", [by_urllib, by_requests, by_httpx, by_async_httpx, by_aiohttp]
)


@each_library
def test_adds_no_header_to_a_request_unless_asked_to(passed_on, make):
    assert passed_on(make)[0] is None


@each_library
def test_passes_the_trace_and_its_sampling_on_when_asked_to(passed_on, make):
    header, span_id = passed_on(make, propagate_traces=True)
    assert header == f"00-{TRACE}-{span_id}-00"


@each_library
def test_keeps_the_header_of_the_program(passed_on, make):
    own = f"00-{'1' * 32}-{SPAN}-01"
    assert passed_on(make, {"traceparent": own}, propagate_traces=True)[0] == own


@each_library
def test_leaves_the_header_to_opentelemetry(passed_on, make):
    with span(int(TRACE, 16), 7):
        assert passed_on(make, propagate_traces=True)[0] is None


def test_adds_no_header_outside_of_requests(start, gateway):
    start(watch_outgoing_http, propagate_traces=True)
    by_urllib(f"{gateway.url}/things", {})
    assert "traceparent" not in gateway.posts[0]["headers"]


def test_passes_each_trace_on_over_one_kept_connection(start, gateway):
    client = start(watch_outgoing_http, propagate_traces=True)
    with requests.Session() as session:
        for trace in (TRACE, "1" * 32):
            with client.serve("GET", "/", {"traceparent": f"00-{trace}-{SPAN}-01"}):
                session.post(f"{gateway.url}/things", BODY)
        session.post(f"{gateway.url}/things", BODY)
    sent = [post["headers"].get("traceparent") for post in gateway.posts[:3]]
    assert [header and header[3:35] for header in sent] == [TRACE, "1" * 32, None]


def test_passes_each_trace_on_with_one_request_of_httpx(start, gateway):
    client = start(watch_httpx, propagate_traces=True)
    request = httpx.Request("POST", f"{gateway.url}/things", content=BODY)
    with httpx.Client() as session:
        for trace in (TRACE, "1" * 32):
            with client.serve("GET", "/", {"traceparent": f"00-{trace}-{SPAN}-01"}):
                session.send(request)
        session.send(request)
    sent = [post["headers"].get("traceparent") for post in gateway.posts[:3]]
    assert [header and header[3:35] for header in sent] == [TRACE, "1" * 32, None]
