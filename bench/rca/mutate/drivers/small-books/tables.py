from prettytable import PrettyTable, TableStyle
from tabulate import tabulate
from wcwidth import wcswidth, wrap


def draw(rows):
    text = tabulate(rows, headers="keys", tablefmt="github", floatfmt=".2f", colalign=("left", "right", "right", "center"))
    table = PrettyTable(list(rows[0]))
    table.add_rows([list(row.values()) for row in rows])
    table.align["author"] = "l"
    table.sortby = "total"
    table.set_style(TableStyle.SINGLE_BORDER)
    widths = {wcswidth(line) for line in table.get_string().splitlines()}
    if len(widths) != 1 or len({len(line) for line in text.splitlines()}) != 1:
        raise ValueError(f"lines of {widths} columns")
    other = tabulate([["ä", 1.5], ["日本", None], ["c\nd", "1e3"]], ["name", "n"], tablefmt="grid", missingval="-", showindex=True)
    return text if wcswidth(other.splitlines()[0]) else table.get_html_string() + wrap("a b", 1)[0]
