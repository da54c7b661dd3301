import { describe, expect, it } from "vitest";
import { endsOf, functionsOn, rulesIn, saidOf } from "./clues-in.ts";

/** A traceback whose frames are `file:line`, the innermost last, as Python prints them. */
function traceback(error: string, ...frames: readonly string[]): string {
  const lines = frames.map((frame) => `  File "/srv/${frame.replace(":", '", line ')}, in f`);
  return ["Traceback (most recent call last):", ...lines, error, ""].join("\n");
}

const none = "AttributeError: 'NoneType' object has no attribute 'id'";

describe("what Python says when it raises", () => {
  it.each([
    ["x = a.b.id + c.d", none, "`a.b` was `None` when `id` was read of it"],
    ["x = a['b']['c']", "KeyError: 'c'", "`a['b']` has no `c`"],
    ["x = a[name]", "KeyError: 'c'", "`a` has no `c`"],
    [
      "x = a()['b']",
      "TypeError: 'NoneType' object is not subscriptable",
      "`a()` was `None` when an element of it was read",
    ],
    ["x = rows[i + 1]", "IndexError: list index out of range", "`rows` has fewer elements than are read"],
    ["x = a / (b - c)", "ZeroDivisionError: division by zero", "`(b - c)` was 0 when it was divided by"],
    [
      "x = int(a.b)",
      "ValueError: invalid literal for int() with base 10: 'x'",
      "`a.b` was `no number` when `int` was called with it",
    ],
    [
      "x = a + b",
      "TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'",
      "an operand of `a + b` was `None`",
    ],
    ["for x in a.b: pass", "TypeError: 'NoneType' object is not iterable", "`a.b` was `None` when it was gone through"],
    ["x = len(a)", "TypeError: object of type 'NoneType' has no len()", "`a` was `None` when `len` was called with it"],
    [
      "print(total)",
      "UnboundLocalError: cannot access local variable 'total' where it is not associated with a value",
      "`total` has no value on the way that was taken to here",
    ],
    ["if a.b > 3: raise Full('x')", "app.Full: x", "the code throws this itself, when `a.b > 3`"],
    ["save(a, b)", "sqlite3.OperationalError: locked", "it happened inside the call of `save`"],
  ])("means the expression in %s", async (code, error, said) => {
    expect(await saidOf(traceback(error, "a.py:1"), { "a.py": `${code}\n` })).toBe(said);
  });
});

describe("a value in Python", () => {
  it("is followed through parameters into the caller on the stack", async () => {
    const files = {
      "a.py": "def show(order):\n  return order.id\n",
      "b.py": "from a import show\ndef main():\n  show(make())\n  show(None)\n",
    };
    expect(await endsOf(traceback(none, "b.py:4", "a.py:2"), files)).toEqual(["literal b.py:4"]);
  });

  it.each([
    ["a branch that returns nothing", "def make(x):\n  if x:\n    return A()\n", "returns-nothing make.py:1"],
    ["a return of None", "def make(x):\n  return None\n", "returns-nothing make.py:2"],
    ["a lookup", "def make(x):\n  return known.get(x)\n", "returns-nothing make.py:2"],
    ["the environment", "import os\ndef make(x):\n  return os.environ.get('A_B')\n", "environment make.py:3"],
    ["a default", "def make(x):\n  return known.get('a', None)\n", "fallback make.py:2"],
  ])("is followed into %s", async (_, make, end) => {
    const files = { "a.py": "from make import make\nx = make(1)\nx.id\n", "make.py": make };
    expect(await endsOf(traceback(none, "a.py:3"), files)).toContain(end);
  });

  it("is followed to what a field was given when the object was made", async () => {
    const files = {
      "a.py": "def show(config):\n  return config.limit.id\n",
      "config.py":
        "import os\nfrom dataclasses import dataclass\n@dataclass\nclass Config:\n  name: str\n  limit: str\ndef read():\n  return Config('a', os.getenv('LIMIT'))\n",
    };
    expect(await endsOf(traceback(none, "a.py:2"), files)).toContain("environment config.py:8");
  });

  it("is followed to the key of a data file that is spelled almost like it", async () => {
    const files = {
      "a.py": "import json\nsettings = json.load(open('conf/app.json'))\nsettings['retries']\n",
      "conf/app.json": '{\n  "name": "x",\n  "retrys": 3\n}\n',
    };
    expect(await endsOf(traceback("KeyError: 'retries'", "a.py:3"), files)).toContain("setting conf/app.json:3");
  });

  it("is followed to what is written under its key in another file", async () => {
    const files = {
      "a.py": "def show(session):\n  return session['user'].id\n",
      "b.py": "def login(session):\n  session['user'] = None\n",
    };
    expect(await endsOf(traceback(none, "a.py:2"), files)).toContain("literal b.py:2");
  });
});

describe("code in Python", () => {
  it("has the names of its functions, with their classes", async () => {
    const text = "class A:\n  def m(self):\n    x()\n  async def n(self):\n    y()\n";
    const names = await functionsOn(traceback("ValueError: x", "a.py:5", "a.py:3"), { "a.py": text });
    expect(names).toEqual(["A.m", "A.n"]);
  });

  it.each([
    ["a default that is shared", "def f(a, b=[]):\n  b.append(a)\n", "shared-default 1"],
    ["an error that is swallowed", "try:\n  f()\nexcept Exception:\n  pass\n", "swallowed-failure 3"],
    ["a time without a zone", "now = datetime.now()\n", "naive-time 1"],
    ["an iterator that is returned", "def f(a):\n  return (b for b in a)\n", "spent-iterator 2"],
    ["a variable bound late", "for a in b:\n  c.append(lambda: use(a))\n", "late-binding 2"],
    ["a collection changed while it is gone through", "for a in b:\n  b.remove(a)\n", "changed-while-iterated 2"],
  ])("is suspicious: %s", async (_, text, rule) => {
    expect(await rulesIn(traceback("ValueError: x", "z.py:1"), { "a.py": text })).toEqual([rule]);
  });

  it.each([
    "def f(a, b=None, c=(), d='x'):\n  pass\n",
    "try:\n  f()\nexcept Exception as e:\n  raise G() from e\n",
    "try:\n  f()\nexcept KeyError:\n  recover()\n",
    "for a in b:\n  c.append(lambda a=a: use(a))\n",
    "for a in list(b):\n  b.remove(a)\n",
  ])("is let alone: %s", async (text) => {
    expect(await rulesIn(traceback("ValueError: x", "z.py:1"), { "a.py": text })).toEqual([]);
  });

  it("that makes an error is found by its message when it is not on the stack", async () => {
    const files = {
      "a.py": "def check(order):\n  if not order.lines:\n    raise Refused(f'order {order.id} has no lines')\n",
    };
    expect(await saidOf("ERROR worker: job failed: Refused: order 17 has no lines\n", files)).toBe(
      "the code throws this itself, when `not order.lines`",
    );
  });
});
