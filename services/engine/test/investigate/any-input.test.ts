import { eventSchema, reportSchema, type TelemetryEvent, verifyReport } from "@whence/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { InvestigationSubject } from "../../src/findings/investigation-subject.ts";
import { investigate } from "../../src/investigate.ts";
import { textSubject } from "../investigated.ts";
import { eventSubject } from "../reported-event.ts";

const ports = { clock: () => 0, onStep: async () => undefined };
const run = (subject: InvestigationSubject) => investigate(subject, ports, new AbortController().signal);

const code = fc.constantFrom(
  "const a = await f(b);",
  "function f(x) { return x.y.z; }",
  "export const config: Config = { url: process.env.URL as string };",
  "items.map((item) => item.title)",
  "for (const { a, b: [c] } of list) {",
  `if (!ok) throw new Error(\`no \${thing}\`);`,
  "}",
  "((((",
  "`$".concat("{`$", "{"),
  "/[/",
  "'unclosed",
  "/* unclosed",
  "class A { async m(p, { q }) { this.r = q ?? p; } }",
  "const { n } = require('./b');",
  "import d, { e as g } from './b.js';",
);
const program = fc
  .array(fc.oneof(code, fc.string({ unit: "binary", maxLength: 20 })), { maxLength: 12 })
  .map((lines) => lines.join("\n"));
const line = fc.oneof(
  code,
  fc.constantFrom(
    "TypeError: Cannot read properties of undefined (reading 'y')",
    "    at f (/srv/src/a.js:2:9)",
    "    at async g (/srv/src/b.js:1:1) {",
    "  [cause]: Error: ECONNREFUSED [e1] ```",
    "  code: 'X'",
    "}",
    "SyntaxError: Unexpected token '<' in JSON",
    "Error: Timeout acquiring a connection",
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
);
const log = fc.array(line, { maxLength: 15 }).map((lines) => lines.join("\n"));

const frame = fc.record(
  {
    file: fc.constantFrom("/srv/src/a.js", "node:fs", "/srv/node_modules/x/i.js", "<anonymous>", "C:\\b.js", ""),
    function: fc.string({ maxLength: 10 }),
    line: fc.integer({ min: 0, max: 12 }),
    column: fc.integer({ min: 0, max: 40 }),
    in_app: fc.boolean(),
    context: program.map((text) => ({ start_line: 1, lines: text.split("\n").map((one) => one.slice(0, 500)) })),
  },
  { requiredKeys: [] },
);
const exception = fc.record(
  {
    type: fc.constantFrom("TypeError", "SyntaxError", "Error", "AggregateError", ""),
    message: fc.oneof(line, fc.string()),
    stack: log,
    frames: fc.array(frame, { maxLength: 5 }),
    properties: fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
    parent: fc.nat(5),
  },
  { requiredKeys: ["type", "message", "stack"] },
);
const breadcrumb = fc.record(
  {
    timestamp: fc.constant("2026-03-01T09:59:59.000Z"),
    category: fc.constantFrom("http", "log", ""),
    message: fc.string({ unit: "binary" }),
    data: fc.dictionary(fc.constantFrom("method", "url", "status_code", "error"), fc.jsonValue({ maxDepth: 1 })),
  },
  { requiredKeys: ["timestamp", "category"] },
);
const event: fc.Arbitrary<TelemetryEvent> = fc
  .record({
    exceptions: fc.array(exception, { maxLength: 4 }),
    breadcrumbs: fc.array(breadcrumb, { maxLength: 5 }),
    message: fc.oneof(log, fc.string({ unit: "binary" })),
    type: fc.constantFrom("exception", "log", "exit"),
    mechanism: fc.record({ type: fc.constantFrom("unhandledRejection", "express", ""), handled: fc.boolean() }),
  })
  .map((parts) => ({
    id: "0197a9d0-0000-7000-8000-000000000001",
    seq: 1,
    timestamp: "2026-03-01T10:00:00.000Z",
    level: "error",
    ...parts,
  }))
  .map((value) => eventSchema.parse(value));

async function expectReport(subject: InvestigationSubject): Promise<void> {
  const report = await run(subject);
  expect(reportSchema.safeParse(report).error).toBeUndefined();
  expect(verifyReport(report)).toEqual([]);
  expect(report.candidates.length).toBeGreaterThan(0);
}

describe("an investigation", () => {
  it("ends with a valid report, whatever text and files it gets", async () => {
    const files = fc.dictionary(fc.constantFrom("src/a.js", "b.js", "config.json", "c.ts", ""), program);
    await fc.assert(
      fc.asyncProperty(log, files, (text, given) => expectReport(textSubject(text, given))),
      { numRuns: 150 },
    );
  });

  it("ends with a valid report, whatever event it gets", async () => {
    await fc.assert(
      fc.asyncProperty(event, (one) => expectReport(eventSubject(one))),
      { numRuns: 150 },
    );
  });

  it("gives the same report for the same input", async () => {
    await fc.assert(
      fc.asyncProperty(log, async (text) => {
        expect(await run(textSubject(text))).toEqual(await run(textSubject(text)));
      }),
      { numRuns: 20 },
    );
  });

  it("stops when its signal is aborted", async () => {
    const stopped = AbortSignal.abort(new Error("stopping"));
    await expect(investigate(textSubject("Error: x"), ports, stopped)).rejects.toThrow("stopping");
  });
});
