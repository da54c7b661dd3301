from prices.sheet import COLUMNS, note_of, title_words


def load(row):
    cells = row.split(";")
    values = {column.name: column.read(cell) for column, cell in zip(COLUMNS, cells)}
    values["words"] = title_words(values["title"])
    values["note"] = note_of(cells[3]) if len(cells) > 3 else None
    return values
