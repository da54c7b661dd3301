import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readingLimits } from "../../src/trace/code/reading.ts";
import type { Traced } from "../../src/trace/traced.ts";
import { traced } from "./signals-in.ts";

const logs: Readonly<Record<string, string>> = {
  "a.js": "TypeError: Cannot read properties of undefined (reading 'b')\n    at f (/srv/a.js:1:3)\n",
  "a.py":
    "Traceback (most recent call last):\n  File \"/srv/a.py\", line 1, in f\nAttributeError: 'NoneType' object has no attribute 'b'\n",
  "a.go":
    "panic: runtime error: invalid memory address or nil pointer dereference\n\ngoroutine 1 [running]:\nmain.f(...)\n\t/srv/a.go:1 +0x1d\n",
  "a.java": 'Exception in thread "main" java.lang.NullPointerException\n\tat f.f(a.java:1)\n',
  "a.rb": "/srv/a.rb:1:in `f': undefined method `b' for nil:NilClass (NoMethodError)\n",
};
const names = Object.keys(logs);

function look(name: string, text: string): Promise<Traced> {
  return traced(logs[name] ?? "", { [name]: text });
}

/** What the languages are made of, in any order. */
const words = fc.constantFrom(
  ..."a b.b b() self this @x f(a, b) ( ) [ ] { } \" ' ` : ; , . -> => = := == + / % nil None null end def func class if else for in return raise throw panic( rescue except catch lambda go defer function const export \n é".split(
    " ",
  ),
  "\n",
  "\n  ",
);

describe("code that no person wrote", () => {
  it.each(names)("has a result, whatever it is: %s", async (name) => {
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 60 }), async (pieces) => {
        const { signals } = await look(name, pieces.join(" "));
        expect(signals.every(({ subject }) => subject.source.has(subject.line))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it.each(names)("is left out, and named, when it is nested deeper than handwritten code: %s", async (name) => {
    const { leftOut } = await look(name, `x = ${"(".repeat(501)}1${")".repeat(501)}\n${"[".repeat(501)}`);
    expect(leftOut).toEqual([{ files: [name], portion: "searched-only", why: "nested-too-deeply" }]);
  });

  it.each(names.filter((name) => name !== "a.js"))("may be one expression of thousands: %s", async (name) => {
    for (const text of [`x = a${".b".repeat(10_000)}`, `x = a${" + a.b".repeat(10_000)}`, "a.b\n".repeat(10_000)])
      expect((await look(name, text)).leftOut).toEqual([]);
  });

  it("may write a field from the same field in many files", async () => {
    const written = "export const one = { id: row.id };\nexport const other = { id: row.id };\n";
    const text = written + "use(row.id < at);\n".repeat(10);
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`a${index}.js`, text]));
    const { leftOut } = await traced("Error: the session has expired\n    at f (/srv/a1.js:1:3)\n", files);
    expect(leftOut).toEqual([]);
  });

  it("may have functions that return each other's results in many ways", async () => {
    const returns = (name: string): string => `  if (a.some) return ${name}(a.next);\n`.repeat(30);
    const text = [
      'function check(price) {\n  if (!price) throw new Error("no price");\n}',
      "check(add(first).total());",
      `function add(a) {\n${returns("scale")}}`,
      `function scale(a) {\n${returns("add")}}`,
    ].join("\n");
    const log = "Error: no price\n    at check (/srv/a.js:2:21)\n    at Object.<anonymous> (/srv/a.js:4:1)\n";
    const { signals } = await traced(log, { "a.js": text });
    expect(signals.length).toBeGreaterThan(0);
  });

  it.each(["self.Worker", "Worker.Base"])("may have a class whose base is found through itself: %s", async (base) => {
    const text = [
      "class Pool(Base):",
      "  def start(self):",
      `    class Worker(${base}):`,
      "      def run(self):",
      "        return self.job.step()",
      "    return Worker().run()",
      "",
    ].join("\n");
    const log = [
      "Traceback (most recent call last):",
      '  File "/srv/a.py", line 6, in start',
      '  File "/srv/a.py", line 5, in run',
      "AttributeError: 'NoneType' object has no attribute 'step'",
    ].join("\n");
    const { signals } = await traced(log, { "a.py": text });
    expect(signals.length).toBeGreaterThan(0);
  });

  it("gives the same signals each time", async () => {
    const text = "a.b\n".repeat(50);
    const seen = async (): Promise<string> =>
      JSON.stringify((await look("a.js", text)).signals.map(({ kind, subject }) => [kind, subject.line]));
    expect(await seen()).toBe(await seen());
  });
});

describe("how much of the code is read", () => {
  const { fileUnitsMax, filePiecesMax, piecesMax } = readingLimits;
  const pieces = (count: number): string => "a,".repeat(count / 2);
  const failing = "const x = f();\nx.b;\n";
  const log = "TypeError: Cannot read properties of undefined (reading 'b')\n    at f (/srv/a.js:2:3)\n";

  it.each([
    ["too-long", `${failing}//${" ".repeat(fileUnitsMax)}\n`],
    ["generated", `${failing}[${pieces(filePiecesMax)}]`],
  ])("reads a file around the stack only when it is %s", async (why, text) => {
    const { leftOut, signals } = await traced(log, { "a.js": text });
    expect(leftOut).toEqual([{ files: ["a.js"], portion: "around-the-stack", why }]);
    expect(signals.length).toBeGreaterThan(1);
  });

  it("names the files that it didn't reach", async () => {
    const half = `[${pieces(piecesMax / 2)}]`;
    const { leftOut } = await traced(log, { "a.js": failing, "b.js": half, "c.js": half });
    expect(leftOut).toEqual([{ files: ["c.js"], portion: "searched-only", why: "enough-read" }]);
  });
});

describe("an error that a compiler or go vet prints", () => {
  it("leads to no value, since the code never ran", async () => {
    const code =
      'package job\n\nimport "os"\n\nfunc Run() {\n\tscale := os.Getenv("SCALE")\n\tctx, cancel := start(scale)\n\tuse(ctx)\n}\n';
    const log = "./job.go:7:7: the cancel function is not used on all paths (possible context leak)\n";
    expect((await traced(log, { "job.go": code })).signals).toEqual([]);
  });
});
