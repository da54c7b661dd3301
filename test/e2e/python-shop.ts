/** A shop whose total fails in `orders.py`, because `prices.py` returns None for a discounted item. */
export const pythonShop = {
  "shop/__init__.py": "",
  "shop/orders.py": `from shop.prices import price_of


def total_of(items):
    cents = 0
    for item in items:
        price = price_of(item["sku"])
        cents += price["cents"]
    return cents
`,
  "shop/prices.py": `PRICES = {"1": {"cents": 500}}


def price_of(sku):
    return PRICES.get(sku.replace("SALE", ""))
`,
};
