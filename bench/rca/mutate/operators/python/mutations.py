"""Reads a Python source and writes its mutations and its functions as JSON. Offsets are in characters."""

import ast
import json
import re
import sys
import zlib

RELEASES = re.compile(r"^(release|close|unlock|rollback|shutdown|disconnect|join|task_done|clear|reset|flush|commit)$")
STORES = re.compile(r"^(add|append|put|set|update|pop|remove|discard|insert|extend|setdefault|register)$")
QUANTITY = re.compile(r"(ms|sec|seconds|time|timeout|size|length|amount|price|cents|total|ttl|age|interval|limit|width|offset|count)$")
CONVERSIONS = {"int", "str", "float", "list", "dict", "tuple", "set", "bytes", "Decimal", "loads", "dumps", "len", "sorted", "strip", "decode", "encode", "iter", "isoformat"}
SIMILAR = {
    "append": "extend", "extend": "append", "items": "keys", "keys": "values", "values": "keys", "split": "strip",
    "strip": "split", "find": "index", "index": "find", "get": "pop", "group": "groups", "groups": "group",
    "match": "fullmatch", "search": "match", "fetchone": "fetchall", "fetchall": "fetchone", "read": "readline",
    "readline": "readlines", "startswith": "endswith", "partition": "split", "encode": "strip", "add": "discard",
    "popleft": "pop", "isoformat": "ctime", "any": "all", "all": "any", "min": "list", "max": "list",
}
FACTORS = {60, 100, 1000, 1024, 3600, 60_000, 86_400, 3_600_000, 86_400_000}
BOUND = re.compile(r"max|limit|size|capacity|timeout|ttl|quota|parallel|workers|wait_seconds|hours$|days$|minutes$|kb$", re.I)
LOCK = re.compile(r"lock|mutex|guard|semaphore|at_a_time", re.I)
DATED = re.compile(r"expir|until|\bexp\b|renew|stale|deadline|\bage|good_for", re.I)
SECRET = re.compile(r"token|credential|secret|session|api_?key|password|ticket|log_in", re.I)
ENCODINGS = {"utf-8": "ascii", "utf8": "utf-16", "ascii": "utf-16", "latin-1": "utf-8", "latin1": "utf-8"}


# A repeated class of characters, and what must be between the repeats of a group that begins with it.
REPEATS = re.compile(r"(?:\[[^\]]+\]|\\[wdsS])\+")
SEPARATORS = re.compile(r"\((?:\?:)?(?:\\[.\-/+s]|[-/,:_ ])(?=\[|\\w|\\d)")


def pick(choices, key):
    return choices[zlib.crc32(key.encode()) % len(choices)] if choices else None


def misspelt(name, line):
    camel = re.sub(r"_([a-z])", lambda match: match.group(1).upper(), name)
    snake = re.sub(r"([a-z\d])([A-Z])", r"\1_\2", name).lower()
    choices = [other for other in (camel, snake) if other != name]
    choices.append(name[:-1] if name.endswith("s") and len(name) > 1 else name + "s")
    if len(name) > 4:
        choices += [name[:-2] + name[-1:], name[:1] + name[2:]]
    return pick(choices, f"{name}{line}")


class Mutations(ast.NodeVisitor):
    def __init__(self, text, ran, answers):
        self.text = text
        self.answers = answers
        self.ran = ran
        self.lines = text.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.found = []
        self.functions = []
        self.around = []

    def offset(self, line, column):
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def span(self, node):
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)

    def source(self, node):
        start, end = self.span(node)
        return self.text[start:end]

    def add(self, operator, node, text):
        start, end = self.span(node)
        self.add_span(operator, start, end, text)

    def add_span(self, operator, start, end, text, *more):
        edits = [{"start": start, "end": end, "text": text}, *more]
        self.found.append({"operator": operator, "edits": edits})

    def remove(self, operator, node):
        """Removes a statement: `pass` takes its place where it is the only one."""
        self.add(operator, node, "pass" if node in self.alone else "")

    def visit(self, node):
        line = getattr(node, "lineno", None)
        if line is None or line in self.ran or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for kind in type(node).__mro__:
                method = getattr(self, "at_" + kind.__name__, None)
                if method is not None:
                    method(node)
                    break
        named = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        if named:
            self.functions.append({"name": node.name, "lineStart": node.lineno, "lineEnd": node.end_lineno, "start": self.span(node)[0], "end": self.span(node)[1]})
            self.around.append(node)
        self.generic_visit(node)
        if named:
            self.around.pop()

    def at_Module(self, node):
        first = node.body[0] if node.body else None
        is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        body = [one for one in node.body[is_docstring:] if not (isinstance(one, ast.ImportFrom) and one.module == "__future__")]
        self.after_docstring = self.starts[body[0].lineno - 1] if body else len(self.text)
        self.alone = set()
        self.parents = {}
        for outer in ast.walk(node):
            for child in ast.iter_child_nodes(outer):
                self.parents[child] = outer
            for field in ("body", "orelse", "finalbody"):
                block = getattr(outer, field, None)
                if isinstance(block, list) and len(block) == 1:
                    self.alone.add(block[0])

    def at_If(self, node):
        leaves = isinstance(node.body[-1], (ast.Return, ast.Raise, ast.Continue)) and len(node.body) <= 3
        is_elif = self.text[self.span(node)[0]:].startswith("elif")
        if leaves and not node.orelse and not is_elif:
            self.remove("drop-guard", node)
        negated = self.source(node.test.operand) if isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not) else f"not ({self.source(node.test)})"
        self.add("negate-condition", node.test, negated)
        if leaves and not node.orelse and not is_elif and self.around:
            is_async = isinstance(self.around[-1], ast.AsyncFunctionDef)
            imported = {"start": self.after_docstring, "end": self.after_docstring, "text": "import asyncio\n" if is_async else "import time\n"}
            wait = "await asyncio.sleep(0.02)" if is_async else "time.sleep(0.02)"
            end = self.span(node)[1]
            self.add_span("wait-between", end, end, f"\n{' ' * node.col_offset}{wait}", imported)

    def at_IfExp(self, node):
        self.add("negate-condition", node.test, f"not ({self.source(node.test)})")

    def at_BoolOp(self, node):
        operator = "wrong-default" if isinstance(node.op, ast.Or) else "drop-guard"
        self.add(operator, node, self.source(node.values[0]))
        if isinstance(node.op, ast.And):
            self.add(operator, node, self.source(node.values[-1]))
        if DATED.search(self.source(node.values[-1])) and SECRET.search(self.text) and isinstance(self.parents.get(node), ast.If):
            self.add("kept-credential", node, self.source(node.values[0]))

    def at_Return(self, node):
        if node.value is not None:
            start = self.span(node)[0]
            self.add_span("drop-return", start, self.span(node.value)[0], "")
            self.add_round_trip(node.value)
            self.add("drop-return", node, "return" if self.source(node.value) == "None" else "return None")

    def add_round_trip(self, value):
        if isinstance(value, (ast.Constant, ast.JoinedStr)):
            return
        imported = {"start": self.after_docstring, "end": self.after_docstring, "text": "import json\n"}
        more = [] if re.search(r"^import json$", self.text, re.M) else [imported]
        start, end = self.span(value)
        self.add_span("json-round-trip", start, end, f"json.loads(json.dumps({self.source(value)}, default=str))", *more)

    def at_Await(self, node):
        self.add("drop-await", node, self.source(node.value))

    def at_Raise(self, node):
        self.add("swallow-error", node, "return None" if self.around else "pass")

    def at_ExceptHandler(self, node):
        start = self.span(node.body[0])[0]
        self.add_span("swallow-error", start, self.span(node.body[-1])[1], "pass")

    def at_Try(self, node):
        if node.finalbody and node.handlers:
            last = node.orelse or node.handlers[-1].body
            self.add_span("missing-release", self.span(last[-1])[1], self.span(node.finalbody[-1])[1], "")
        elif node.finalbody:
            self.add_span("missing-release", self.span(node.finalbody[0])[0], self.span(node.finalbody[-1])[1], "pass")

    def at_AsyncWith(self, node):
        self.add_dropped_lock(node)

    def add_dropped_lock(self, node):
        if len(node.items) == 1 and LOCK.search(self.source(node.items[0].context_expr)):
            self.add_span("drop-lock", self.span(node)[0], self.span(node.items[0].context_expr)[1], "if True")

    def at_With(self, node):
        self.add_dropped_lock(node)
        item = node.items[0]
        if len(node.items) == 1:
            name = f"{self.source(item.optional_vars)} = " if item.optional_vars else ""
            end = self.span(item)[1] if hasattr(item, "lineno") else self.span(item.optional_vars or item.context_expr)[1]
            self.add_span("missing-release", self.span(node)[0], end, f"{name}{self.source(item.context_expr)}\n{' ' * node.col_offset}if True")

    def at_Expr(self, node):
        call = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(call, ast.Call):
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            operator = "missing-release" if RELEASES.match(name) else "stale-state" if STORES.match(name) else "missing-call"
            self.remove(operator, node)

    def at_Call(self, node):
        arguments = [argument for argument in node.args if not isinstance(argument, ast.Starred)]
        for left, right in zip(arguments, arguments[1:]):
            if self.source(left) != self.source(right):
                start, end = self.span(left)[0], self.span(right)[1]
                between = self.text[self.span(left)[1]:self.span(right)[0]]
                self.add_span("swap-arguments", start, end, self.source(right) + between + self.source(left))
        every = [*node.args, *node.keywords]
        for index, argument in enumerate(every):
            if getattr(argument, "arg", "") is None or isinstance(argument, ast.Starred):
                continue
            if index + 1 < len(every):
                self.add_span("drop-argument", self.span(argument)[0], self.span(every[index + 1])[0], "")
            else:
                start = self.span(every[index - 1])[1] if index else self.span(argument)[0]
                self.add_span("drop-argument", start, self.span(argument)[1], "")
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in ("dict", "list", "set", "deepcopy", "copy") and len(node.args) == 1 and not node.keywords:
            self.add("drop-copy", node, self.source(node.args[0]))
        if name == "copy" and isinstance(node.func, ast.Attribute) and not every:
            self.add("drop-copy", node, self.source(node.func.value))
        if isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "re" and node.args:
            self.add_ambiguous_pattern(node.args[0])
        if isinstance(node.func, ast.Attribute):
            if name in SIMILAR:
                self.rename_attribute("similar-method", node.func, SIMILAR[name])
            if name in CONVERSIONS and not node.args:
                self.add("wrong-type", node, self.source(node.func.value))
        elif name in SIMILAR and name in ("any", "all", "min", "max"):
            self.add("similar-method", node.func, SIMILAR[name])
        if name in CONVERSIONS and len(node.args) == 1 and not node.keywords:
            self.add("wrong-type", node, self.source(node.args[0]))

    def add_ambiguous_pattern(self, node):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            return
        written = self.source(node)
        for repeat in REPEATS.finditer(written):
            text = f"(?:{repeat[0]})+"
            self.add("ambiguous-pattern", node, written[: repeat.start()] + text + written[repeat.end() :])
        for separator in SEPARATORS.finditer(written):
            self.add("ambiguous-pattern", node, written[: separator.end()] + "?" + written[separator.end() :])

    def rename_attribute(self, operator, node, name):
        end = self.span(node)[1]
        self.add_span(operator, end - len(node.attr), end, name)

    def at_Attribute(self, node):
        parent = self.parents.get(node)
        called = isinstance(parent, ast.Call) and parent.func is node
        if not called and not node.attr.startswith("__"):
            self.rename_attribute("wrong-key", node, misspelt(node.attr, node.lineno))
        if QUANTITY.search(node.attr) and isinstance(node.ctx, ast.Load) and not called and isinstance(parent, (ast.Call, ast.BinOp, ast.Return)):
            self.add("wrong-unit", node, f"{self.source(node)} * 1000")

    def at_List(self, node):
        if len(node.elts) == 1 and isinstance(node.elts[0], ast.Starred):
            self.add("drop-copy", node, self.source(node.elts[0].value))

    def at_Dict(self, node):
        if len(node.keys) == 1 and node.keys[0] is None:
            self.add("drop-copy", node, self.source(node.values[0]))
        for key, value in zip(node.keys, node.values):
            if isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value.isidentifier():
                quote = self.source(key)[-1]
                self.add("answer-field" if self.answers else "wrong-key", key, quote + misspelt(key.value, key.lineno) + quote)
                rest = self.text[self.span(value)[1]:]
                comma = re.match(r"\s*,[ ]*", rest)
                before = re.search(r",\s*$", self.text[:self.span(key)[0]])
                start = self.span(key)[0] if comma or not before else before.start()
                self.add_span("answer-field" if self.answers else "drop-key", start, self.span(value)[1] + (comma.end() if comma else 0), "")
                if isinstance(value, ast.Constant) and type(value.value) in (int, float):
                    self.add("answer-field" if self.answers else "wrong-type", value, f'"{value.value}"')

    def at_Subscript(self, node):
        index = node.slice
        if isinstance(index, ast.Slice) and not (index.lower or index.upper or index.step):
            self.add("drop-copy", node, self.source(node.value))
        if isinstance(index, ast.Constant) and isinstance(index.value, str) and index.value.isidentifier():
            quote = self.source(index)[-1]
            self.add("wrong-key", index, quote + misspelt(index.value, index.lineno) + quote)
        if isinstance(index, ast.Constant) and type(index.value) is int:
            self.add("off-by-one", index, str(index.value + 1))

    def at_Constant(self, node):
        if isinstance(node.value, str) and node.value in ENCODINGS:
            self.add("wrong-encoding", node, f'"{ENCODINGS[node.value]}"')
        if type(node.value) is int and node.value >= 10:
            self.add("wrong-unit", node, f"{self.source(node)} * 1000")
            self.add("wrong-unit", node, f"{self.source(node)} / 1000")

    def at_Compare(self, node):
        pairs = {ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">")}
        kind = pairs.get(type(node.ops[0]))
        if kind and len(node.ops) == 1:
            start, end = self.span(node.left)[1], self.span(node.comparators[0])[0]
            self.add_span("off-by-one", start, end, self.text[start:end].replace(kind[0], kind[1]))

    def at_BinOp(self, node):
        if isinstance(node.op, (ast.Mult, ast.Div)) and getattr(node.right, "value", None) in FACTORS:
            self.add("other-unit", node, self.source(node.left))
        if isinstance(node.op, (ast.Add, ast.Sub)) and self.source(node.right) == "1":
            self.add("off-by-one", node, self.source(node.left))

    def add_tight_bound(self, name, value):
        if BOUND.search(name) and isinstance(value, ast.Constant) and type(value.value) in (int, float) and value.value > 0:
            tight = value.value / 10 if isinstance(value.value, float) or value.value < 10 else value.value // 10
            self.add("tight-bound", value, str(tight))

    def at_AnnAssign(self, node):
        self.add_tight_bound(self.source(node.target), node.value)

    def at_Assign(self, node):
        target = node.targets[0]
        self.add_tight_bound(self.source(target), node.value)
        fills_field = isinstance(target, ast.Attribute) and getattr(target.value, "id", "") == "self"
        if fills_field:
            self.remove("missing-initialization", node)
        if isinstance(target, ast.Subscript):
            self.remove("stale-state", node)
        empty = self.source(node.value) in ("[]", "{}", "set()", "dict()", "list()")
        if empty and isinstance(target, ast.Name) and self.around:
            self.add_shared_default(node, target)
            outer = self.around[0]
            while not isinstance(self.parents.get(outer), ast.Module):
                outer = self.parents[outer]
            first = outer.decorator_list[0] if getattr(outer, "decorator_list", None) else outer
            at = self.starts[first.lineno - 1]
            start, end = self.span(node)
            text = "pass" if node in self.alone else ""
            self.add_span("shared-state", start, end, text, {"start": at, "end": at, "text": f"{self.source(node)}\n\n\n"})

    def add_shared_default(self, node, target):
        """Makes a fresh collection the default of a parameter."""
        owner = self.around[-1]
        given = owner.args
        last = [*given.posonlyargs, *given.args][-1:]
        if node not in owner.body or not last or given.vararg or given.kwonlyargs or given.kwarg:
            return
        place = given.defaults[-1] if given.defaults else last[0]
        at = self.span(place)[1]
        edit = {"start": at, "end": at, "text": f", {target.id}={self.source(node.value)}"}
        start, end = self.span(node)
        text = "pass" if node in self.alone else ""
        self.found.append({"operator": "shared-default", "edits": [edit, {"start": start, "end": end, "text": text}]})

    def at_FunctionDef(self, node):
        arguments = node.args.posonlyargs + node.args.args
        for argument, default in zip(reversed(arguments), reversed(node.args.defaults)):
            if node.lineno in self.ran and argument is arguments[len(arguments) - len(node.args.defaults)]:
                self.add_span("wrong-default", self.span(argument)[1], self.span(default)[1], "")

    def at_AsyncFunctionDef(self, node):
        self.at_FunctionDef(node)

    def at_Name(self, node):
        if not isinstance(node.ctx, ast.Load) or not self.around:
            return
        parent = self.parents.get(node)
        if isinstance(parent, ast.Call) and parent.func is node:
            return
        arguments = self.around[-1].args
        names = [argument.arg for argument in arguments.posonlyargs + arguments.args + arguments.kwonlyargs]
        for statement in self.around[-1].body:
            if isinstance(statement, ast.Assign) and statement.end_lineno < node.lineno:
                names += [target.id for target in statement.targets if isinstance(target, ast.Name)]
        other = pick([name for name in names if name not in (node.id, "self", "cls")], f"{node.id}{node.lineno}{node.col_offset}")
        if other is not None and node.id not in ("self", "cls"):
            self.add("wrong-variable", node, other)

    def at_ImportFrom(self, node):
        if node.level and len(node.names) > 1:
            first, second = node.names[0], node.names[1]
            start = self.span(first)[0]
            self.add_span("wrong-import", start, self.span(second)[0], "")


request = json.load(sys.stdin)
tree = ast.parse(request["text"])
mutations = Mutations(request["text"], set(request["lines"]), request.get("answers", False))
mutations.visit(tree)
json.dump({"mutations": mutations.found, "functions": mutations.functions}, sys.stdout)
