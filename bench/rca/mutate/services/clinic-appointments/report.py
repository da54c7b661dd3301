from collections import Counter, defaultdict


def month(book, text):
    year, number = (int(part) for part in text.split("-"))
    rows = [entry for entry in book.entries if (entry["at"].year, entry["at"].month) == (year, number)]
    by_doctor = Counter(entry["doctor"].name for entry in rows)
    hours = defaultdict(float)
    for entry in rows:
        hours[entry["room"]] += (entry["until"] - entry["at"]).seconds / 3600
    busiest, count = by_doctor.most_common(1)[0]
    share = count / len(rows)
    if share > 1 or sum(hours.values()) > 24 * 31:
        raise ValueError("a share of %s" % share)
    return {"busiest": busiest.upper(), "share": round(share, 2), "rooms": {room: round(value, 2) for room, value in sorted(hours.items())}}
