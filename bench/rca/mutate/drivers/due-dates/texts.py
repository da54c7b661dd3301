import arrow
import humanize
from babel.dates import format_datetime, format_timedelta
from babel.numbers import format_currency, format_decimal, parse_decimal
from babel.plural import PluralRule


def describe(when, now):
    moment = arrow.get(when).to("Europe/Oslo")
    first, last = moment.span("week")
    days = (last - first).days
    ago = moment.humanize(arrow.get(now), granularity=["day", "hour"])
    amount = parse_decimal("1.234,50", locale="de")
    rule = PluralRule({"one": "n is 1", "few": "n in 2..4"})
    length = humanize.precisedelta(when - now, minimum_unit="minutes", format="%0.0f")
    line = f"{moment.format('dddd D MMMM YYYY HH:mm ZZ')}: {length}, {humanize.naturalsize(amount * 1000, binary=True)}, {humanize.intword(1200000)}, {humanize.ordinal(days)}"
    if arrow.get(line.split(":")[0].rsplit(" ", 1)[0], "dddd D MMMM YYYY").date() != moment.date():
        raise ValueError(f"{line} is not {moment}")
    return {
        "line": line,
        "ago": f"{ago} {rule(3)} {moment.shift(months=1, weekday=0).floor('day').isoformat()}",
        "german": format_datetime(when, "EEEE, d. MMMM yyyy 'um' HH:mm", locale="de_DE"),
        "short": format_timedelta(when - now, granularity="hour", locale="en_US", add_direction=True) + format_currency(amount, "EUR", locale="fr_FR") + format_decimal(12345.678, locale="en"),
        "days": days,
    }
