class NoRoom(Exception):
    """A zone has no room for what it should hold."""


class Zones:
    def __init__(self, zones):
        self._zones = zones
        self._used = {zone["name"]: 0 for zone in zones}

    def for_kind(self, kind):
        for zone in self._zones:
            if kind in zone["kinds"]:
                return zone
        raise KeyError(f"no zone holds {kind}")

    def occupy(self, zone, count):
        if self._used[zone["name"]] + count > zone["capacity"]:
            raise NoRoom(f"{zone['name']} holds {self._used[zone['name']]} of {zone['capacity']}, {count} more came")
        self._used[zone["name"]] += count

    def vacate(self, zone, count):
        left = self._used[zone["name"]] - count
        if left < 0:
            raise ValueError(f"{zone['name']} would hold {left}")
        self._used[zone["name"]] = left

    def used(self, zone):
        return self._used[zone["name"]]

    def all(self):
        return list(self._zones)
