from pricing.settings import INITIAL_TOTALS, PRICES


def totals_of(lines):
    totals = dict(INITIAL_TOTALS)
    for sku, count in lines:
        totals["net"] += PRICES[sku] * count
    return totals


def steps_of(lines):
    steps = []
    for sku, count in lines:
        steps.append((sku, count))
    return steps
