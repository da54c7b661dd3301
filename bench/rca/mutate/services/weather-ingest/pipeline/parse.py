import json
from datetime import datetime, timezone


def parse_frame(text):
    version, station, at, payload = text.strip().split("|", 3)
    parser = PARSERS.get(version)
    if parser is None:
        raise ValueError(f"unknown version {version}")
    return {"station": station.lower(), **parser(at, payload)}


def parse_first(at, payload):
    fields = dict(pair.split("=") for pair in payload.split(";"))
    wind = None
    if "w" in fields:
        speed, direction = fields["w"].split(",")
        wind = {"speed": float(speed), "from": direction}
    return {
        "at": datetime.strptime(at, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc),
        "temperature": float(fields["t"]),
        "humidity": int(fields["h"]),
        "wind": wind,
    }


def parse_second(at, payload):
    body = json.loads(payload)
    return {
        "at": datetime.fromtimestamp(int(at), tz=timezone.utc),
        "temperature": body["temperature"],
        "humidity": body.get("humidity"),
        "wind": body["wind"],
    }


PARSERS = {"WX1": parse_first, "WX2": parse_second}
