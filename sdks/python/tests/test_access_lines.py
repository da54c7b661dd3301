"""What a server logs about an answer of 5xx, after what failed was logged."""

import asyncio
import logging
import threading

import pytest

from whence._instrumentations.log_records import watch_logs

LINE = '"GET /orders HTTP/1.1" 500 145'


def fails():
    try:
        raise LookupError("no stock")
    except LookupError:
        logging.getLogger("django.request").exception("Internal Server Error: /orders")


@pytest.mark.parametrize("logger", ["django.server", "tornado.access"])
def test_is_a_breadcrumb_after_what_failed(start, gateway, logger):
    client = start(watch_logs)
    fails()
    logging.getLogger(logger).error(LINE)
    client.capture_message("done", mechanism="capture_message")
    assert client.flush()
    assert [event["message"] for event in gateway.events("exception")] == ["no stock"]
    [done] = gateway.events("log")
    assert LINE in [crumb["message"] for crumb in done["breadcrumbs"]]


def test_is_an_event_where_nothing_else_failed(start, gateway):
    client = start(watch_logs)
    thread = threading.Thread(target=fails)
    thread.start()
    thread.join()
    logging.getLogger("tornado.access").error(LINE)
    assert client.flush()
    assert [event["message"] for event in gateway.events("log")] == [LINE]


@pytest.mark.parametrize("logger", ["shop.orders", "access", "shop.access"])
def test_hides_no_failure_that_the_program_logs(start, gateway, logger):
    client = start(watch_logs)
    fails()
    logging.getLogger(logger).error("order lost")
    assert client.flush()
    assert [event["message"] for event in gateway.events("log")] == ["order lost"]


def test_is_an_event_where_what_failed_was_answered_before(start, gateway):
    client = start(watch_logs)
    fails()
    logging.getLogger("tornado.access").error(LINE)
    logging.getLogger("tornado.access").error("503 GET /stock")
    assert client.flush()
    assert [event["message"] for event in gateway.events("log")] == ["503 GET /stock"]


def test_is_an_event_where_only_another_task_failed(start, gateway):
    client = start(watch_logs)

    async def answers(line, before):
        before()
        await asyncio.sleep(0)
        logging.getLogger("tornado.access").error(line)

    async def serve():
        await asyncio.gather(answers(LINE, fails), answers("503 GET /stock", lambda: None))

    asyncio.run(serve())
    assert client.flush()
    assert [event["message"] for event in gateway.events("log")] == ["503 GET /stock"]
