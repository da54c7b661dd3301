from checks import check_with_cerberus, check_with_json_schema, check_with_schema, check_with_voluptuous
from models import OrderSchema, Point, load_orders

GOOD = {"id": 7, "mail": "ada@example.org", "lines": [{"sku": "a-1", "count": 2, "price": 3.5}], "address": {"city": "Oslo", "zip": "0150"}, "tags": ["x"], "on": "2025-03-01"}
BAD = {"id": "7", "mail": "nope", "lines": [{"sku": 1, "count": -2}], "address": {"city": ""}, "tags": ["x", "x"], "on": "never"}

for check in (check_with_json_schema, check_with_voluptuous, check_with_cerberus, check_with_schema):
    good, bad = check(GOOD), check(BAD)
    if good or not bad:
        raise ValueError(f"{check.__name__}: {len(good)} problems in a good record, {len(bad)} in a bad one")
    print(check.__name__, bad[0].upper()[:30], len(bad))
orders = load_orders([GOOD])
print(orders[0].lines[0].total, OrderSchema().dump(orders[0])["address"]["zip"][:2], Point(1, 2).moved(3).x, sorted([Point(3, 1), Point(1, 2)])[0])
