from office.couriers import quote
from office.store import ITEMS, Missing, item_by_code


def claim(code, owner):
    item = item_by_code(code)
    if item is None:
        raise Missing("nothing with code " + code)
    if owner is None:
        raise Missing("an owner is needed")
    item["owner"] = owner.strip()
    return "%s goes to %s" % (item["what"], item["owner"])


def send(code, zone):
    item = item_by_code(code)
    if item is None:
        raise Missing("nothing with code " + code)
    offer = quote(zone)
    if offer is None:
        raise Missing("no courier for " + zone)
    return "%s for %d" % (item["what"], offer["rate"])


def describe(code):
    item = item_by_code(code)
    if item is None:
        raise Missing("nothing with code " + code)
    return "%s, line %s" % (item["what"], item["line"])


def cost(zone, count):
    offer = quote(zone)
    if offer is None:
        raise Missing("no courier for " + zone)
    return offer["rate"] * count


def on_line(line):
    return [item["code"] for item in ITEMS if item["line"] == line]
