import { describe, expect, it } from "vitest";
import { type Files, ofKind, signalsIn, traced } from "../signals-in.ts";

/** The exchanged arguments of a call in `pass.js`, when what it calls in `tariff.js` throws. */
async function exchangedIn(call: string, parameters = "from, to", others = ""): Promise<object[]> {
  const [first = "from"] = parameters.split(", ");
  const files = {
    "tariff.js": `exports.between = function between(${parameters}) {\n  if (${first} > 3) throw new RangeError('no zones');\n  return ${first};\n};\n`,
    "pass.js": `const { between } = require('./tariff');\nexports.pass = (trip, from, to, a, b) => {\n  return ${call};\n};\n`,
    "others.js": `const { between } = require('./tariff');\n${others}\n`,
  };
  const frames = ["between (/srv/tariff.js:2:21)", `exports.pass (/srv/pass.js:3:${10 + call.indexOf("between(")})`];
  return ofKind(await signalsIn(files, "RangeError: no zones", ...frames), "exchanged-arguments");
}

const exchanged = (first: string, second: string, [one, two] = ["from", "to"]) => [
  { line: 3, args: { callee: "between", first: { code: first, as: one }, second: { code: second, as: two } } },
];

describe("arguments in each other's place", () => {
  it.each([
    ["are named like each other's parameters", "between(to, from)", "to", "from"],
    ["are fields of that name", "between(trip.to, trip.from)", "trip.to", "trip.from"],
    ["are elements under that name", "between(trip['to'], trip.from)", "trip['to']", "trip.from"],
    ["have longer names", "between(toZone, fromZone)", "toZone", "fromZone"],
  ])("are found if they %s", async (_, call, first, second) => {
    expect(await exchangedIn(call)).toEqual(exchanged(first, second));
  });

  it("are found by the object of an argument's field", async () => {
    expect(await exchangedIn("between(bear.id, ward)", "ward, bear")).toEqual(
      exchanged("bear.id", "ward", ["ward", "bear"]),
    );
  });

  it("are found where all other calls have a literal elsewhere", async () => {
    const others = "between(0, celsius);\nbetween(1, percent);";
    const [one, two] = ["digits", "value"];
    expect(await exchangedIn("between(grams, 0)", "digits, value", others)).toEqual(
      exchanged("grams", "0", [one, two]),
    );
  });

  it.each([
    ["are in order", "between(from, to)", "from, to", ""],
    ["are both named like one parameter", "between(fromZone, fromCity)", "from, to", ""],
    ["have names that say nothing", "between(b, a)", "a, b", ""],
    ["are named like other parameters without being exchanged", "between(to, 4)", "from, to", ""],
    [
      "have a literal that only one other call has elsewhere",
      "between(grams, 0)",
      "digits, value",
      "between(0, celsius);",
    ],
    [
      "have literals that other calls place in both ways",
      "between(grams, 0)",
      "digits, value",
      "between(0, celsius);\nbetween(percent, 1);",
    ],
    ["are two literals", "between(4, 0)", "digits, value", "between(0, celsius);\nbetween(1, percent);"],
    ["share only a general word", "between(zoneName, fareType)", "type, name", ""],
    ["are passed both ways", "between(to, from) - between(from, to)", "from, to", ""],
    [
      "have a literal that either place takes",
      "between(grams, 0)",
      "a, b",
      "between(0, celsius);\nbetween(1, percent);",
    ],
  ])("aren't found if they %s", async (_, call, parameters, others) => {
    expect(await exchangedIn(call, parameters, others)).toEqual([]);
  });

  it("aren't found where a function calls itself or reverses its parameters", async () => {
    const said = "RangeError: Maximum call stack size exceeded";
    const between =
      "exports.between = function between(from, to) {\n  return to < from ? between(to, from) : wait(from, to);\n};\n";
    expect(
      ofKind(await signalsIn({ "zones.js": between }, said, "between (/srv/zones.js:2:22)"), "exchanged-arguments"),
    ).toEqual([]);
    const files = {
      "zones.js": "exports.between = (from, to) => {\n  if (from > 3) throw new RangeError('no zones');\n};\n",
      "back.js": "const { between } = require('./zones');\nexports.backward = (from, to) => between(to, from);\n",
    };
    const frames = ["exports.between (/srv/zones.js:2:23)", "exports.backward (/srv/back.js:2:34)"];
    expect(ofKind(await signalsIn(files, "RangeError: no zones", ...frames), "exchanged-arguments")).toEqual([]);
  });

  it.each(["reply", "undoMove", "refund"])("aren't found in a function that goes back: %s", async (name) => {
    const files = {
      "mail.js": `function send(sender, recipient) {\n  if (!recipient) throw new Error('no recipient');\n}\nfunction ${name}(mail) {\n  send(mail.recipient, mail.sender);\n}\n`,
    };
    const frames = ["send (/srv/mail.js:2:25)", `${name} (/srv/mail.js:5:3)`];
    expect(ofKind(await signalsIn(files, "Error: no recipient", ...frames), "exchanged-arguments")).toEqual([]);
  });

  it("aren't found where another function of that name takes them in this order", async () => {
    const files = {
      "a/A.java":
        "package a;\nclass A {\n  void f(String name, int count) {\n    put(count, name);\n  }\n  void put(String name, int count) {\n  }\n  void put(int count, String name) {\n    throw new IllegalStateException();\n  }\n}\n",
    };
    const log = "java.lang.IllegalStateException\n\tat a.A.put(A.java:9)\n\tat a.A.f(A.java:4)\n";
    expect(ofKind((await traced(log, files)).signals, "exchanged-arguments")).toEqual([]);
  });

  it.each<[string, string, string, Files]>([
    [
      "Python",
      'Traceback (most recent call last):\n  File "/srv/offer.py", line 4, in offer\n    return quote(loan, years, rate)\n  File "/srv/quotes.py", line 3, in quote\n    raise ValueError("rate")\nValueError: rate\n',
      "offer.py:4",
      {
        "offer.py": "from quotes import quote\n\ndef offer(loan, rate, years):\n    return quote(loan, years, rate)\n",
        "quotes.py":
          'def quote(loan, rate, years):\n    if rate > 15:\n        raise ValueError("rate")\n    return loan\n',
      },
    ],
    [
      "Go",
      "panic: runtime error: slice bounds out of range [3:1]\n\ngoroutine 1 [running]:\nmain.Table.Between(...)\n\t/srv/table.go:6\nmain.Wedge(...)\n\t/srv/wedge.go:4 +0x2f8\n",
      "wedge.go:4",
      {
        "table.go":
          "package main\n\ntype Table struct{ gains []int }\n\nfunc (t Table) Between(from, to int) []int {\n\treturn t.gains[from:to]\n}\n",
        "wedge.go":
          "package main\n\nfunc Wedge(table Table, from, to int) []int {\n\treturn table.Between(to, from)\n}\n",
      },
    ],
    [
      "Java",
      'Exception in thread "main" java.lang.ArrayIndexOutOfBoundsException: Index 10 out of bounds for length 6\n\tat movers.Dock.reserve(Dock.java:5)\n\tat movers.Job.start(Job.java:5)\n',
      "movers/Job.java:5",
      {
        "movers/Dock.java":
          "package movers;\n\nclass Dock {\n  int reserve(int van, int leader) {\n    return vans[van] + leader;\n  }\n}\n",
        "movers/Job.java":
          "package movers;\n\nclass Job {\n  int start(Dock dock, Crew crew) {\n    return dock.reserve(crew.leader(), crew.van());\n  }\n}\n",
      },
    ],
    [
      "Ruby",
      "/srv/fare.rb:3:in `between': no zones (ArgumentError)\n\tfrom /srv/pass.rb:5:in `price'\n",
      "pass.rb:5",
      {
        "fare.rb":
          "class Fare\n  def between(from, to)\n    raise ArgumentError, 'no zones' if from > to\n  end\nend\n",
        "pass.rb":
          "require_relative 'fare'\n\nclass Pass\n  def price(trip)\n    Fare.new.between(trip.to, trip.from)\n  end\nend\n",
      },
    ],
  ])("are found in %s", async (_, log, at, files) => {
    const found = (await traced(log, files)).signals.filter(({ kind }) => kind === "exchanged-arguments");
    expect(found.map(({ subject }) => `${subject.file}:${subject.line}`)).toEqual([at]);
  });
});
