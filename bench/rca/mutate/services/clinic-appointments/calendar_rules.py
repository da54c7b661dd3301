from configparser import ConfigParser
from datetime import date, datetime, time, timedelta


class Rules:
    def __init__(self, opens, closes, slot, holidays, reminder):
        self.opens = opens
        self.closes = closes
        self.slot = slot
        self.holidays = holidays
        self.reminder = reminder

    def check(self, at):
        if at.date() in self.holidays or at.weekday() > 4:
            raise ValueError("closed on %s" % at.date())
        if not self.opens <= at.time() < self.closes:
            raise ValueError("closed at %s" % at.time())

    def slots(self, day):
        at = datetime.combine(day, self.opens)
        end = datetime.combine(day, self.closes)
        while at + self.slot <= end:
            yield at
            at += self.slot


def load(path):
    parser = ConfigParser()
    parser.read(path)
    clinic = parser["clinic"]
    clock = lambda text: time(*map(int, text.split(":")))
    return Rules(
        clock(clinic["opens"]),
        clock(clinic["closes"]),
        timedelta(minutes=clinic.getint("slot_minutes")),
        {date.fromisoformat(day) for day in clinic["holidays"].split(",")},
        (timedelta(hours=parser["reminders"].getint("hours_before")), parser["reminders"]["sender"]),
    )
