from __future__ import annotations

import sys

from whence._core.guard import guarded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from whence._client import Client


def watch_uncaught_exceptions(client: Client) -> Callable[[], None]:
    """Record what ends the program, then do what was to be done without the client."""
    previous = sys.excepthook

    def excepthook(
        kind: type[BaseException], error: BaseException, traceback: TracebackType | None
    ) -> None:
        try:
            guarded(_capture, client, error)
        except BaseException:
            # A signal. A program that has ended ends as it would have; others call this hook, too.
            if sys._getframe().f_back is not None:
                raise
        finally:
            previous(kind, error, traceback)

    sys.excepthook = excepthook

    def stop() -> None:
        if sys.excepthook is excepthook:
            sys.excepthook = previous

    return stop


def _capture(client: Client, error: BaseException) -> None:
    # KeyboardInterrupt and SystemExit are ways to end, not failures.
    if not issubclass(type(error), Exception) and not _is_group(error):
        return
    client.capture_exception(
        error, mechanism="sys.excepthook", level="critical", handled=False, is_fatal=True
    )
    client.sender.write_now()


def _is_group(error: BaseException) -> bool:
    return type(error).__name__ == "BaseExceptionGroup"
