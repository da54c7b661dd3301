"""Programs that exit, are ended by a signal, or do something at their end."""

import client  # noqa: F401, I001 -- first, as programs do it
import atexit
import os
import signal
import sys
import time
from pathlib import Path


def end_after_sending():  # arrives: sent before the end
    sdk = sys.modules.get("whence") or sys.modules.get("sentry_sdk")
    if sdk is not None:
        sdk.capture_message("sent before the end")
        sdk.flush()


def exit_with_code():
    sys.exit(3)


def exit_with_text():
    sys.exit("a reason")


def exit_with_none():
    sys.exit()


def exit_after_error():  # arrives: handled
    import logging

    try:
        raise ValueError("handled")
    except ValueError:
        logging.getLogger("shop").exception("handled")
    sys.exit(2)


def os_exit():
    print("bye", flush=True)
    os._exit(5)


def keyboard_interrupt():
    raise KeyboardInterrupt


def sigint():
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(5)


def sigterm():
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(5)


def sigterm_handled():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(5)


def sigkill():  # keeps: logged
    import logging

    logging.error("logged")
    time.sleep(1)
    # On a slow machine, the event takes longer to reach the disk.
    spool = os.environ.get("WHENCE_SPOOL")
    while spool and not any(
        b"logged" in file.read_bytes() for file in Path(spool).rglob("*.pyspool")
    ):
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGKILL)


def abort():
    os.abort()


def capture_in_signal_handler():  # arrives: in the handler
    import logging

    def handler(*_):
        logging.error("in the handler")

    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(0.1)


def error_in_atexit():  # arrives: at the end
    def last():
        raise ValueError("at the end")

    atexit.register(last)


def log_in_atexit():  # arrives: logged at the end
    import logging

    atexit.register(logging.error, "logged at the end")


def closed_stdout():  # arrives: broken
    sys.stdout.close()
    raise ValueError("broken")


def closed_stderr():  # arrives: broken
    sys.stderr.close()
    raise ValueError("broken")


def closed_descriptors():  # arrives: broken
    os.close(1)
    os.close(2)
    raise ValueError("broken")


if __name__ == "__main__":
    globals()[sys.argv[1]]()
