import time

from letters.settings import settings


class LinkTooOld(Exception):
    pass


def make_link(person, now=None):
    issued = int((time.time() if now is None else now) * 1000)
    return f"{person}.{issued}"


def follow(link, now=None):
    person, _, issued = link.rpartition(".")
    age_seconds = (time.time() if now is None else now) - int(issued) / 1000
    if age_seconds > settings.link_days * 86400:
        raise LinkTooOld(f"link of {person} is {round(age_seconds)} s old")
    if age_seconds < -60:
        raise LinkTooOld(f"link of {person} comes from the future")
    return person
