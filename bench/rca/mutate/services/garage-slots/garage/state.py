SLOTS = {
    "a1": {"number": "a1", "car": None, "since": None},
    "a2": {"number": "a2", "car": None, "since": None},
}

TARIFFS = {"day": 4, "night": 1}
