import type { Location, Report } from "@whence/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";

/** A trace with the source that ran, and what may be inserted between two of its functions. */
interface Run {
  readonly file: string;
  readonly source: string;
  readonly log: string;
  /** The functions that the trace prints. */
  readonly printed: readonly string[];
  readonly fillers: readonly string[];
  /** Lines that can't have failed. */
  readonly notCode: RegExp;
}

const python: Run = {
  file: "shop/cart.py",
  source: `"""Totals of carts."""


def unit_price(item):
    # Prices are in cents.
    return item["price"]


def total(items):
    """Adds up what is in a cart."""
    return sum(unit_price(item) * item["quantity"] for item in items)
`,
  log: `Traceback (most recent call last):
  File "/app/shop/api.py", line 12, in post
    return total(body["items"])
           ^^^^^^^^^^^^^^^^^^^^
  File "/app/shop/cart.py", line 11, in total
    return sum(unit_price(item) * item["quantity"] for item in items)
               ^^^^^^^^^^^^^^^^
  File "/app/shop/cart.py", line 6, in unit_price
    return item["price"]
           ~~~~^^^^^^^^^
KeyError: 'price'
`,
  printed: ["unit_price", "total", "post"],
  fillers: ["", "# A comment.", '"""A docstring."""', "def other(item):\n    return item\n", "LIMIT = 3"],
  notCode: /^\s*(?:#|"""|$)/,
};

const script: Run = {
  file: "src/licenses.js",
  source: `// Licenses of packages.

function startsWith(text, prefix) {
  return text.slice(0, prefix.length) === prefix;
}

function check(licenses, prefix) {
  // One is enough.
  return licenses.some((license) => startsWith(license, prefix));
}

module.exports = { check };
`,
  log: `TypeError: text.slice is not a function
    at startsWith (/app/src/licenses.js:4:15)
    at /app/src/licenses.js:9:37
    at Array.some (<anonymous>)
    at check (/app/src/licenses.js:9:19)
    at main (/app/src/main.js:7:3)
`,
  printed: ["startsWith", "check", "main"],
  fillers: ["", "// A comment.", "/** A remark. */", "function other(text) {\n  return text;\n}", "const limit = 3;"],
  notCode: /^\s*(?:\/\/|\/\*|$)/,
};

/** The source with texts inserted before lines; only between functions. */
function edited({ source }: Run, insertions: readonly { readonly at: number; readonly text: string }[]): string {
  const lines = source.split("\n");
  const apart = lines.flatMap((line, index) => (line === "" && !/^\s/.test(lines[index + 1] ?? "") ? [index] : []));
  const given = [...lines];
  const places = insertions.map(({ at, text }) => ({ at: apart[at % apart.length] ?? 0, text }));
  for (const { at, text } of places.toSorted((left, right) => right.at - left.at)) given.splice(at, 0, text);
  return given.join("\n");
}

const reportOn = async ({ log, file }: Run, given: string) =>
  (await investigated(textSubject(log, { [file]: given }))).report;

describe("source of another version than the one that failed", () => {
  it("is searched for the line that the trace prints", async () => {
    const moved = `# One line more.\n${python.source}`;
    const { chain, not_checked: unseen } = await reportOn(python, moved);
    const places = chain.flatMap(({ location }) => (location?.file === python.file ? [location.line ?? 0] : []));
    expect(places.length).toBeGreaterThan(0);
    const printed = /^(?:def unit_price|return item|return sum)/;
    for (const line of places) expect(moved.split("\n")[line - 1]?.trim()).toMatch(printed);
    expect(unseen.join("\n")).toContain("`shop/cart.py` is of another version than the one that ran");
  });

  it("isn't quoted as what ran where it lacks that line", async () => {
    const changed = python.source
      .replace('item["price"]', "item.price")
      .replace("def unit_price(item):\n", "$&    assert item\n");
    const { detailed_analysis: analysis, evidence, chain } = await reportOn(python, changed);
    expect(JSON.stringify(chain)).not.toContain("Prices are in cents");
    expect(evidence.map(({ summary }) => summary).join("\n")).not.toContain("Prices are in cents");
    expect(analysis).not.toMatch(/^> +6 \|/m);
    expect(analysis).toContain("is of another version and doesn't have this line");
  });

  it("isn't named as another version when it is the same", async () => {
    const { not_checked: unseen } = await reportOn(python, python.source);
    expect(unseen.join("\n")).not.toContain("another version");
  });

  it.each([
    ["Python", python],
    ["JavaScript", script],
  ])(
    "never makes a report name another function than the trace prints, or quote a line without code: %s",
    async (_, run) => {
      const insertion = fc.record({ at: fc.nat(20), text: fc.constantFrom(...run.fillers) });
      await fc.assert(
        fc.asyncProperty(fc.array(insertion, { maxLength: 6 }), async (insertions) => {
          expect(problemsIn(await reportOn(run, edited(run, insertions)), run, edited(run, insertions))).toEqual([]);
        }),
        { numRuns: 60 },
      );
    },
  );
});

function problemsIn(report: Report, run: Run, given: string): string[] {
  const { root_cause: cause, candidates, chain, evidence, detailed_analysis: analysis } = report;
  const isAnnounced = report.not_checked.some((one) => one.includes("is of another version"));
  const isWithoutCode = ({ file, line }: Location): boolean =>
    file === run.file && line !== null && run.notCode.test(given.split("\n")[line - 1] ?? "");
  const named = [cause, ...candidates, ...chain].flatMap(({ location }) => location ?? []);
  const strangers = named.flatMap(({ function: name }) => (name === null || run.printed.includes(name) ? [] : [name]));
  // Where the source has another line, the number that the trace prints stands, and what is there isn't quoted.
  const bare = named.filter((place) => isWithoutCode(place) && !(isAnnounced && isPrinted(place, run)));
  const quoted = evidence.filter(
    ({ source, location }) => source.kind === "source_file" && location && isWithoutCode(location),
  );
  const [, marked] = /^> +(\d+) \|/m.exec(analysis) ?? [];
  return [
    ...strangers.map((name) => `${name} isn't in the trace`),
    ...bare.map(({ line }) => `line ${line} has no code`),
    ...quoted.map(({ summary }) => `quotes ${summary}`),
    ...(marked && isWithoutCode({ file: run.file, line: Number(marked), function: null }) ? [`marks ${marked}`] : []),
  ];
}

function isPrinted({ file, line }: Location, { log }: Run): boolean {
  return log.includes(`${file}:${line}:`) || log.includes(`${file}", line ${line},`);
}
