import json


def load_config(path):
    with open(path, encoding="utf-8") as file:
        config = json.load(file)
    for zone in config["zones"]:
        zone["kinds"] = frozenset(zone["kinds"])
    return config
