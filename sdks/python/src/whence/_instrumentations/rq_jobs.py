"""Jobs of RQ, seen where a worker performs them and where it hands their errors to its handlers.

Both methods are called outside of what a job's traceback shows.
"""

from __future__ import annotations

from whence._core.guard import guarded
from whence._instrumentations.loaded_modules import watch_loaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from whence._client import Client
    from whence._core.event import Json


def watch_rq(client: Client) -> Callable[[], None]:
    """Tie what is recorded in a job to it, and record each attempt that fails."""
    return watch_loaded("rq.worker", lambda module: _watch(client, module))


def _watch(client: Client, module: ModuleType) -> Callable[[], None]:
    # Which of its classes has the methods depends on the version.
    worker: Any = next(kind for kind in module.Worker.__mro__ if "perform_job" in vars(kind))
    perform, handle = worker.perform_job, worker.handle_exception

    def perform_job(self: Any, job: Any, *args: Any, **kwargs: Any) -> Any:
        within = guarded(client.run, {"job_id": job.id}, {})
        if within is None:
            return perform(self, job, *args, **kwargs)
        with within:
            performed = perform(self, job, *args, **kwargs)
        if getattr(self, "_is_horse", False):
            # The process of a job ends without the functions of atexit.
            guarded(client.finish)
        return performed

    def handle_exception(self: Any, job: Any, *details: Any) -> Any:
        guarded(_capture, client, job, details)
        return handle(self, job, *details)

    perform_job.__doc__, handle_exception.__doc__ = perform.__doc__, handle.__doc__
    worker.perform_job, worker.handle_exception = perform_job, handle_exception

    def stop() -> None:
        worker.perform_job, worker.handle_exception = perform, handle

    return stop


def _capture(client: Client, job: Any, details: tuple[Any, ...]) -> None:
    error = details[1]
    if isinstance(error, Exception):
        facts: dict[str, Json] = {"job": guarded(lambda: job.func_name), "job_id": job.id}
        if job.retries_left is not None:
            facts["retries_left"] = job.retries_left
        client.capture_exception(error, mechanism="rq", attributes=facts)
