from itertools import groupby


def render(books):
    employees = {expense.employee for expense, _ in books.entries}
    rows = [{"name": name, "total": books.of(name), "count": count_of(books, name)} for name in employees]
    rows.sort(key=lambda row: (-row["total"], row["name"]))
    months = {}
    for month, group in groupby(books.entries, key=lambda entry: entry[0].month):
        amounts = [euro for _, euro in group]
        months[month] = sum(amounts) / len(amounts)
    return {"employees": rows, "months": months, "largest": max(books.entries, key=lambda entry: entry[1])[0].category.upper()}


def count_of(books, name):
    return len([1 for expense, _ in books.entries if expense.employee == name])
