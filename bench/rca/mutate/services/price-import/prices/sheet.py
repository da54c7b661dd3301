import re

from prices.columns import Column

COLUMNS = [Column("sku", r"[A-Z]+-\d+"), Column("title", r"\w+( \w+)*"), Column("price", r"\d+\.\d\d")]


def title_words(title):
    return re.findall(r"[A-Za-z]+", title)


def note_of(text):
    found = re.match(r"note: (\w+(?:, \w+)*)\.$", text)
    return found.group(1) if found else None
