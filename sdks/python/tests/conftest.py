import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "src")]

from gateway import Gateway
from sent_files import Program

from whence._client import Client
from whence._options import resolve_options

NAMES = (
    *("api_key", "service", "env", "enabled", "endpoint", "release", "redact", "error_fields"),
    *("before_send", "before_breadcrumb", "ignore_errors", "sample_rate", "source", "logs"),
    *("databases", "spool", "local_variables", "propagate_traces"),
)


@pytest.fixture
def gateway():
    started = Gateway()
    yield started
    started.close()


@pytest.fixture
def start(gateway):
    """Starts a client that sends to the gateway, and closes it after the test."""
    clients = []

    def begin(*instrumentations, **options):
        given = dict.fromkeys(NAMES)
        given.update(api_key="k", endpoint=gateway.url, spool=False, **options)
        client = Client(resolve_options(given))
        clients.append(client)
        client.start(list(instrumentations))
        return client

    yield begin
    for client in clients:
        client.close(2)


@pytest.fixture
def silent(gateway):
    """A gateway that answers no request with files."""
    gateway.answers_files.clear()
    return gateway


@pytest.fixture
def program(tmp_path, gateway):
    """A program that the gateway asks for files."""
    started = Program(tmp_path, gateway)
    yield started
    started.close()
