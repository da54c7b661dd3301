import signal
import traceback

from search.store import Store

LINES = [
    "info web-1 user.name=ada",
    "warn " + "hostnamepart" * 3 + "_ user.name=bo",
    "error web-2 " + "fieldname" * 4 + ":42",
    "info web-3 path=/",
]


def stop(number, frame):
    raise TimeoutError("the line takes more than 2 s")


signal.signal(signal.SIGALRM, stop)
store = Store()
failed = False
for line in LINES:
    signal.alarm(2)
    try:
        store.add(line)
    except Exception:
        traceback.print_exc()
        failed = True
    finally:
        signal.alarm(0)
print(len(store.with_level("info")))
if failed:
    raise SystemExit(1)
