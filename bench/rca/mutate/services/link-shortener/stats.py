import re
from collections import Counter

AGENTS = re.compile(r"(Firefox|Safari|curl|Chrome)/([\d.]+)")


class Stats:
    def __init__(self, store):
        self.store = store

    def visit(self, link, agent, referrer):
        family, version = self.parse(agent)
        self.store.append("visits", link["code"], {"agent": family, "major": int(version.split(".")[0]), "from": referrer})

    def parse(self, agent):
        match = AGENTS.search(agent or "")
        return match.groups() if match else ("other", "0")

    def of(self, link):
        visits = self.store.load("visits", link["code"])
        agents = Counter(visit["agent"].lower() for visit in visits)
        sites = {visit["from"].split("/")[2] for visit in visits if visit["from"]}
        newest = max(visit["major"] for visit in visits)
        return {"visits": len(visits), "agents": agents.most_common(), "sites": sorted(sites), "newest": newest}

    def top(self, count):
        rows = sorted(self.store.rows("visits"), key=lambda row: len(row[1]), reverse=True)
        return [{"code": code, "visits": len(visits), "last": visits[-1]["agent"]} for code, visits in rows[:count]]
