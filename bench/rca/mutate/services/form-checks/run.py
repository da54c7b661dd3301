import traceback

from forms.service import submit

FORMS = [
    ("contact", {"mail": "ada@example.com", "text": "Hello"}),
    ("order", {"mail": "bo@example.com", "sku": "A-1", "count": "2"}),
    ("contact", {"mail": "cy@example.com", "text": "Bye"}),
    ("order", {"mail": "di@example.com", "sku": "B-2", "count": "1"}),
    ("contact", {"mail": "ed@example.com", "text": "Again"}),
]

failed = False
for name, values in FORMS:
    try:
        print(name, submit(name, values))
    except Exception:
        traceback.print_exc()
        failed = True
if failed:
    raise SystemExit(1)
