import { verifyReport } from "@whence/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Findings } from "../../src/findings/findings.ts";
import { trueObservations } from "../../src/report/truth.ts";
import type { Fact } from "../../src/signals/fact.ts";
import { investigated, textSubject } from "../investigated.ts";
import { checked, secondsAfter } from "./checked-report.ts";
import { caseOf, eventFindings, reported, trail } from "./written-reports.ts";

const place = { kind: "place", line: 3, function: "rowsOf", source: null } as const;

/** Timelines with shuffled, skewed and missing data. */
const second = fc.integer({ min: -7_200, max: 7_200 }).map(secondsAfter);
const count = fc.nat({ max: 50 });
const deploys = fc
  .record({
    verdict: fc.constantFrom("suspect", "near", "ruled-out"),
    reason: fc.constantFrom(
      ...(["only-in-release", "soon-after", "none-in-release", "there-before", "long-after"] as const),
    ),
    ...{ at: second, firstSeen: fc.option(second), own: fc.boolean(), answeredLast: fc.boolean() },
    previous: fc.option(fc.constant("1.9.0")),
    counts: fc.option(
      fc.record({ inRelease: count, inReleaseMinutes: count, inOthers: count, inOthersMinutes: count }),
    ),
  })
  .map(
    ({ reason, ...rest }): Fact => ({
      kind: "deploy",
      deploy: { ...rest, reason: { kind: reason }, service: rest.own ? "orders" : "payments", release: "2.0.0" },
    }),
  );
const minutes = fc.array(fc.record({ at: second, requests: count, failed: count }), { maxLength: 6 });
const relatedFailures = fc
  .record({
    ...{ at: second, link: fc.constantFrom("trace", "time"), with: count, of: count },
    role: fc.constantFrom("deepest", "refusing", "between", "caller", "beside"),
  })
  .map(
    (one): Fact => ({
      kind: "related-failure",
      failure: {
        ...{ service: "payments", message: "Error: y", at: one.at, location: null, link: one.link, role: one.role },
        ...{ traces: { with: one.with, of: one.of }, wasThere: false, category: null },
        error: { type: "Error", message: "y", code: null },
      },
    }),
  );
const share = fc.double({ min: 0.001, max: 1, noNaN: true });
const rates = fc
  .record({
    shape: fc.constantFrom("steady", "step", "spike", "growth"),
    ...{ at: second, until: fc.option(second), before: share, after: fc.double({ min: 0, max: 900, noNaN: true }) },
    perProcess: fc.boolean(),
  })
  .map((rate): Fact => ({ kind: "rate", rate }));
const concentrations = fc
  .record({ failing: count, of: count, expected: share, chance: share })
  .map((one): Fact => ({ kind: "concentration", concentration: { dimension: "host", value: "h", ...one } }));
const calls = fc.record({ events: count, of: count, others: count, othersOf: count, chance: share }).map(
  (one): Fact => ({
    kind: "failing-calls",
    calls: { host: "payments:8080", service: "payments", how: "status", ...one },
  }),
);
const bytes = fc.integer({ min: 0, max: 8_000_000_000 });
const states = fc
  .record({ since: second, fromBytes: bytes, toBytes: bytes, limitBytes: fc.option(fc.constant(2_000_000_000)) })
  .map(
    (one): Fact => ({
      kind: "process-state",
      state: {
        ...{
          service: "orders",
          instance: "i",
          host: "h",
          own: true,
          severity: 1,
          resource: "memory",
          of: "heap",
          climbs: true,
        },
        ...one,
      },
    }),
  );
const facts: fc.Arbitrary<Fact[]> = fc.array(
  fc.oneof(
    deploys,
    relatedFailures,
    rates,
    concentrations,
    calls,
    states,
    minutes.map((counted): Fact => ({ kind: "answers", service: "orders", minutes: counted })),
    fc.record({ events: count, first: second, last: second }).map(
      ({ events, first, last }): Fact => ({
        kind: "totals",
        impact: {
          ...{ events, first_seen: first, last_seen: last, services: ["orders"], routes: ["/orders/:id"] },
          ...{ hosts: ["h1", "h2"], releases: [] },
        },
      }),
    ),
    fc.record({ at: second, lastAt: second }).map(
      ({ at: began, lastAt }): Fact => ({
        kind: "process-state",
        state: {
          ...{ service: "orders", instance: "i", host: "h", own: true, severity: 0.4, resource: "restart", at: began },
          previous: { lastAt, shutDownCleanly: false },
        },
      }),
    ),
  ),
  { maxLength: 6 },
);

describe("a report on any timeline", () => {
  const subjects = fc.constantFrom(
    ...([
      { kind: "release", service: "payments", release: "2.0.0" },
      { kind: "service", service: "payments" },
      { kind: "service", service: "orders" },
    ] as const),
  );

  it("has no link that is later than its effect, no figure without evidence, and no false order", () => {
    fc.assert(
      fc.property(facts, subjects, fc.boolean(), (shown, subject, hasTrail) => {
        const signals = hasTrail ? trail("answer-field") : [];
        const { report, dropped } = checked(caseOf(believed(shown), subject, signals, { service: subject.service }));
        expect(verifyReport(report)).toEqual([]);
        expect(dropped.filter(({ problem }) => problem.startsWith("states"))).toEqual([]);
        expectTruth(eventFindings(shown), report.evidence.map(({ summary }) => summary).join("\n"));
        expect(report.root_cause_summary.split(/\s+/).length).toBeLessThanOrEqual(25);
      }),
      { numRuns: 300 },
    );
  });
});

/** The findings of an event as an investigation has them: without facts that can't be. */
function believed(shown: readonly Fact[]): Findings {
  const findings = eventFindings(shown);
  return { ...findings, observations: trueObservations(findings.observations) };
}

/** No summary claims that a process before began after, or that a release came before a failure that came first. */
function expectTruth({ observations }: Findings, said: string): void {
  for (const { fact } of observations) {
    if (fact.kind === "process-state" && fact.state.resource === "restart") {
      const { at: began, previous } = fact.state;
      if (Date.parse(previous.lastAt) > Date.parse(began)) {
        expect(said).not.toContain(
          `restarted at ${began}; the process before it stopped without shutting down and was last seen at ${previous.lastAt}`,
        );
      }
    }
  }
}

describe("a chain", () => {
  it("ends in which value was wrong, and leaves out a place that only the ranking names", () => {
    const [, thrown] = trail("property");
    const offStack = { ...place, file: "/srv/orders/src/rows.ts" };
    const one = caseOf(eventFindings(), offStack);
    const { chain } = reported({ ...one, traced: { ...one.traced, signals: [thrown] } });
    expect(chain.map(({ what }) => what)).toEqual([
      "`formatMoney` (`src/money.ts:2`) reads `currency` of `money`, which is `undefined`",
    ]);
  });

  it.each([
    [
      "reads `length` of `order.lines`, which is `null`",
      "TypeError: Cannot read properties of null (reading 'length')",
      "order.lines.length",
    ],
    [
      "calls `order.lines.all.sum`, which isn't a function",
      "TypeError: order.lines.all.sum is not a function",
      "order.lines.all.sum()",
    ],
  ])("doesn't say that a line reads what the failure there names: %s", async (said, error, code) => {
    const log = `${error}\n    at total (/app/src/total.js:2:${"  return ".length + code.lastIndexOf(".") + 2})\n`;
    const { report } = await investigated(
      textSubject(log, { "src/total.js": `export function total(order) {\n  return ${code};\n}\n` }),
    );
    expect(report.chain.map(({ what }) => what)).toEqual([`\`total\` (\`src/total.js:2\`) ${said}`]);
  });
});
