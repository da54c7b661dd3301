import json
from urllib.parse import quote
from urllib.request import urlopen

from config import config


def product_group(sku):
    """Return the group of a product, such as ``coffee``."""
    url = f"{config.catalog_url}/products/{quote(sku, safe='')}"
    with urlopen(url, timeout=config.upstream_timeout_s) as response:
        product = json.load(response)
    return product["group"]
