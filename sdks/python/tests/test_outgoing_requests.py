import asyncio
import http.client
import traceback
import urllib.error
import urllib.request

import aiohttp
import httpx
import pytest
import requests

from whence._instrumentations.aiohttp_client import watch_aiohttp
from whence._instrumentations.httpx_client import watch_httpx
from whence._instrumentations.outgoing_http import watch_outgoing_http


@pytest.fixture
def crumbs(start):
    client = start(watch_outgoing_http, watch_httpx, watch_aiohttp)

    def newest():
        return [crumb.data for crumb in client.scopes.process.ring.newest()]

    return newest


def expect_one(crumbs, method, url, status):
    [data] = crumbs()
    assert data.pop("duration_ms") >= 0
    assert data == {"method": method, "url": url, "status_code": status}


def test_records_a_request_of_http_client(crumbs, gateway):
    connection = http.client.HTTPConnection(gateway.url.removeprefix("http://"))
    connection.request("POST", "/things?page=2", b'{"events":[]}')
    connection.getresponse().read()
    connection.close()
    expect_one(crumbs, "POST", f"{gateway.url}/things?page=2", 202)


def test_records_an_error_status_of_urllib(crumbs, gateway):
    gateway.answers.append({"status": 500})
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(f"{gateway.url}/things", b'{"events":[]}')
    caught.value.close()
    expect_one(crumbs, "POST", f"{gateway.url}/things", 500)


def test_records_requests_over_one_kept_connection(crumbs, gateway):
    with requests.Session() as session:
        for _ in range(2):
            assert session.post(f"{gateway.url}/things", '{"events":[]}').status_code == 202
    assert [data["status_code"] for data in crumbs()] == [202, 202]


def test_records_requests_of_httpx(crumbs, gateway):
    httpx.post(f"{gateway.url}/things", content=b'{"events":[]}')
    expect_one(crumbs, "POST", f"{gateway.url}/things", 202)


def test_keeps_user_and_password_out(crumbs, gateway):
    requests.post(gateway.url.replace("//", "//ada:secret@") + "/things", '{"events":[]}')
    expect_one(crumbs, "POST", f"{gateway.url}/things", 202)


def test_records_a_refused_connection_and_adds_no_frame_to_its_traceback(crumbs):
    with pytest.raises(urllib.error.URLError) as caught:
        urllib.request.urlopen("http://127.0.0.1:9/things")
    printed = "".join(traceback.format_exception(caught.value))
    assert "whence/_" not in printed
    [data] = crumbs()
    assert data["error_code"] == "ConnectionRefusedError"
    assert "status_code" not in data


def test_does_not_record_the_requests_of_the_client(crumbs, start, gateway):
    client = start()
    client.capture_message("one", mechanism="test")
    assert client.flush()
    assert crumbs() == []


def test_records_requests_of_aiohttp(crumbs, gateway):
    async def ask():
        async with aiohttp.ClientSession() as session:
            async with session.post(f"{gateway.url}/things", data='{"events":[]}') as response:
                await response.read()
            with pytest.raises(aiohttp.ClientConnectorError):
                await session.get("http://127.0.0.1:9/things")

    asyncio.run(ask())
    answered, refused = crumbs()
    assert answered["status_code"] == 202
    assert refused["error_code"] == "ClientConnectorError"
