import { describe, expect, it } from "vitest";
import { investigate } from "../../src/investigate.ts";
import { piecesIn } from "../../src/trace/code/pieces.ts";
import { readingLimits } from "../../src/trace/code/reading.ts";
import { textSubject } from "../investigated.ts";
import { failing } from "../trace/failing.ts";

const mebibyte = 1_048_576;
const ports = { clock: () => 0, onStep: async () => undefined };

/** The processor time of an investigation, in milliseconds. What else the machine does adds to it and takes nothing away. */
async function cost(log: string, files: Readonly<Record<string, string>>): Promise<number> {
  const before = process.cpuUsage();
  await investigate(textSubject(log, files), ports, new AbortController().signal);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const fill = (piece: string, bytes: number): string => piece.repeat(Math.ceil(bytes / piece.length)).slice(0, bytes);

const logs: readonly (readonly [name: string, piece: string])[] = [
  ["one long line", "x"],
  ["names of errors", "ErrorException"],
  ["frames without an end", "    at f (/srv/a.js:1:1)\n"],
  ["nothing but `at`", "at at at at at "],
  ["opening brackets", "([{"],
  ["causes", "  [cause]: Error: x {\n"],
  ["empty lines", "\n"],
  ["lines of JSON", '{"level":50,"err":{"stack":"Error: a\\n    at b (c.js:1:1)"}}\n'],
  ["carets", "/a.js:1\nx\n^\n"],
  ["escape sequences", "\u001b[31m"],
  ["headers without frames", "TypeError: x is not a function\n"],
  ["digits and colons", ":1:1"],
  ["frames of the JVM", "\tat a.b.C.d(C.java:1)\n"],
  ["goroutines without frames", "goroutine 1 [running]:\n"],
  ["objects in objects", '{"a":'],
  ["objects in lists, cut off behind words", 'x {"a":[1,2],"b":{"c":\n'],
  ["tracebacks without frames", "Traceback (most recent call last):\n"],
  ["panics", "panic: x\n"],
  ["places without an end", " in a in b"],
  ["pairs", 'level=error msg="x" a=b\n'],
];

const programs: readonly (readonly [name: string, piece: string])[] = [
  ["brackets", "(["],
  ["functions in functions", "function f(){"],
  ["arrows", "a=>"],
  ["assignments", "a=b;b=a;"],
  ["calls", "a(b("],
  ["members", "a.b."],
  ["templates", "`${"],
  ["slashes", "/a/b"],
  ["generics", "f<a,"],
  ["assertions", "a as b as "],
  ["returns", "function f(){return f(f)}"],
  ["acquired connections", "const c = await pool.acquire();"],
  ["objects", "{a:{a:"],
  ["choices", "a?b:"],
  ["properties", "a.x=a.x;"],
  ["numbers", "0o444,"],
  ["private names", "#"],
  ["constructions", "new a "],
  ["listeners", "s.on('a',(c)=>{b+=c});\n"],
  ["merges", "x={...a,...defaults};\n"],
  ["handlers in loops", "for(const a of b){try{c.push(d(a))}catch{}}\n"],
  ["tables of constants", "const AB=[[1],[2]];function f(){return AB}f().sort();\n"],
  ["elements that are read twice", "function* g(){yield 1}function h(){const b=g();sum(b);return [...b]}\n"],
];

/**
 * A quarter of the limit and the limit are compared: linear work costs four times as much, quadratic work sixteen times.
 * Below the floor, other workers and the garbage collector cost more than the input.
 */
const growthMax = 9;
const floorMs = 150;
/** What else the machine does adds to a cost and takes nothing away: the least of them counts. */
const rounds = 3;

/** Characters of the largest file of nothing but a piece that is still read whole. */
function largestRead(piece: string): number {
  const { fileUnitsMax, filePiecesMax } = readingLimits;
  const each = piecesIn(piece.repeat(10), 1_000) / 10;
  return Math.min(fileUnitsMax, Math.floor((filePiecesMax / each) * piece.length));
}

/**
 * Expects the least cost of the whole to be below `growthMax` times the least of a quarter, or of the floor. Measures
 * only until that is certain.
 */
async function expectGrowth(quarter: () => Promise<number>, whole: () => Promise<number>): Promise<void> {
  let least = await whole();
  if (least < floorMs * growthMax) return;
  let quarterMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) quarterMs = Math.min(quarterMs, await quarter());
  const bound = Math.max(quarterMs, floorMs) * growthMax;
  for (let round = 1; round < rounds && least >= bound; round++) least = Math.min(least, await whole());
  expect(least).toBeLessThan(bound);
}

describe("the cost of an investigation", () => {
  it.each(logs)("grows with the length of the log, not with its square: %s", async (_, piece) => {
    await expectGrowth(
      () => cost(fill(piece, mebibyte / 4), {}),
      () => cost(fill(piece, mebibyte), {}),
    );
  });

  it.each([
    [
      "calls of an error tracker that begin nothing",
      (lines: number) => `  x\n${"    src/a.ts:9:5 - Unknown word (x)\n".repeat(lines)}`,
      4_000,
    ],
    [
      "calls of an error tracker with code that begin nothing",
      (pairs: number) => `  x\n${"a.js:1 - f\n  x\n".repeat(pairs)}`,
      2_000,
    ],
    [
      "numbers beside lines that are no calls",
      (pairs: number) => Array.from({ length: pairs }, (_, index) => `${index + 1}\nfoo bar\n`).join(""),
      16_000,
    ],
    ["tracebacks that Spark quotes", (errors: number) => Array.from({ length: errors }, quotedBySpark).join(""), 4_000],
    [
      "tracebacks below errors of Spark in Python",
      (errors: number) => "pyspark.errors.PythonException: x\n\n".repeat(errors),
      8_000,
    ],
  ] as const)("grows with the length of what is read at once: %s", async (_, logOf, most) => {
    await expectGrowth(
      () => cost(logOf(most / 4), {}),
      () => cost(logOf(most), {}),
    );
  });

  it.each(programs)("grows with the length of a file, not with its square: %s", async (_, piece) => {
    const log = "TypeError: Cannot read properties of undefined (reading 'x')\n    at f (/srv/a.js:1:20)\n";
    const most = largestRead(piece);
    await expectGrowth(
      () => cost(log, { "a.js": fill(piece, most / 4) }),
      () => cost(log, { "a.js": fill(piece, most) }),
    );
  });

  it.each(["a.py", "a.go", "a.java", "a.rb"])("grows with the fields that an expression reads: %s", async (name) => {
    const costOf = (fields: number): Promise<number> => {
      const { log, files } = failing({ [name]: `x = a${".b".repeat(fields)}.id;\n` });
      return cost(log, files);
    };
    await expectGrowth(
      () => costOf(2_500),
      () => costOf(10_000),
    );
  });

  it.each([
    ["blank lines before a member", (units: number) => brokenChain("\n".repeat(units), "")],
    ["blank lines in a call", (units: number) => brokenChain("", `, "${"x".repeat(500)}",${"\n".repeat(units)}7`)],
    ["blank lines between dots", (units: number) => brokenChain("\n.a".repeat(units / 3), "")],
    ["strings of data that never end", (units: number) => formOfData('"\\'.repeat(units / 2))],
    ["deep lists of data", (units: number) => formOfData("[".repeat(units))],
  ])("grows with the length of what a trail quotes: %s", async (_, failureOf) => {
    const costOf = (units: number): Promise<number> => cost(failureOf(units).log, failureOf(units).files);
    await expectGrowth(
      () => costOf(25_000),
      () => costOf(100_000),
    );
  });

  it.each([
    ["writes to a name that has a shared value", sharedWrites],
    ["errors that a loop skips", skippedErrors],
    ["arguments in another order than the parameters", exchangedArguments],
    ["values that are made distinct", distinctValues],
    ["declarations that hide another variable", hiddenVariables],
  ])("grows with the number of %s", async (_, failureOf) => {
    const costOf = (count: number): Promise<number> => cost(failureOf(count).log, failureOf(count).files);
    await expectGrowth(
      () => costOf(1_000),
      () => costOf(4_000),
    );
  });

  it.each([
    ["super().find()", "        return super().find().id"],
    ["self.find()", "        return self.find().id"],
    ["self.rows.find()", "        return self.rows.find().id"],
  ])("grows with the classes of a hierarchy, not with the ways through it: %s", async (_, use) => {
    const costOf = (layers: number): Promise<number> => {
      const classes = Array.from({ length: layers }, (_, index) => layerOf(layers - index)).flat();
      const { log, files } = failing({ "show.py": [...classes, "    def show(self):", use, ""].join("\n") });
      return cost(log, files);
    };
    await expectGrowth(
      () => costOf(3),
      () => costOf(11),
    );
  });
});

function quotedBySpark(_: unknown, index: number): string {
  return `org.apache.spark.api.python.PythonException: Traceback (most recent call last):
  File "/srv/a.py", line ${index + 1}, in f
ValueError: ${index}
\tat org.apache.spark.A.b(A.scala:1)
`;
}

interface HostileFailure {
  readonly log: string;
  readonly files: Readonly<Record<string, string>>;
}

/** A chain of calls with something before its last dot and in its last call. */
function brokenChain(before: string, within: string): HostileFailure {
  const files = { "a.js": `const rows = load();\nconst one = rows${before}.pick(1${within});\nf(one.id);\n` };
  const line = (files["a.js"].match(/\n/g) ?? []).length;
  return {
    log: `TypeError: Cannot read properties of undefined (reading 'id')\n    at f (/srv/a.js:${line}:7)\n`,
    files,
  };
}

/** A method that a value from data lacks. */
function formOfData(text: string): HostileFailure {
  return {
    log: "TypeError: data.rows.map is not a function\n    at f (/srv/a.js:2:11)\n",
    files: { "a.js": 'const data = require("./a.json");\ndata.rows.map(f);\n', "a.json": `{"a":${text}` },
  };
}

function sharedWrites(count: number): HostileFailure {
  const text = `const DEFAULTS = { a: [1] };\nfunction f() { let o = DEFAULTS;${"o = o || o; use(o);".repeat(count)} }\n`;
  return { log: "Error: x\n    at f (/srv/a.js:2:10)\n", files: { "a.js": text } };
}

function skippedErrors(count: number): HostileFailure {
  const round = "a, err := g(r)\nif err != nil {\ncontinue\n}\n".repeat(count);
  const text = `package main\nfunc f(rows []string) {\nh(rows[2])\nfor _, r := range rows {\n${round}}\n}\n`;
  const panic = "panic: runtime error: index out of range [2] with length 2\n\ngoroutine 1 [running]:\nmain.f(...)\n";
  return { log: `${panic}\t/srv/a.go:3 +0x1d\n`, files: { "a.go": text } };
}

function distinctValues(count: number): HostileFailure {
  const text = `function f(tags) {\n${"tags = [...new Set(tags)]; tags.map((tag) => tag.trim());\n".repeat(count)}}\n`;
  return { log: "Error: UNIQUE constraint failed: tags.name\n    at f (/srv/a.js:2:10)\n", files: { "a.js": text } };
}

function hiddenVariables(count: number): HostileFailure {
  const text = `function f(row) {\n  let tagId;\n${"if (row) { let tagId = 1; }\n".repeat(count)}  return tagId.x;\n}\n`;
  const log = `TypeError: Cannot read properties of undefined (reading 'x')\n    at f (/srv/a.js:${count + 3}:16)\n`;
  return { log, files: { "a.js": text } };
}

function exchangedArguments(count: number): HostileFailure {
  const names = Array.from({ length: Math.ceil(count / 4) }, (_, index) => `p${index}`);
  const text = `function f(${names}) { throw new Error("x"); }\nf(${names.toReversed()});\n`;
  return { log: "Error: x\n    at f (/srv/a.js:1:30)\n    at g (/srv/a.js:2:1)\n", files: { "a.js": text } };
}

/** Classes of a layer, and each extends all of the layer below. */
function layerOf(layer: number): string[] {
  const names = (of: number): string[] => [0, 1, 2, 3].map((index) => `Layer${of}_${index}`);
  return names(layer).flatMap((name) => [`class ${name}(${names(layer + 1).join(", ")}):`, "    pass"]);
}
