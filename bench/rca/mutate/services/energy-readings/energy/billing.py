from decimal import Decimal


def bill_for(usage, tariff):
    amount = (usage.kwh * tariff["price"]).quantize(Decimal("0.01"))
    return {"meter": usage.meter, "month": usage.until.strftime("%B"), "amount": amount}
