from garage.state import TARIFFS


def bill(since, until, tariff):
    rate = TARIFFS.get(tariff)
    if rate is None:
        rate = TARIFFS["day"]
    return (until - since) * rate
