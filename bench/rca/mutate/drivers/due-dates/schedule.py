from datetime import datetime, timezone

from croniter import croniter
from dateutil import parser, tz
from dateutil.relativedelta import FR, relativedelta
from dateutil.rrule import DAILY, rrule, rruleset, rrulestr


def next_runs(expression, start, count):
    if not croniter.is_valid(expression):
        raise ValueError(f"not a schedule: {expression}")
    schedule = croniter(expression, start, ret_type=datetime)
    runs = [schedule.get_next() for _ in range(count)]
    back = croniter(expression, runs[-1]).get_prev(datetime)
    if back >= runs[-1]:
        raise ValueError(f"{back} is before {runs[-1]}")
    return runs


def occurrences(text):
    rules = rrulestr(text, forceset=True)
    rules.rrule(rrule(DAILY, dtstart=datetime(2025, 5, 1, 8), count=2, byhour=8, interval=3))
    dates = list(rules.between(datetime(2025, 1, 1), datetime(2026, 1, 1)))
    last = parser.parse("25th of September 2025 10:36 PM CET", tzinfos={"CET": tz.gettz("Europe/Berlin")}, fuzzy=True)
    following = last + relativedelta(months=+1, day=31, weekday=FR(-1), hour=7)
    iso = parser.isoparse("2025-W14-3T08:15:30+02:00")
    gap = relativedelta(following, iso)
    if gap.months < 1 or not isinstance(rules, rruleset):
        raise ValueError(f"only {gap} to {following}")
    return [date.replace(tzinfo=timezone.utc) for date in dates] + [following.astimezone(tz.UTC)]
