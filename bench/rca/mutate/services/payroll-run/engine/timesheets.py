from collections import defaultdict
from datetime import date


class Timesheet:
    def __init__(self, month, days, weekly_hours):
        self.weekly_hours = weekly_hours
        self.weeks = defaultdict(float)
        for text, hours in days:
            day = date.fromisoformat(text)
            if not text.startswith(month):
                raise ValueError(f"{text} is not in {month}")
            if not 0 < hours <= 16:
                raise ValueError(f"{hours} hours on {text}")
            self.weeks[day.isocalendar()[1]] += hours

    def split(self):
        normal = sum(min(hours, self.weekly_hours) for hours in self.weeks.values())
        total = sum(self.weeks.values())
        return normal, total - normal
