import sys
import traceback

from upstream.supplier import start_supplier
from warehouse.main import Warehouse

supplier = start_supplier()
warehouse = Warehouse("warehouse.json", supplier.url)

REQUESTS = [
    ("receive", {"kind": "milk", "count": 12, "expires": "2025-06-10"}),
    ("receive", {"kind": "flour", "count": 40, "expires": "2026-01-01"}),
    ("receive", {"kind": "milk", "count": 6, "expires": "2025-06-03"}),
    ("reserve", {"order": "o-1", "lines": {"milk": 8, "flour": 5}}),
    ("reserve", {"order": "o-2", "lines": {"flour": 30}}),
    ("ship", {"order": "o-1"}),
    ("cancel", {"order": "o-2"}),
    ("restock", {"today": "2025-06-01"}),
    ("reserve", {"order": "o-3", "lines": {"milk": 9, "flour": 10}}),
    ("ship", {"order": "o-3"}),
    ("expire", {"today": "2025-06-05"}),
    ("overview", {}),
]

for name, arguments in REQUESTS:
    try:
        answer = warehouse.handle(name, arguments)
        print(name, answer)
    except Exception:
        print("request %s failed" % name, file=sys.stderr)
        traceback.print_exc()
supplier.stop()
