from forms.checks import check, labels
from forms.schema import fields_of, limits_of


def submit(name, values):
    fields = fields_of(name)
    check(fields, limits_of(name), values)
    shown = labels(values)
    if len(shown) != len(fields):
        raise RuntimeError(f"{len(shown)} labels for {len(fields)} fields of {name}")
    return "; ".join(shown)
