from decimal import ROUND_HALF_UP, Decimal


def cents(amount):
    exact = Decimal(str(amount)).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
    return float(exact)
