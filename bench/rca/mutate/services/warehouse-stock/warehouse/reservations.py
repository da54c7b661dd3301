class OutOfStock(Exception):
    def __init__(self, kind, missing):
        super().__init__(f"{missing} {kind} missing")
        self.kind = kind


class Reservations:
    def __init__(self, stock):
        self.stock = stock
        self.open = {}

    def make(self, order, lines):
        if order in self.open:
            raise ValueError(f"{order} is reserved")
        picked = []
        for kind, wanted in lines.items():
            picked += self.pick(kind, wanted)
        self.open[order] = picked
        return picked

    def pick(self, kind, wanted):
        if self.stock.free(kind) < wanted:
            raise OutOfStock(kind, wanted - self.stock.free(kind))
        picked = []
        for lot in self.stock.lots[kind]:
            count = min(lot.free, wanted)
            if count == 0:
                continue
            lot.hold(count)
            picked.append((lot, count))
            wanted -= count
        return picked

    def ship(self, order):
        picked = self.open.pop(order)
        for lot, count in picked:
            self.stock.remove(lot, count)
        return picked

    def cancel(self, order):
        released = 0
        for lot, count in self.open.pop(order):
            lot.release(count)
            released += count
        return released
