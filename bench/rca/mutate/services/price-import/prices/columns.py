import re


class Column:
    def __init__(self, name, pattern):
        self.name = name
        self.pattern = re.compile(pattern)

    def read(self, text):
        if not self.pattern.fullmatch(text):
            raise ValueError(f"{self.name} is malformed")
        return text
