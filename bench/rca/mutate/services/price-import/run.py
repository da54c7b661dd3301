import signal
import traceback

from prices.load import load

ROWS = [
    "AB-1;Green tea;3.20;note: fresh, green.",
    "CD-2;Black coffee;4.10;note: " + "roasted" * 5 + "!",
    "EF-3;" + "longtitle" * 4 + "?;1.00",
    "GH-4;Water;" + "1234567890" * 4,
]


def stop(number, frame):
    raise TimeoutError("the row takes more than 2 s")


signal.signal(signal.SIGALRM, stop)
failed = False
for row in ROWS:
    signal.alarm(2)
    try:
        print(load(row))
    except ValueError as problem:
        print(problem)
    except TimeoutError:
        traceback.print_exc()
        failed = True
    finally:
        signal.alarm(0)
if failed:
    raise SystemExit(1)
