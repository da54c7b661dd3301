from datetime import timedelta
from fractions import Fraction

PORTIONS = 2


class Recipe:
    def __init__(self, name, ingredients, duration):
        self.name = name
        self.ingredients = ingredients
        self.duration = duration

    def minutes(self):
        return int(self.duration.total_seconds() // 60)

    def scaled(self, portions):
        factor = Fraction(portions, PORTIONS)
        return Recipe(self.name, [one.times(factor) for one in self.ingredients], self.duration)


def parse_duration(text):
    hours, minutes = text.split(":")
    return timedelta(hours=int(hours), minutes=int(minutes))
