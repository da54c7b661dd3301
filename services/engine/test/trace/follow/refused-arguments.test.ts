import { describe, expect, it } from "vitest";
import { type Files, ofKind, signalsIn, stepsOf, traced } from "../signals-in.ts";

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

describe("an address that has no protocol", () => {
  it.each([
    ['TypeError: Protocol "localhost:" not supported. Expected "http:"', "request"],
    ["TypeError: Failed to parse URL from localhost:4000/rows", "fetch"],
  ])("comes from the first argument, whatever else is passed: %s", async (message, call) => {
    const files = {
      "send.js": `const { urlOf } = require('./urls');\nconst { signed } = require('./signature');\n\nexports.send = function send(row) {\n  return ${call}(urlOf(row), { headers: signed(row) });\n};\n`,
      "urls.js": "exports.urlOf = function urlOf(row) {\n  return process.env.ROWS_URL;\n};\n",
      "signature.js":
        "exports.signed = function signed(row) {\n  return { key: process.env.ROWS_KEY ?? 'local' };\n};\n",
    };
    const steps = stepsOf(await signalsIn(files, message, "send (/srv/send.js:5:10)")).join("\n");
    expect(steps).toContain("urls.js");
    expect(steps).not.toContain("signature.js");
  });
});

describe("an address that isn't valid", () => {
  const files = {
    "follow.js": "exports.follow = function follow(reply, page) {\n  return new URL(reply.location, page.url);\n};\n",
  };
  const stepsFor = async (base: string) => {
    const log = `TypeError: Invalid URL\n    at new URL (node:internal/url:797:36)\n    at follow (/srv/follow.js:2:10) {\n  code: 'ERR_INVALID_URL',\n  input: 'http://:80 a',\n  base: '${base}'\n}\n`;
    const steps = ofKind((await traced(log, files)).signals, "value-step");
    return steps.map(({ args }) => ("code" in args ? args.code : null));
  };

  it("isn't the base if the runtime prints a valid one", async () => {
    expect(await stepsFor("http://localhost/pages")).toEqual(["reply.location", "reply"]);
  });

  it("may be the base otherwise", async () => {
    expect(await stepsFor("pages")).toContain("page.url");
  });
});

describe("what Ruby calls at a line", () => {
  const stepsAt = async (line: string, frame: string, message: string) => {
    const log = `/app/bar.rb:3:in ${frame}: ${message}\n\tfrom /app/bar.rb:3:in \`draw'\n`;
    const { signals } = await traced(log, { "bar.rb": `class Bar\n  def draw(filled)\n    ${line}\n  end\nend\n` });
    return ofKind(signals, "throw-site")[0]?.args;
  };

  it.each([
    ["`sqrt'", "(2 * Math.sqrt(filled)).ceil", "Numerical argument is out of domain (Math::DomainError)", "Math.sqrt"],
    [
      "'Math.sqrt'",
      "(2 * Math.sqrt(filled)).ceil",
      "Numerical argument is out of domain (Math::DomainError)",
      "Math.sqrt",
    ],
    ["`*'", "mark * filled + [width - filled, 0].max.to_s", "negative argument (ArgumentError)", "mark * filled"],
  ])("is what fails, not another call of the line: %s", async (frame, line, message, expression) => {
    expect(await stepsAt(line, frame, message)).toEqual({ expression });
  });

  it("may be any of several equal operators", async () => {
    const line = "mark * filled + gap * [width - filled, 0].max";
    expect(await stepsAt(line, "`*'", "negative argument (ArgumentError)")).toEqual({ expression: null });
  });
});

describe("a text that has a missing value put into it", () => {
  it("isn't what was missing itself", async () => {
    const files = {
      "names.js":
        "const path = require('path');\nexports.nameOf = function nameOf(folder, kind) {\n  return path.join(folder, `${kind}.csv`);\n};\n",
      "export.js":
        "const { nameOf } = require('./names');\nexports.run = function run(options) {\n  return nameOf(options.folder, 'customers');\n};\n",
    };
    const message = 'TypeError: The "path" argument must be of type string. Received undefined';
    const steps = await signalsIn(files, message, "nameOf (/srv/names.js:3:15)", "run (/srv/export.js:3:10)");
    expect(ofKind(steps, "value-step").map(({ args }) => args)).not.toContainEqual(
      expect.objectContaining({ how: "literal" }),
    );
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

  it("is what a helper of the library was passed", async () => {
    const log = `java.lang.UnsupportedOperationException
\tat java.base/java.util.ImmutableCollections.uoe(ImmutableCollections.java:142)
\tat java.base/java.util.ImmutableCollections$AbstractImmutableList.sort(ImmutableCollections.java:261)
\tat java.base/java.util.Collections.sort(Collections.java:145)
\tat bakery.Tray.fill(Tray.java:3)
`;
    const files = {
      "Tray.java":
        "class Tray {\n    void fill(List<String> loaves) {\n        if (loaves.size() > 1) Collections.sort(loaves);\n    }\n}\n",
    };
    expect(ofKind((await traced(log, files)).signals, "bad-value")[0]?.args).toMatchObject({
      expression: "loaves",
      was: "unmodifiable",
      use: "argument",
      member: "sort",
    });
  });

  it("is no list if the program itself doesn't support an operation", async () => {
    const log = "java.lang.UnsupportedOperationException: no refunds\n\tat bakery.Till.refund(Till.java:4)\n";
    const files = {
      "Till.java": "class Till {\n    void pay(Card card) {\n\n        card.refund(card.last());\n    }\n}\n",
    };
    expect(ofKind((await traced(log, files)).signals, "bad-value")).toEqual([]);
  });
});

describe("the operand that an error is about", () => {
  it.each([
    ["in `-': nil can't be coerced into Integer (TypeError)", "cup.grams -= grams", "grams"],
    ["in `+': String can't be coerced into Integer (TypeError)", "cup.size * 2 + row[1]", "row[1]"],
    ["in `*': nil can't be coerced into Integer (TypeError)", "cup.size + 2 * row[1]", "row[1]"],
    ["in `>': comparison of Integer with nil failed (ArgumentError)", "cup.size > row[1]", "row[1]"],
    ["in `pour': undefined method `+' for nil:NilClass (NoMethodError)", "cup.size + row[1]", "cup.size"],
  ])("is the one that its side says in Ruby: %s", async (error, line, operand) => {
    const log = `/app/bar.rb:3:${error}\n\tfrom /app/bar.rb:3:in \`pour'\n`;
    const { signals } = await traced(log, {
      "bar.rb": `class Bar\n  def pour(cup, row, grams)\n    ${line}\n  end\nend\n`,
    });
    expect(ofKind(signals, "bad-value")[0]?.args).toMatchObject({ operand, use: "operand" });
  });

  it.each([
    ["argument of type 'bool' is not iterable", "'x' in row.text", "row.text"],
    ['can only concatenate str (not "int") to str', "head + row.size", "row.size"],
    ["unsupported operand type(s) for -: 'str' and 'int'", "head - row.size", "head"],
    ["unsupported operand type(s) for *: 'float' and 'NoneType'", "head * row.size", "row.size"],
  ])("is the one that its side says in Python: %s", async (message, line, operand) => {
    const log = `Traceback (most recent call last):\n  File "/srv/gate.py", line 2, in open\n    return ${line}\nTypeError: ${message}\n`;
    const { signals } = await traced(log, { "gate.py": `def open(head, row):\n    return ${line}\n` });
    expect(ofKind(signals, "bad-value")[0]?.args).toMatchObject({ expression: line, operand });
  });

  it("is none of an operator if Ruby names another method of the line", async () => {
    const log =
      "/app/bar.rb:3:in `max': comparison of Integer with nil failed (ArgumentError)\n\tfrom /app/bar.rb:3:in `pour'\n";
    const files = { "bar.rb": "class Bar\n  def pour(cups, grams)\n    cups.max + grams\n  end\nend\n" };
    expect(ofKind((await traced(log, files)).signals, "bad-value")).toEqual([]);
  });

  it("is of the operator on the line, not of one around it", async () => {
    const files = { "a.js": "exports.a = function (text) {\n  return ('' + text).trim();\n};\n" };
    const message = "TypeError: Cannot convert a Symbol value to a string";
    const signals = await signalsIn(files, message, "exports.a (/srv/a.js:2:14)");
    expect(ofKind(signals, "bad-value")[0]?.args).toMatchObject({ expression: "'' + text", was: "Symbol" });
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

describe("the call of a line that fails", () => {
  const expressions = async (log: string, files: Files): Promise<unknown[]> => {
    const { signals } = await traced(log, files);
    return ofKind(signals, "throw-site").map(({ line, args }) => ({ line, ...args }));
  };

  it.each([
    ["Ruby 3.4", "'Hedge#open?'", "'Walk#way'"],
    ["earlier Ruby", "`open?'", "`way'"],
  ])("is the one with the name of the next frame's function, in %s", async (_, inner, outer) => {
    const log = `/app/hedge.rb:9:in ${inner}: no plan (Hedge::Error)\n\tfrom /app/walk.rb:3:in ${outer}\n`;
    const walk = "class Walk\n  def way(from)\n    return if @seen.key?(from) || !@hedge.open?(from)\n  end\nend\n";
    expect(await expressions(log, { "walk.rb": walk })).toEqual([{ line: 3, expression: "@hedge.open?" }]);
  });

  it("is `new` where the next frame is what sets up the object, in Ruby", async () => {
    const log = `/app/cells.rb:9:in 'Cells#initialize': no cells (Cells::Error)\n\tfrom /app/plan.rb:3:in 'Plan#all'\n`;
    const plan = "class Plan\n  def all(track)\n    of(track.meters, Cells.new(track.name))\n  end\nend\n";
    expect(await expressions(log, { "plan.rb": plan })).toEqual([{ line: 3, expression: "Cells.new" }]);
  });

  it("is the constructor of the next frame's class, in Java", async () => {
    const log =
      'Exception in thread "main" java.lang.IllegalStateException: no cells\n\tat ice.Cells.<init>(Cells.java:10)\n\tat ice.Plan.all(Plan.java:5)\n';
    const plan =
      "package ice;\n\nclass Plan {\n    Grid all(Track track) {\n        return of(track.meters(), new Cells(track.name()));\n    }\n}\n";
    expect(await expressions(log, { "ice/Plan.java": plan })).toEqual([{ line: 5, expression: "Cells" }]);
  });

  it("is what the runtime's own frame names, though other calls are around it, in Java", async () => {
    const log =
      'Exception in thread "main" java.lang.IllegalStateException: full\n\tat java.base/java.util.AbstractQueue.add(AbstractQueue.java:98)\n\tat ice.Plan.all(Plan.java:5)\n';
    const plan =
      "package ice;\n\nclass Plan {\n    void all(Track track) {\n        note(queue.add(track.name()));\n    }\n}\n";
    expect(await expressions(log, { "ice/Plan.java": plan })).toEqual([{ line: 5, expression: "queue.add" }]);
  });

  it("isn't named where none of several has that name", async () => {
    const log = `Traceback (most recent call last):\n  File "/app/plan.py", line 2, in plan\n    return total(parts(names))\n  File "/app/hooks.py", line 9, in around\n    check(call)\nRuntimeError: closed\n`;
    const plan = "def plan(names):\n    return total(parts(names))\n";
    expect(await expressions(log, { "plan.py": plan })).toEqual([{ line: 2, expression: null }]);
  });
});
