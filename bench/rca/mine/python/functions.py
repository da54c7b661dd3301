"""Prints the functions of the Python source on standard input as JSON, outer ones first."""

import ast
import json
import sys


def functions(text):
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    starts = [0]
    for line in text.split("\n"):
        # JavaScript counts in units of UTF-16.
        starts.append(starts[-1] + len(line.encode("utf-16-le", "surrogatepass")) // 2 + 1)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            start = starts[node.lineno - 1] + node.col_offset
            yield {"name": node.name, "from": start, "to": starts[node.end_lineno]}


sys.stdin.reconfigure(encoding="utf-8", newline="")
json.dump(sorted(functions(sys.stdin.read()), key=lambda one: (one["from"], -one["to"])), sys.stdout)
