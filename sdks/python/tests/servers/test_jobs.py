"""Workers of Celery and RQ on a real Redis: their jobs fail, and the events say which and where."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "src"
PROGRAMS = Path(sys.executable).parent
PATIENCE_S = 60

CELERY = """\
import os

import whence
from celery import Celery

app = Celery("mail", broker=os.environ["REDIS_URL"])


@app.task(bind=True, max_retries=1)
def send(self, order):
    whence.add_breadcrumb(f"sending {order}")
    try:
        raise ValueError(f"no address for {order}")
    except ValueError as error:
        raise self.retry(exc=error, countdown=0)
"""
RQ = """\
import whence


def send(order):
    whence.add_breadcrumb(f"sending {order}")
    raise ValueError(f"no address for {order}")
"""


@pytest.fixture
def work(gateway, redis, tmp_path):
    """Starts a worker as `python -m whence run` does, until the test ends."""
    (tmp_path / "mail.py").write_text(CELERY)
    (tmp_path / "post.py").write_text(RQ)
    started = []

    def begin(*command):
        environment = {
            **{name: value for name, value in os.environ.items() if "WHENCE" not in name},
            "PYTHONPATH": os.pathsep.join([str(SOURCES), str(tmp_path)]),
            "WHENCE_API_KEY": "k",
            "WHENCE_ENDPOINT": gateway.url,
            # What arrives was sent by the process that failed.
            "WHENCE_SPOOL": "off",
            "WHENCE_PROPAGATE_TRACES": "on",
        }
        worker = subprocess.Popen(
            [sys.executable, "-m", "whence", "run", str(PROGRAMS / command[0]), *command[1:]],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        started.append(worker)
        return worker

    yield begin
    for worker in started:
        worker.send_signal(signal.SIGTERM)
        worker.communicate(timeout=PATIENCE_S)


def failures(gateway, count):
    end = time.monotonic() + PATIENCE_S
    while len(gateway.events("exception")) < count:
        assert time.monotonic() < end, gateway.batches
        time.sleep(0.05)
    return sorted(gateway.events("exception"), key=lambda event: event["timestamp"])


def expect_job(event, **attributes):
    found = {name: event["attributes"].get(name) for name in attributes}
    assert found == attributes
    crumbs = [crumb for crumb in event["breadcrumbs"] if crumb.get("scope") != "process"]
    assert [crumb["message"] for crumb in crumbs if crumb["category"] == "manual"] == ["sending 31"]
    assert event["message"] == "no address for 31"
    assert event["exceptions"][0]["frames"][0]["function"] == "send"


def test_celery_reports_each_attempt_from_a_child_that_ends_after_it(work, gateway, redis):
    from celery import Celery

    work(
        *("celery", "-A", "mail", "worker", "--concurrency=1", "--max-tasks-per-child=1"),
        *("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel=CRITICAL"),
    )
    trace_id = "4bf92f3577b34da6a3ce929d0e0e4736"
    headers = {"traceparent": f"00-{trace_id}-00f067aa0ba902b7-01"}
    with Celery(broker=redis) as app:
        task = app.send_task("mail.send", [31], headers=headers)
    retried, failed = failures(gateway, 2)
    expect_job(retried, job="mail.send", job_id=task.id, retries=0)
    expect_job(failed, job="mail.send", job_id=task.id, retries=1)
    assert [event["level"] for event in (retried, failed)] == ["warning", "error"]
    assert [event["mechanism"]["type"] for event in (retried, failed)] == ["celery", "celery"]
    assert [event["trace"]["trace_id"] for event in (retried, failed)] == [trace_id, trace_id]
    lives = {batch["instance"] for batch in gateway.batches if batch["events"][0]["seq"] == 1}
    assert len(lives) >= 2


def test_rq_reports_each_attempt_from_the_process_of_the_job(work, gateway, redis):
    from redis import Redis
    from rq import Queue, Retry

    with Redis.from_url(redis) as connection:
        job = Queue(connection=connection).enqueue("post.send", 31, retry=Retry(max=1))
        worker = work("rq", "worker", "--burst", "--quiet", "--url", redis)
        worker.wait(PATIENCE_S)
    first, second = failures(gateway, 2)
    expect_job(first, job="post.send", job_id=job.id, retries_left=1)
    expect_job(second, job="post.send", job_id=job.id, retries_left=0)
    assert {event["mechanism"]["type"] for event in (first, second)} == {"rq"}
