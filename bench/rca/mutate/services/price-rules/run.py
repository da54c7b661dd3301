import logging

from pricing.quote import Quotes

logging.basicConfig(format="%(levelname)s %(name)s: %(message)s")
log = logging.getLogger("pricing")

BASKETS = [
    ("ada", [("pen", 3), ("ink", 1)], None),
    ("bo", [("pen", 12)], "student"),
    ("cy", [("desk", 1)], None),
    ("ada", [("pen", 1)], "staff"),
    ("bo", [("ink", 2)], None),
]

quotes = Quotes()
failures = 0
for customer, lines, group in BASKETS:
    try:
        print(customer, quotes.quote(customer, lines, group))
    except Exception:
        log.exception("quote for %s failed", customer)
        failures += 1
if failures:
    raise SystemExit(1)
