"""What a flush waits for."""

import threading
import time
from types import SimpleNamespace


def test_waits_for_what_was_captured_while_an_earlier_request_had_no_answer(
    start, gateway, monkeypatch
):
    held = threading.Event()
    gateway.answers = [{"status": 202, "held": held}]
    client = start()
    client.capture_exception(ValueError("urgent"), mechanism="x", is_fatal=True)
    gateway.wait_until(lambda: gateway.posts)
    client.capture_message("later", mechanism="capture_message")
    caller = threading.get_ident()

    def monotonic():
        # The flush is known to the sender before it reads the clock.
        if threading.get_ident() == caller:
            held.set()
        return time.monotonic()

    monkeypatch.setattr("whence._delivery.sender.time", SimpleNamespace(monotonic=monotonic))
    assert client.flush(30)
    assert [event["message"] for event in gateway.events("exception", "log")] == ["urgent", "later"]
