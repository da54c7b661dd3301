from pricing.settings import PRICES


def audit(lines, steps, totals, group):
    expected = sum(PRICES[sku] * count for sku, count in lines)
    if totals["net"] != expected:
        raise ArithmeticError(f"net is {totals['net']}, expected {expected}")
    if group is None and totals["discount"] > totals["net"] // 10:
        raise ArithmeticError(f"a discount of {totals['discount']} without a group")
    if len(steps) != len(lines):
        raise LookupError(f"{len(steps)} steps for {len(lines)} lines")
