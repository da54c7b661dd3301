"""Each framework as people run it, with its real package: a route fails, and its event says where."""

import asyncio
import logging

import httpx
import pytest

import whence
from whence import _api

HEADERS = {"authorization": "Bearer a", "x-tenant": "acme"}


@pytest.fixture
def running(gateway):
    whence.init("k", endpoint=gateway.url, spool=False)
    yield
    whence.close(2)
    logging.getLogger().handlers.clear()


def the_error(gateway):
    assert whence.flush()
    [event] = gateway.events("exception")
    return event


def expect_request(event, route, path="/orders/31"):
    assert event["message"] == "no amount"
    request = event["request"]
    assert (request["method"], request["path"], request.get("route")) == ("GET", path, route)
    assert request["headers"]["authorization"] == "[redacted]"
    assert request["headers"]["x-tenant"] == "acme"
    crumbs = [crumb for crumb in event["breadcrumbs"] if crumb.get("scope") != "process"]
    assert [crumb["message"] for crumb in crumbs] == ["loading 31"]
    assert event["exceptions"][0]["frames"][0]["vars"]["order"] == {"id": 31}


def fail(number):
    order = {"id": number}  # noqa: F841
    whence.add_breadcrumb(f"loading {number}")
    raise ValueError("no amount")


def test_wsgi(running, gateway):
    from whence.frameworks.wsgi import WhenceMiddleware

    def app(environ, start_response):
        fail(31)

    transport = httpx.WSGITransport(WhenceMiddleware(app), raise_app_exceptions=False)
    with httpx.Client(transport=transport, base_url="http://shop") as client:
        with pytest.raises(ValueError, match="no amount"):
            client.get("/orders/31?page=2", headers=HEADERS)
    expect_request(the_error(gateway), None)


def test_flask(running, gateway):
    import flask

    from whence.frameworks.flask import whence_flask

    app = flask.Flask("shop")
    app.add_url_rule("/orders/<int:number>", view_func=fail)
    whence_flask(app)
    transport = httpx.WSGITransport(app.wsgi_app)
    with httpx.Client(transport=transport, base_url="http://shop") as client:
        assert client.get("/orders/31?page=2", headers=HEADERS).status_code == 500
    expect_request(the_error(gateway), "/orders/<int:number>")


def test_fastapi(running, gateway):
    import fastapi

    from whence.frameworks.asgi import WhenceMiddleware

    app = fastapi.FastAPI()
    app.add_middleware(WhenceMiddleware)

    @app.get("/orders/{number}")
    async def show(number: int):
        await asyncio.sleep(0)
        fail(number)

    async def ask():
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://shop") as client:
            return (await client.get("/orders/31?page=2", headers=HEADERS)).status_code

    assert asyncio.run(ask()) == 500
    expect_request(the_error(gateway), "/orders/{number}")


def ask_aiohttp(path, headers):
    """Ask an application of aiohttp on a real port; return the status of its answer."""
    import aiohttp
    from aiohttp import web

    from whence.frameworks.aiohttp import whence_middleware

    async def show(request):
        await asyncio.sleep(0)
        fail(int(request.match_info["number"]))

    async def absent(request):
        raise web.HTTPNotFound

    async def without_return(request):
        pass

    async def ask():
        app = web.Application(middlewares=[whence_middleware])
        app.add_routes([web.get("/orders/{number}", show), web.get("/absent", absent)])
        app.add_routes([web.get("/without-return", without_return)])
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        port = runner.addresses[0][1]
        async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session:
            async with session.get(path, headers=headers) as response:
                status = response.status
        await runner.cleanup()
        return status

    return asyncio.run(ask())


def test_aiohttp(running, gateway):
    assert ask_aiohttp("/orders/31?page=2", HEADERS) == 500
    expect_request(the_error(gateway), "/orders/{number}")


@pytest.mark.parametrize("path", ["/absent", "/of-no-route"])
def test_reports_no_answer_of_aiohttp_that_is_raised(running, gateway, path):
    assert ask_aiohttp(path, {}) == 404
    assert whence.flush()
    assert gateway.events("exception") == []


def test_leaves_a_missing_response_to_aiohttp(running, gateway, caplog):
    assert ask_aiohttp("/without-return", {}) == 500
    assert "Missing return statement" in caplog.text
    assert "whence" not in caplog.text
    heartbeats = _api.running_client().heartbeats
    assert (heartbeats.requests, heartbeats.failed_requests) == (1, 1)


@pytest.fixture(scope="module")
def django_app():
    import django
    from django.conf import settings
    from django.db import connection
    from django.http import HttpRequest
    from django.urls import path

    def view(request: HttpRequest, number: int):
        fail(number)

    async def async_view(request: HttpRequest, number: int):
        fail(number)

    def queries(request: HttpRequest):
        with connection.cursor() as cursor:
            cursor.execute("SELECT %s, 'a secret'", ["another"])
            cursor.execute("SELECT * FROM absent")

    settings.configure(
        ALLOWED_HOSTS=["*"],
        MIDDLEWARE=["whence.frameworks.django.WhenceMiddleware"],
        ROOT_URLCONF=(
            path("orders/<int:number>", view),
            path("later/<int:number>", async_view),
            path("queries", queries),
        ),
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        SECRET_KEY="x",
    )
    django.setup()


def test_django(running, gateway, django_app):
    from django.core.wsgi import get_wsgi_application

    transport = httpx.WSGITransport(get_wsgi_application())
    with httpx.Client(transport=transport, base_url="http://shop") as client:
        assert client.get("/orders/31?page=2", headers=HEADERS).status_code == 500
    expect_request(the_error(gateway), "/orders/<int:number>")


def test_django_async(running, gateway, django_app):
    from django.core.asgi import get_asgi_application

    async def ask():
        transport = httpx.ASGITransport(get_asgi_application())
        async with httpx.AsyncClient(transport=transport, base_url="http://shop") as client:
            return (await client.get("/later/31", headers=HEADERS)).status_code

    assert asyncio.run(ask()) == 500
    expect_request(the_error(gateway), "/later/<int:number>", "/later/31")


def test_records_statements_of_django_connections(running, gateway, django_app):
    from django.core.wsgi import get_wsgi_application
    from django.db import connection

    transport = httpx.WSGITransport(get_wsgi_application())
    with httpx.Client(transport=transport, base_url="http://shop") as client:
        assert client.get("/queries").status_code == 500
    connection.close()
    event = the_error(gateway)
    assert event["exceptions"][0]["type"] == "OperationalError"
    done, failed = [crumb["data"] for crumb in event["breadcrumbs"]]
    assert done.pop("duration_ms") >= 0
    assert done == {
        "system": "sqlite",
        "operation": "SELECT",
        "statement": "SELECT %s, ?",
        "database": ":memory:",
    }
    assert (failed["statement"], failed["error"]) == (
        "SELECT * FROM absent",
        "no such table: absent",
    )


@pytest.fixture
def new_connection(running, django_app):
    from django.db import connection

    new = connection.copy()
    yield new
    new.connection.close()


def statements():
    crumbs = _api.running_client().scopes.process.ring.newest()
    return [crumb.data["statement"] for crumb in crumbs]


def test_leaves_the_wrappers_of_a_django_connection_as_they_were(new_connection):
    def blocker(execute, sql, params, many, context):
        raise RuntimeError(f"blocked: {sql}")

    with new_connection.execute_wrapper(blocker):
        new_connection.ensure_connection()
    with new_connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    assert blocker not in new_connection.execute_wrappers
    assert statements() == ["SELECT ?"]


def test_reads_a_statement_of_django_as_its_system_does(new_connection):
    with new_connection.cursor() as cursor:
        new_connection.vendor = "mysql"
        cursor.execute('SELECT "a secret"')
    assert statements() == ["SELECT ?"]


def test_records_no_statement_of_django_without_a_text(new_connection):
    def answer(execute, sql, params, many, context):
        pass

    with new_connection.cursor() as cursor, new_connection.execute_wrapper(answer):
        cursor.execute("SELECT 1")
        cursor.execute(["a secret"])
    assert statements() == ["SELECT ?"]


def test_keeps_two_requests_apart(running, gateway):
    client = _api.running_client()

    async def serve(number):
        with client.serve("GET", f"/orders/{number}", {}):
            whence.set_tag("order", number)
            whence.add_breadcrumb(f"loading {number}")
            await asyncio.sleep(0.01)
            whence.capture_exception(ValueError(f"order {number}"))

    async def both():
        await asyncio.gather(serve(1), serve(2))

    asyncio.run(both())
    assert whence.flush()
    for event in gateway.events("exception"):
        number = event["message"][-1]
        assert event["tags"] == {"order": number}
        assert [crumb["message"] for crumb in event["breadcrumbs"]] == [f"loading {number}"]
