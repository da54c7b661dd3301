"""Messages of Dramatiq, seen where a worker processes them and where it keeps what they raised.

Both methods are called outside of what a message's traceback shows.
"""

from __future__ import annotations

from whence._core.builtin_types import ContextVar
from whence._core.guard import guarded
from whence._instrumentations.loaded_modules import watch_loaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from whence._client import Client
    from whence._core.event import Json

#: The actor options of the message in process.
_actor_options: ContextVar[dict[str, Any] | None] = ContextVar("whence_actor", default=None)


def watch_dramatiq(client: Client) -> Callable[[], None]:
    """Tie what is recorded in a message to it, and record each attempt that fails."""
    return watch_loaded("dramatiq", lambda module: _watch(client, module))


def _watch(client: Client, module: ModuleType) -> Callable[[], None]:
    dramatiq: Any = module
    worker, proxy = dramatiq.worker._WorkerThread, dramatiq.MessageProxy
    # Raised to end an attempt, not because it failed.
    ways_to_end = (
        *(dramatiq.errors.Retry, dramatiq.errors.RateLimitExceeded),
        dramatiq.middleware.SkipMessage,
    )
    process, keep = worker.process_message, proxy.stuff_exception

    def process_message(self: Any, message: Any) -> Any:
        within = guarded(client.run, _facts(message), {})
        if within is None:
            return process(self, message)
        with within:
            _actor_options.set(guarded(_options_of, self.broker, message))
            return process(self, message)

    def stuff_exception(self: Any, exception: BaseException) -> Any:
        guarded(_capture, client, self, exception, ways_to_end)
        return keep(self, exception)

    process_message.__doc__, stuff_exception.__doc__ = process.__doc__, keep.__doc__
    worker.process_message, proxy.stuff_exception = process_message, stuff_exception

    def stop() -> None:
        worker.process_message, proxy.stuff_exception = process, keep

    return stop


def _options_of(broker: Any, message: Any) -> dict[str, Any]:
    options: dict[str, Any] = broker.get_actor(message.actor_name).options
    return {**options, **message.options}


def _facts(message: Any) -> dict[str, Json]:
    retries = message.options.get("retries", 0)
    return {"job": message.actor_name, "job_id": message.message_id, "retries": retries}


def _capture(
    client: Client, message: Any, error: BaseException, ways_to_end: tuple[type, ...]
) -> None:
    options = _actor_options.get()
    if options is None or not isinstance(error, Exception) or isinstance(error, ways_to_end):
        return
    expected = options.get("throws")
    if expected and isinstance(error, expected):
        return
    client.capture_exception(error, mechanism="dramatiq", attributes=_facts(message))
