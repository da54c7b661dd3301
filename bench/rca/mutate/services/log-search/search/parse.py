from search.patterns import FIELD, HOST, LEVEL


def parse(line):
    level, host, *fields = line.split(" ")
    if not LEVEL.match(level):
        raise ValueError(f"no level in {line[:20]}")
    known = {"level": level, "host": host if HOST.match(host) else None, "fields": {}}
    for field in fields:
        found = FIELD.match(field)
        if found:
            known["fields"][found.group(0)[:-1]] = field[found.end():]
    return known
