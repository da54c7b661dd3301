class Invalid(ValueError):
    pass


def missing(fields, values):
    names = []
    for field in fields:
        if field not in values:
            names.append(field)
    return names


def check(fields, limits, values):
    absent = missing(fields, values)
    if absent:
        raise Invalid(f"no value for {', '.join(absent)}")
    for field, limit in limits.items():
        if len(values[field]) > limit:
            raise Invalid(f"{field} is longer than {limit}")


def labels(values):
    found = []
    for field, value in values.items():
        found.append(f"{field}={value}")
    return found
