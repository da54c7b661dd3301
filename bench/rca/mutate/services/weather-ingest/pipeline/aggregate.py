from collections import defaultdict
from statistics import mean


class Aggregator:
    def __init__(self):
        self._observations = defaultdict(list)
        self._stations = {}

    def add(self, station, observation):
        if not -90 <= observation["temperature"] <= 60:
            raise ValueError(f"{observation['temperature']} degrees in {station['title']}")
        self._stations[station["name"]] = station
        self._observations[station["name"], observation["at"].date()].append(observation)

    def days(self):
        return sorted(self._observations)

    def summary(self, name, day):
        rows = sorted(self._observations[name, day], key=lambda row: row["at"])
        temperatures = [row["temperature"] for row in rows]
        winds = [row["wind"] for row in rows if row["wind"]]
        humidity = [row["humidity"] for row in rows if row["humidity"] is not None]
        strongest = max(winds, key=lambda wind: wind["speed"])
        return {
            "title": self._stations[name]["title"],
            "altitude": self._stations[name]["altitude"],
            "day": day.isoformat(),
            "low": min(temperatures),
            "high": max(temperatures),
            "mean": round(mean(temperatures), 1),
            "humidity": round(mean(humidity)) if humidity else None,
            "wind": (strongest["speed"], strongest["from"]),
            "change": temperatures[-1] - temperatures[0],
        }
