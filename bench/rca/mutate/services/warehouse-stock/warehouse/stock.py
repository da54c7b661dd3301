from collections import defaultdict


class Lot:
    def __init__(self, number, kind, count, expires, zone):
        self.number = number
        self.kind = kind
        self.free = count
        self.held = 0
        self.expires = expires
        self.zone = zone

    def hold(self, count):
        if count > self.free:
            raise ValueError(f"lot {self.number} has {self.free} free, {count} wanted")
        self.free -= count
        self.held += count

    def release(self, count):
        self.held -= count
        self.free += count


class Stock:
    def __init__(self, zones):
        self.zones = zones
        self.lots = defaultdict(list)
        self.next = 1

    def receive(self, kind, count, expires):
        zone = self.zones.for_kind(kind)
        self.zones.occupy(zone, count)
        lot = Lot(self.next, kind, count, expires, zone)
        self.next += 1
        self.lots[kind].append(lot)
        self.lots[kind].sort(key=lambda each: each.expires)
        return lot

    def free(self, kind):
        return sum(lot.free for lot in self.lots[kind])

    def remove(self, lot, count):
        lot.held -= count
        self.zones.vacate(lot.zone, count)
        if lot.free == 0 and lot.held == 0:
            self.lots[lot.kind].remove(lot)

    def expire(self, today):
        gone = {}
        for kind, lots in self.lots.items():
            old = [lot for lot in lots if lot.expires < today]
            for lot in old:
                self.zones.vacate(lot.zone, lot.free)
                lots.remove(lot)
            if old:
                gone[kind] = old
        return gone
