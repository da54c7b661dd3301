import traceback

from invoices.service import handle

CALLS = [("find", 1), ("store", 2), ("paid", 2), ("count", 0)] * 4

failed = False
for kind, number in CALLS:
    try:
        print(handle(kind, number))
    except Exception:
        traceback.print_exc()
        failed = True
if failed:
    raise SystemExit(1)
