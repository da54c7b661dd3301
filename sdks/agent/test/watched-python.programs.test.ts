import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, hits, useProgramFolder, written } from "./watched-folder.ts";
import { run } from "./watched-python.ts";

useProgramFolder();

describe("a watched Python program", () => {
  it("names the files of the tree that it loaded, up to a limit", async () => {
    for (const name of ["a", "b"]) await writeFile(join(folder, `${name}.py`), "");
    await run("import json\nimport a\n", []);
    const loaded = async () => (await written()).flatMap(({ files }) => files);
    expect(await loaded()).toEqual(["program.py", "a.py"].map((name) => join(folder, name)));
    await run("import a\nimport b\n", []);
    expect(await loaded()).toHaveLength(4);
  });

  it.each([
    ["an uncaught error", `def f(x):\n    return x["y"]\nprint("a")\nf(None)\n`],
    ["sys.exit", `import sys\ndef f(x):\n    sys.exit(x)\nf(7)\n`],
    [
      "a caught error",
      `def f(x):\n    try:\n        x.y\n    except AttributeError as e:\n        print(e)\nf(None)\n`,
    ],
    ["os._exit", `import os\ndef f(x):\n    os._exit(x)\nf(3)\n`],
    ["a thread", `import threading\ndef f():\n    print("t")\nt = threading.Thread(target=f)\nt.start()\nt.join()\n`],
  ])("ends as it would unwatched: %s", async (_, code) => {
    const alone = await run(code);
    expect(
      await run(code, [
        [2, 1],
        [3, 2],
      ]),
    ).toEqual(alone);
  });

  it("is read without running its code, and redacted by name", async () => {
    const { stdout } = await run(
      `touched = []
class Lazy(dict):
    def items(self): touched.append("items")
    def __len__(self): touched.append("len"); return 1
    def __repr__(self): touched.append("repr"); return ""
class Own:
    def __repr__(self): touched.append("repr"); return ""
    @property
    def field(self): touched.append("field")
def f(lazy, own, password, user, client_secret, next_token):
    return issue_token() and own
def issue_token():
    return "hunter2"
f(Lazy(), Own(), "hunter2", {"name": "ada", "token": "t0k3n", "dbPassword": "t0 k3n"}, "hunter2" * 100, None)
print(len(touched))
`,
      [
        [11, 10],
        [13, 12],
      ],
    );
    expect(stdout).toBe("0\n");
    const found = await hits();
    expect(found[0]?.values).toEqual({
      lazy: "<Lazy>",
      own: "<Own>",
      password: "[redacted]",
      user: "{'name': 'ada', 'token': [redacted], 'dbPassword': [redacted]}",
      client_secret: "[redacted]",
      next_token: "None",
    });
    expect(found.find(({ function: name, kind }) => kind === "returned" && name === "issue_token")?.returned).toBe(
      "[redacted]",
    );
    expect(JSON.stringify(found)).not.toMatch(/hunter2|t0/);
  });

  it("is read without its credentials, by their form before they are cut", async () => {
    const claims = "eyJzdWIiOiIxMjM0NTY3ODkwIiwiZW1haWwiOiJhZGFAZXhhbXBsZS5jb20i".padEnd(300, "Q0xBSU1T");
    const jwt = `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${claims}.${"s1gn4tur".repeat(7)}`;
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${`${"MIIEk3y5".repeat(8)}\n`.repeat(6)}-----END RSA PRIVATE KEY-----`;
    await run(
      `def order(header, endless, key, url, sent, several, plain):
    raise ValueError("no stock for " + header)
key = ${JSON.stringify(key)}
url = "x" * 170 + " postgres://app:hunter2-plain-and-long@db"
sent = "y" * 150 + " password='hunter2-plain' " + "and more" * 10
several = {"note": "z" * 150, "conn": "Server=db;Password=hunter2-and-much-longer-than-that;Port=1"}
try:
    order("${jwt}", "Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + "Q0xBSU1T" * 900, key, url, sent, several, "a" * 300)
except ValueError:
    pass
`,
      [[2, 1]],
    );
    const found = await hits();
    expect(found.find(({ kind }) => kind === "threw")?.error).toMatch(/^ValueError: no stock for \*+…$/);
    expect(found[0]?.values).toMatchObject({
      header: expect.stringMatching(/^'\*+…$/),
      key: expect.stringMatching(/^'-----BEGIN RSA PRIVATE KEY-----[*\\n]+…$/),
      plain: expect.stringMatching(/^'a+…$/),
    });
    expect(JSON.stringify(found)).not.toMatch(/hunter2|eyJ|Q0xB|s1gn|MIIE/);
  });

  it("says what functions returned, and what the calls of the throw had", async () => {
    await run(
      `def stock_of(sku):
    if sku == "a":
        return 3

def order(sku):
    stock = stock_of(sku)
    if stock is None:
        raise ValueError("no stock")
    return stock
order("a")
order("b")
`,
      [
        [3, 1],
        [8, 5],
      ],
    );
    const found = await hits();
    expect(
      found.filter(({ kind }) => kind === "returned").map(({ function: name, returned }) => [name, returned]),
    ).toEqual([
      ["stock_of", "3"],
      ["order", "3"],
      ["stock_of", "None"],
    ]);
    const threw = found.filter(({ kind }) => kind === "threw");
    expect(threw[0]).toMatchObject({
      ...{ function: "order", line: 8, starts: 5, error: "ValueError: no stock" },
      values: { sku: "'b'", stock: "None" },
    });
  });

  it.each([
    ["raise KeyError(3)", "KeyError: 3"],
    ["raise KeyError('a')", "KeyError: 'a'"],
    ["raise TimeoutError", "TimeoutError"],
    ["open('missing/file')", "FileNotFoundError: [Errno 2] No such file or directory: 'missing/file'"],
    ["raise type('Own', (ValueError,), {})('a', 1)", "Own: ('a', 1)"],
    ["b'\\xf8'.decode()", "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xf8 in position 0: invalid start byte"],
    [
      "(b'\\xf8' + b'a' * 20000).decode()",
      "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xf8 in position 0: invalid start byte",
    ],
  ])("has the message of a throw as Python prints it: %s", async (statement, said) => {
    await run(`def order():\n    ${statement}\norder()\n`, [[2, 1]], [said]);
    const [first] = (await hits()).filter(({ kind }) => kind === "threw");
    expect(first).toMatchObject({ function: "order", line: 2, error: said });
  });

  it("runs no code of the program for a message", async () => {
    const { stdout } = await run(
      `class Own(Exception):
    def __str__(self): print("run"); return ""
class Shown(Exception):
    __str__ = object.__str__
    def __repr__(self): print("run"); return ""
class Kind(type):
    def __eq__(self, other): print("run"); return False
    __hash__ = type.__hash__
class Key(metaclass=Kind):
    def __repr__(self): print("run"); return ""
def order(error):
    raise error
coded = UnicodeDecodeError("utf-8", b"a", 0, 1, "bad")
coded.reason = Key()
for error in (Own("a"), Shown("b"), KeyError(Key()), OSError(2, "no stock", Key()), KeyError(10 ** 5000), coded):
    try:
        order(error)
    except Exception:
        pass
`,
      [[12, 11]],
    );
    expect(stdout).toBe("");
    const threw = (await hits()).filter(({ kind, function: name }) => kind === "threw" && name === "order");
    expect(threw.map(({ error }) => error)).toEqual([
      "Own: a",
      "Shown: b",
      "KeyError",
      "FileNotFoundError",
      "KeyError",
      "UnicodeDecodeError: utf-8",
    ]);
  });

  it("has a throw once that another one interrupts on its way out", async () => {
    await run(
      `def close():
    try:
        raise KeyError("a")
    except KeyError:
        pass
def order():
    try:
        raise ValueError("no stock")
    finally:
        close()
order()
`,
      [
        [8, 6],
        [3, 1],
        [11, 11],
      ],
    );
    const threw = (await hits()).filter(({ kind, function: name }) => kind === "threw" && name !== null);
    expect(threw.map(({ function: name, line }) => [name, line])).toEqual([
      ["order", 8],
      ["close", 3],
    ]);
  });

  it("has each throw of an error that is raised again, with the calls of that one", async () => {
    await run(
      `refused = ValueError("no stock")
def order(sku):
    raise refused
def first(sku):
    try:
        order(sku)
    except ValueError as error:
        raise error
for sku in "ab":
    try:
        first(sku)
    except ValueError:
        pass
`,
      [
        [3, 2],
        [6, 4],
      ],
    );
    const threw = (await hits()).filter(({ kind, function: name }) => kind === "threw" && name !== null);
    const thrown = (sku: string) => [
      ["order", 3, sku],
      ["first", 6, sku],
      ["first", 8, sku],
    ];
    expect(threw.map(({ function: name, line, values }) => [name, line, values.sku])).toEqual([
      ...thrown("'a'"),
      ...thrown("'b'"),
    ]);
  });

  it("reaches a function that waits once for each call", async () => {
    await run(
      `import asyncio
async def take(stock):
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return stock
asyncio.run(take(3))
`,
      [[5, 2]],
    );
    expect((await hits()).map(({ kind, line }) => [kind, line])).toEqual([
      ["reached", 3],
      ["reached", 5],
      ["returned", 5],
    ]);
  });

  it("takes the end of an iterator for no throw", async () => {
    await run(
      `class Stock:
    def __iter__(self): return self
    def __next__(self): raise StopIteration
stock = Stock()


def order():
    for _ in stock:
        pass
    return 1
order()
`,
      [[10, 7]],
    );
    expect((await hits()).map(({ kind, line }) => [kind, line])).toEqual([
      ["reached", 8],
      ["reached", 10],
      ["returned", 10],
    ]);
  });

  it("frees an error that was caught", async () => {
    const { stdout } = await run(
      `class Stock:
    def __del__(self): print("closed")
def order():
    stock = Stock()
    raise ValueError("no stock")
try:
    order()
except ValueError:
    pass
print("end")
`,
      [[5, 3]],
    );
    expect(stdout).toBe("closed\nend\n");
  });

  it("sees a throw in a function that isn't watched, and in Python's own library", async () => {
    await run(
      `import statistics
def median_of(values):
    return statistics.median(values)
def order():
    return median_of([])
order()
`,
      [[5, 4]],
      ["no median"],
    );
    const threw = (await hits()).filter(({ kind }) => kind === "threw");
    expect(threw.map(({ function: name, line }) => [name, line])).toEqual([
      ["median_of", 3],
      ["order", 5],
      [null, 6],
    ]);
    expect(threw[0]).toMatchObject({
      values: { values: "[]" },
      callers: [{ function: "order", line: 5 }, { line: 6 }],
    });
  });

  it("sees the failure after stops at places took most of the time", async () => {
    await run(
      `def busy(number):
    return number + 1
def order(count):
    for number in range(count):
        busy(number)
    raise ValueError("no stock")
order(30_000)
`,
      [
        [2, 1],
        [4, 3],
      ],
      ["no stock"],
      200,
    );
    expect((await written()).at(-1)?.places.map((one) => one.is_complete)).toEqual([false, false]);
    const threw = (await hits()).filter(({ kind }) => kind === "threw");
    expect(threw.map(({ function: name, line }) => [name, line])).toContainEqual(["order", 6]);
  });
});
