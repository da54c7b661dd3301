import { describe, expect, it } from "vitest";
import { ofKind, stepsOf, traced } from "../signals-in.ts";

const frame = (message: string, code: string) =>
  `RangeError [${code}]: ${message}\n    at writeU_Int16BE (node:internal/buffer:832:11)\n    at Buffer.writeUInt16BE (node:internal/buffer:840:10)\n    at pack (/srv/pack.js:5:8)\n`;
const pack = {
  "pack.js":
    "const { start } = require('./layout');\nconst { pulses } = require('./meter');\n\nexports.pack = function pack(out) {\n    out.writeUInt16BE(pulses(), start());\n};\n",
  "layout.js": "exports.start = function start() {\n  return 4;\n};\n",
  "meter.js": "exports.pulses = function pulses() {\n  return 70000 * 2;\n};\n",
};

describe("an argument that the runtime's message names", () => {
  it.each([
    ["value", "meter.js", "layout.js"],
    ["offset", "layout.js", "meter.js"],
  ])("is followed, and no other one is: %s", async (name, file, other) => {
    const message = `The value of "${name}" is out of range. It must be >= 0 and <= 65535. Received 140000`;
    const steps = stepsOf((await traced(frame(message, "ERR_OUT_OF_RANGE"), pack)).signals).join("\n");
    expect(steps).toContain(file);
    expect(steps).not.toContain(other);
  });
});

describe("a collection that can't be changed", () => {
  it("is what the method was called on, whatever was passed", async () => {
    const log = `java.lang.UnsupportedOperationException
\tat java.base/java.util.ImmutableCollections.uoe(ImmutableCollections.java:142)
\tat java.base/java.util.ImmutableCollections$AbstractImmutableCollection.add(ImmutableCollections.java:147)
\tat bakery.Tray.fill(Tray.java:9)
`;
    const files = {
      "src/bakery/Tray.java":
        "package bakery;\n\nimport java.util.List;\n\nclass Tray {\n    private List<String> loaves = List.of();\n\n    void fill(Oven oven) {\n        loaves.add(oven.next());\n    }\n}\n",
    };
    const { signals } = await traced(log, files);
    expect(ofKind(signals, "bad-value")[0]?.args).toMatchObject({ expression: "loaves", was: "unmodifiable" });
    expect(stepsOf(signals).join("\n")).not.toContain("oven");
  });

  it("is no list if the program itself doesn't support an operation", async () => {
    const log = "java.lang.UnsupportedOperationException: no refunds\n\tat bakery.Till.refund(Till.java:4)\n";
    const files = {
      "Till.java": "class Till {\n    void pay(Card card) {\n\n        card.refund(card.last());\n    }\n}\n",
    };
    expect(ofKind((await traced(log, files)).signals, "bad-value")).toEqual([]);
  });
});

describe("an operand of the wrong type", () => {
  const unsupported = (operator: string, left: string, right: string) =>
    [operator, `unsupported operand type(s) for ${operator}: '${left}' and '${right}'`] as const;
  const unordered = (left: string, right: string) =>
    ["<", `'<' not supported between instances of '${left}' and '${right}'`] as const;
  const stepsFor = async (operator: string, message: string) => {
    const log = `Traceback (most recent call last):\n  File "/srv/gate.py", line 5, in open\n    return count() ${operator} limit()\nTypeError: ${message}\n`;
    const files = {
      "gate.py": `from count import count\nfrom limit import limit\n\ndef open():\n    return count() ${operator} limit()\n`,
      "count.py": "def count():\n    return read('count')\n",
      "limit.py": "def limit():\n    return read('limit')\n",
    };
    return stepsOf((await traced(log, files)).signals).join("\n");
  };

  it.each([
    [...unordered("int", "str"), "limit.py", "count.py"],
    [...unordered("str", "float"), "count.py", "limit.py"],
    [...unsupported("-", "str", "decimal.Decimal"), "count.py", "limit.py"],
  ])("is the one that isn't a number: %s, %s", async (operator, message, file, other) => {
    const steps = await stepsFor(operator, message);
    expect(steps).toContain(file);
    expect(steps).not.toContain(other);
  });

  it.each([
    [...unsupported("-", "datetime.datetime", "int"), "limit.py", "count.py"],
    [...unsupported("+", "float", "datetime.timedelta"), "count.py", "limit.py"],
    [...unsupported("|", "set", "int"), "limit.py", "count.py"],
  ])("is the number beside a type with this operator: %s, %s", async (operator, message, file, other) => {
    const steps = await stepsFor(operator, message);
    expect(steps).toContain(file);
    expect(steps).not.toContain(other);
  });

  it.each([unordered("datetime.datetime", "int"), unsupported("-", "Money", "int"), unsupported("**", "Money", "int")])(
    "is either one where the types don't say it: %s, %s",
    async (operator, message) => {
      const steps = await stepsFor(operator, message.replace("**", "** or pow()"));
      expect(steps).toContain("count.py");
      expect(steps).toContain("limit.py");
    },
  );
});
