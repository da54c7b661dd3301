from datetime import date

from .config import load_config
from .reservations import Reservations
from .restock import Restocker
from .stock import Stock
from .supplier_client import SupplierClient
from .zones import Zones


class Warehouse:
    def __init__(self, path, supplier_url):
        config = load_config(path)
        self.zones = Zones(config["zones"])
        self.stock = Stock(self.zones)
        self.reservations = Reservations(self.stock)
        self.restocker = Restocker(self.stock, SupplierClient(supplier_url, **config["supplier"]), config["reorder"])

    def handle(self, name, arguments):
        return getattr(self, "do_" + name)(**arguments)

    def do_receive(self, kind, count, expires):
        lot = self.stock.receive(kind, count, date.fromisoformat(expires))
        return {"lot": lot.number, "zone": lot.zone["name"].upper()}

    def do_reserve(self, order, lines):
        picked = self.reservations.make(order, lines)
        return {"lots": [lot.number for lot, _ in picked], "first": picked[0][0].expires.isoformat()}

    def do_ship(self, order):
        return {"shipped": sum(count for _, count in self.reservations.ship(order))}

    def do_cancel(self, order):
        return {"released": self.reservations.cancel(order)}

    def do_restock(self, today):
        return [f"{kind}: {count} for {price / 100:.2f} on {day:%d.%m.}" for kind, count, price, day in self.restocker.run(date.fromisoformat(today))]

    def do_expire(self, today):
        gone = self.stock.expire(date.fromisoformat(today))
        return {kind: sum(lot.free for lot in lots) for kind, lots in gone.items()}

    def do_overview(self):
        return {zone["name"]: f"{self.zones.used(zone) / zone['capacity']:.0%}" for zone in self.zones.all()}
