from forms.defaults import BASE_FIELDS, DEFAULT_LIMITS

EXTRA = {"contact": {"text": 200}, "order": {"sku": 8, "count": 3}}


def fields_of(name):
    fields = list(BASE_FIELDS)
    fields.extend(EXTRA[name])
    return fields


def limits_of(name):
    limits = dict(DEFAULT_LIMITS)
    limits.update(EXTRA[name])
    return limits
