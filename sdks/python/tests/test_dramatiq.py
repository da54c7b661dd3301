"""Messages of Dramatiq, on its own broker in memory and a real worker."""

import dramatiq
import pytest


from dramatiq.brokers.stub import StubBroker
from dramatiq.middleware import AsyncIO

from whence._instrumentations.dramatiq_messages import watch_dramatiq

PATIENCE_MS = 60_000


@pytest.fixture
def watched(start):
    return start(watch_dramatiq)


@pytest.fixture
def process():
    """Runs what a program sends to its actors in a worker, until none is left."""
    broker = StubBroker()
    broker.add_middleware(AsyncIO())
    dramatiq.set_broker(broker)
    workers = []

    def run(*messages):
        for message in messages:
            broker.enqueue(message)
        worker = dramatiq.Worker(broker, worker_timeout=10, worker_threads=1)
        worker.start()
        workers.append(worker)
        broker.join("default", timeout=PATIENCE_MS, fail_fast=False)
        worker.join()

    yield run
    for worker in workers:
        worker.stop()
    broker.close()


def events(client, gateway):
    client.flush(60)
    return sorted(gateway.events("exception"), key=lambda event: event["timestamp"])


def test_reports_each_attempt_with_its_job_and_only_its_breadcrumbs(watched, process, gateway):
    @dramatiq.actor(max_retries=1, min_backoff=1, max_backoff=1)
    def send(order):
        watched.add_breadcrumb("manual", f"sending {order}")
        raise ValueError(f"no address for {order}")

    message = send.message(31)
    process(message)
    first, second = events(watched, gateway)
    facts = {"job": "send", "job_id": message.message_id}
    for event, retries in ((first, 0), (second, 1)):
        found = {name: event["attributes"][name] for name in ("job", "job_id", "retries")}
        assert found == {**facts, "retries": retries}
        assert event["mechanism"]["type"] == "dramatiq"
        assert event["exceptions"][0]["frames"][0]["function"].endswith("send")
        manual = [crumb for crumb in event["breadcrumbs"] if crumb["category"] == "manual"]
        assert [crumb["message"] for crumb in manual] == ["sending 31"]


def test_reports_an_asynchronous_actor(watched, process, gateway):
    @dramatiq.actor(max_retries=0)
    async def send(order):
        watched.add_breadcrumb("manual", f"sending {order}")
        raise ValueError(f"no address for {order}")

    process(send.message(31))
    [event] = events(watched, gateway)
    assert event["attributes"]["job"] == "send"
    assert "sending 31" in [crumb.get("message") for crumb in event["breadcrumbs"]]


@pytest.mark.parametrize("error", [dramatiq.errors.RateLimitExceeded, KeyError])
def test_reports_no_expected_end_of_an_attempt(watched, process, gateway, error):
    @dramatiq.actor(max_retries=0, throws=KeyError)
    def send():
        raise error("expected")

    process(send.message())
    assert events(watched, gateway) == []


def test_reports_no_requested_retry(watched, process, gateway):
    attempts = []

    @dramatiq.actor(max_retries=1)
    def send():
        attempts.append(1)
        if len(attempts) == 1:
            raise dramatiq.errors.Retry(delay=1)

    process(send.message())
    assert len(attempts) == 2
    assert events(watched, gateway) == []


def test_is_as_before_after_the_end_of_the_client(start):
    before = dramatiq.MessageProxy.stuff_exception, dramatiq.worker._WorkerThread.process_message
    client = start(watch_dramatiq)
    client.close(2)
    after = dramatiq.MessageProxy.stuff_exception, dramatiq.worker._WorkerThread.process_message
    assert after == before
