from campaigns import find_campaign
from catalog_client import product_group


def discount_for(sku, quantity):
    """Return the discount on an order, in percent, and the name of its campaign."""
    campaign = find_campaign(product_group(sku), quantity)
    return {"percent": campaign["percent"], "campaign": campaign["name"]}
