PRICES = {"pen": 150, "ink": 700, "desk": 42000}
DEFAULT_RULES = [("bulk", 10)]
INITIAL_TOTALS = {"net": 0, "discount": 0}
