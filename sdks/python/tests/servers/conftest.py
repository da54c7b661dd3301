"""Servers that test/python-client.servers.test.ts starts; without them, these tests are skipped."""

import os

import pytest


def url_of(name):
    url = os.environ.get(name)
    if url is None:
        pytest.skip(f"{name} names no server: run vitest --project servers test/python-client")
    return url


@pytest.fixture
def postgres():
    return url_of("POSTGRES_URL")


@pytest.fixture
def redis():
    return url_of("REDIS_URL")


@pytest.fixture
def mysql():
    return url_of("MYSQL_URL")
