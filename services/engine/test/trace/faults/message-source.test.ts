import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, stepsOf, traced } from "../signals-in.ts";

describe("a message", () => {
  it.each([
    ["a template", `throw new Error(\`order \${id} was refused by the bank\`);`],
    ["pieces", "throw new Error('order ' + id + ' was refused by the bank');"],
    ["a constant", "const text = 'order %s was refused by the bank';\nthrow new Error(format(text, id));"],
    [
      "a table",
      `const texts = { refused: (id) => \`order \${id} was refused by the bank\` };\nthrow new Error(texts.refused(id));`,
    ],
  ])("leads to the code that builds it, by %s", async (_, code) => {
    const files = { "a.js": `${code}\n`, "b.js": "throw new Error('something else');\n" };
    const [found] = ofKind(
      await signalsIn(files, "Error: order 7 was refused by the bank", "run (node:internal/process:1:1)"),
      "message-source",
    );
    const line = code.split("\n").length;
    expect(found?.line).toBe(line);
  });

  it("leads nowhere else when the stack shows the throw, whatever else has the same text", async () => {
    const check = "exports.check = (id) => {\n  throw new Error(`order ${id} was refused by the bank`);\n};\n";
    const files = { "card.js": check, "cash.js": check };
    const signals = await signalsIn(
      files,
      "Error: order 7 was refused by the bank",
      "exports.check (/srv/card.js:2:9)",
    );
    expect(ofKind(signals, "message-source")).toEqual([]);
  });

  it("in a logged line leads to the call that logs it, and on from there", async () => {
    const files = {
      "a.js": `const limit = process.env.LIMIT;\nif (limit < 1) console.error(\`the limit \${limit} is not allowed here\`);\n`,
    };
    const { signals } = await traced('{"level":50,"msg":"the limit 0 is not allowed here"}\n', files);
    expect(ofKind(signals, "message-source")).toMatchObject([{ line: 2, args: { isLogged: true } }]);
    expect(stepsOf(signals)).toContain("environment a.js:1");
  });
});

describe("a message in another language", () => {
  it.each([
    ["refuse.py", "def refuse(id):\n    raise ValueError(f'order {id} was refused by the bank')\n", 2],
    ["refuse.py", "def refuse(id):\n    raise ValueError('order %s was refused by the bank' % id)\n", 2],
    [
      "refuse.py",
      "TEXT = 'order {} was refused by the bank'\ndef refuse(id):\n    raise ValueError(TEXT.format(id))\n",
      3,
    ],
    [
      "refuse.py",
      "class Refused(Exception):\n    def __init__(self, id):\n        super().__init__(f'order {id} was refused by the bank')\ndef refuse(id):\n    raise Refused(id)\n",
      5,
    ],
    ["refuse.rb", 'def refuse(id)\n  raise ArgumentError, "order #{id} was refused by the bank"\nend\n', 2],
    ["refuse.rb", "def refuse(id)\n  raise format('order %d was refused by the bank', id)\nend\n", 2],
    [
      "refuse.go",
      'package bank\n\nfunc refuse(id int) error {\n\treturn fmt.Errorf("order %d was refused by the bank", id)\n}\n',
      4,
    ],
    [
      "Bank.java",
      'class Bank {\n  void refuse(int id) {\n    throw new IllegalStateException("order " + id + " was refused by the bank");\n  }\n}\n',
      3,
    ],
    [
      "Bank.java",
      'class Refused extends RuntimeException {\n  Refused(int id) {\n    super("order " + id + " was refused by the bank");\n  }\n}\nclass Bank {\n  void refuse(int id) {\n    throw new Refused(id);\n  }\n}\n',
      8,
    ],
  ])("leads to the code that builds it: %s, %j", async (file, text, line) => {
    const { signals } = await traced("Error: order 7 was refused by the bank\n", { [file]: text });
    expect(ofKind(signals, "message-source")).toMatchObject([{ line }]);
  });
});

describe("a message that says little", () => {
  it.each([
    ["too few fixed characters", "throw new Error(`no ${what}`);\n", "Error: no row"],
    ["words in another order", "throw new Error(`${a} was refused by ${b} for order`);\n", "Error: order was refused"],
    ["the end of a word", "throw new Error('fused by the bank');\n", "Error: order was refused by the bank"],
  ])("leads nowhere by %s", async (_, text, message) => {
    const signals = await signalsIn({ "a.js": text }, message, "run (node:internal/process:1:1)");
    expect(ofKind(signals, "message-source")).toEqual([]);
  });

  it.each([
    ["find.py", "def find(key):\n    if key not in table:\n        raise KeyError\n"],
    ["find.rb", "def find(key)\n  raise KeyError unless TABLE.key?(key)\nend\n"],
    ["find.js", "exports.find = (key) => {\n  if (!table[key]) throw new KeyError();\n};\n"],
    ["Table.java", "class Table {\n  void find(String key) {\n    throw new KeyError();\n  }\n}\n"],
    ["find.go", "package table\n\nfunc find(key string) {\n\tpanic(KeyError)\n}\n"],
  ])("leads nowhere by an error that is raised without one: %s", async (file, text) => {
    for (const log of ["KeyError: KeyError\n", '{"level":50,"msg":"KeyError: the KeyError of a key"}\n'])
      expect(ofKind((await traced(log, { [file]: text })).signals, "message-source")).toEqual([]);
  });

  it("leads nowhere when more than two places build the same", async () => {
    const files = Object.fromEntries(
      ["a.js", "b.js", "c.js"].map((name) => [name, "throw new Error(`${id} was refused by the bank`);\n"]),
    );
    const signals = await signalsIn(files, "Error: 7 was refused by the bank", "run (node:internal/process:1:1)");
    expect(ofKind(signals, "message-source")).toEqual([]);
  });
});
