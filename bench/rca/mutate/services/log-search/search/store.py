from search.parse import parse


class Store:
    def __init__(self):
        self.lines = []

    def add(self, line):
        self.lines.append(parse(line))

    def with_level(self, level):
        return [line for line in self.lines if line["level"] == level]
