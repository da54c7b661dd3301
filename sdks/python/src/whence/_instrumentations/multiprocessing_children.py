from __future__ import annotations

import sys

from whence._core.guard import guarded
from whence._instrumentations.loaded_modules import when_loaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from whence._client import Client


def watch_multiprocessing(client: Client) -> Callable[[], None]:
    """Record what ends a child of :mod:`multiprocessing`, which prints it and ends on its own.

    Such a child calls no hook and no function of :mod:`atexit`, but its finalizers, while it
    handles the error that ends it; from Python 3.13 on, it only prints the error then.
    """
    when_loaded("multiprocessing.util", lambda module: _watch(client, module))
    when_loaded("multiprocessing.process", lambda module: _watch_start(client, module))
    return _nothing


def _nothing() -> None:
    return


def _watch(client: Client, module: ModuleType) -> None:
    util: Any = module

    def add_finalizer(_client: object = None) -> None:
        util.Finalize(None, guarded, args=(_finish, client), exitpriority=-100)
        if sys.version_info >= (3, 13):
            _watch_printing(client)

    util.register_after_fork(client, add_finalizer)
    current = getattr(sys.modules.get("multiprocessing.process"), "_current_process", None)
    if getattr(current, "_inheriting", False) or sys.argv[1:2] == ["--multiprocessing-fork"]:
        # A spawned child loads the program again, and calls nothing that was registered for forks.
        add_finalizer()


def _watch_printing(client: Client) -> None:
    import functools
    import traceback

    original = traceback.print_exc

    @functools.wraps(original)
    def print_exc(*args: Any, **options: Any) -> None:
        if sys._getframe(1).f_globals.get("__name__") == "multiprocessing.process":
            guarded(_capture, client)
        original(*args, **options)

    traceback.print_exc = print_exc


def _finish(client: Client) -> None:
    _capture(client)
    client.finish()


def _capture(client: Client) -> None:
    error = sys.exc_info()[1]
    if error is not None and issubclass(type(error), Exception):
        client.capture_exception(
            error, mechanism="multiprocessing", level="error", handled=False, is_fatal=True
        )


def _watch_start(client: Client, module: ModuleType) -> None:
    """Start the sender again once a child runs: a fork ended it (see Client.after_fork)."""
    process: Any = module
    original = process.BaseProcess.start

    def start(self: Any) -> None:
        original(self)
        guarded(client.watch_again)

    start.__doc__ = original.__doc__
    process.BaseProcess.start = start
