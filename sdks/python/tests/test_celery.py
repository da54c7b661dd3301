"""Tasks of Celery in this process, without a broker. Workers: servers/test_jobs.py."""

import threading

import pytest
from celery import Celery

from whence._instrumentations.celery_tasks import watch_celery


@pytest.fixture
def client(start):
    return start(watch_celery)


@pytest.fixture
def app():
    with Celery("mail", set_as_current=False) as app:
        yield app


def job_of(client):
    return client.scopes.current().attributes.get("job")


def test_ends_the_scope_of_a_task_that_replaces_itself(client, app):
    seen = []

    @app.task(name="inner")
    def inner():
        seen.append(job_of(client))

    @app.task(name="outer", bind=True)
    def outer(self):
        try:
            self.replace(inner.s())
        finally:
            seen.append(job_of(client))

    outer.apply(task_id="1")
    assert seen == ["inner", "outer"]
    assert client.scopes.current() is client.scopes.process


def test_ends_the_scopes_of_a_task_that_runs_twice_at_once(client, app):
    both = threading.Barrier(2, timeout=10)
    left = []

    @app.task(name="send")
    def send():
        both.wait()

    def work():
        send.apply(task_id="1").get()
        left.append(client.scopes.current())

    # A task is built on its first use, which two threads must not share.
    app.finalize()
    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert left == [client.scopes.process] * 2
