"""Tasks of Celery, by its own signals."""

from __future__ import annotations

from whence._core.guard import guarded
from whence._instrumentations.loaded_modules import watch_loaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from whence._client import Client
    from whence._core.event import Json, Level
    from whence._core.scope import Within


def watch_celery(client: Client) -> Callable[[], None]:
    """Tie what is recorded in a task to it, and record each attempt that fails."""
    return watch_loaded("celery.signals", lambda module: _watch(client, module))


def _watch(client: Client, module: ModuleType) -> Callable[[], None]:
    signals: Any = module
    tasks = _Tasks(client)
    receivers = (
        (signals.before_task_publish, tasks.published),
        (signals.task_prerun, tasks.started),
        (signals.task_postrun, tasks.ended),
        (signals.task_failure, tasks.failed),
        (signals.task_retry, tasks.retried),
        (signals.worker_process_shutdown, tasks.process_ended),
    )
    for signal, receiver in receivers:
        signal.connect(receiver, weak=False)

    def stop() -> None:
        for signal, receiver in receivers:
            signal.disconnect(receiver)

    return stop


class _Tasks:
    """The tasks that run in this process."""

    def __init__(self, client: Client) -> None:
        self._client = client
        #: By the identity of the request, because one task's id can run twice at once: when it
        #: is delivered again, or replaces itself. Celery keeps the request from prerun to postrun.
        self._running: dict[int, Within] = {}

    def published(self, headers: Any, **_more: Any) -> None:
        traceparent = guarded(self._client.traceparent)
        if traceparent is not None and type(headers) is dict:
            headers.setdefault("traceparent", traceparent)

    def started(self, task_id: str, task: Any, **_more: Any) -> None:
        guarded(self._enter, task, task_id)

    def ended(self, task: Any, **_more: Any) -> None:
        guarded(self._leave, task)

    def failed(self, sender: Any, task_id: str, exception: Any, **_more: Any) -> None:
        guarded(self._capture, exception, "error", sender, task_id)

    def retried(self, sender: Any, request: Any, reason: Any, **_more: Any) -> None:
        guarded(self._capture, reason.exc, "warning", sender, request.id)

    def process_ended(self, **_more: Any) -> None:
        # A child of the pool ends without the functions of atexit.
        guarded(self._client.finish)

    def _enter(self, task: Any, task_id: str) -> None:
        within = self._client.run(_facts(task, task_id), task.request.headers or {})
        within.__enter__()
        self._running[id(task.request)] = within

    def _leave(self, task: Any) -> None:
        within = self._running.pop(id(task.request), None)
        if within is not None:
            within.__exit__(None, None, None)

    def _capture(self, error: object, level: Level, task: Any, task_id: str) -> None:
        if isinstance(error, Exception):
            self._client.capture_exception(
                error, mechanism="celery", level=level, attributes=_facts(task, task_id)
            )


def _facts(task: Any, task_id: str) -> dict[str, Json]:
    return {"job": task.name, "job_id": task_id, "retries": task.request.retries}
