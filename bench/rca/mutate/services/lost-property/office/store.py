ITEMS = [
    {"code": "u-1", "what": "umbrella", "line": "4", "owner": None},
    {"code": "g-2", "what": "gloves", "line": "11", "owner": None},
]


class Missing(LookupError):
    """Something that was asked for isn't here."""


def item_by_code(code):
    for item in ITEMS:
        if item["code"] == code:
            return item
    return None
