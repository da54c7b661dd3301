import json


class Publisher:
    def __init__(self):
        self._open = True
        self._sent = []

    async def publish(self, name, summary, outlook):
        if not self._open:
            raise RuntimeError("the publisher is closed")
        line = f"{summary['title']:<10} {summary['low']:>6.1f} {summary['high']:>6.1f} feels {outlook['feels']:.1f}, {outlook['trend'].upper()}"
        message = json.dumps({"station": name, "line": line, "snow": outlook["snow"], "day": summary["day"]}, sort_keys=True)
        self._sent.append(message)

    async def close(self):
        self._open = False
        return sum(len(message) for message in self._sent)
