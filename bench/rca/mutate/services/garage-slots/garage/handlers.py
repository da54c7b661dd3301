from garage.bills import bill
from garage.state import SLOTS, TARIFFS


def enter(number, body):
    slot = SLOTS.get(number)
    if slot is None:
        return 404, {"error": "no slot %s" % number}
    plate = body.get("plate")
    if plate is None:
        return 400, {"error": "plate is missing"}
    slot["car"] = plate.upper()
    slot["since"] = body["hour"]
    return 200, {"car": slot["car"]}


def leave(number, body):
    slot = SLOTS.get(number)
    if slot is None:
        return 404, {"error": "no slot %s" % number}
    if slot["since"] is None:
        return 409, {"error": "slot %s is empty" % number}
    price = bill(slot["since"], body["hour"], body.get("tariff", "day"))
    slot["car"] = slot["since"] = None
    return 200, {"price": price}


def show(number, body):
    slot = SLOTS.get(number)
    if slot is None:
        return 404, {"error": "no slot %s" % number}
    return 200, {"car": slot["car"]}


def raise_tariff(name, body):
    rate = TARIFFS.get(name)
    if rate is None:
        return 404, {"error": "no tariff %s" % name}
    TARIFFS[name] = rate + body["by"]
    return 200, {"rate": TARIFFS[name]}
