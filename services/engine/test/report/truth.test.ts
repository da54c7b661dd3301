import { clockErrorMs, verifyReport } from "@whence/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Findings } from "../../src/findings/findings.ts";
import { assemble } from "../../src/report/assemble.ts";
import { bookOf } from "../../src/report/evidence-book.ts";
import { figuresIn } from "../../src/report/figures.ts";
import { render } from "../../src/report/render.ts";
import { factProblems, trueObservations } from "../../src/report/truth.ts";
import { verify } from "../../src/report/verify.ts";
import type { Fact } from "../../src/signals/fact.ts";
import { minutesSince } from "../../src/signals/facts/answers.ts";
import type { DeployFact } from "../../src/signals/facts/deploy-fact.ts";
import { whenReleased } from "../../src/signals/facts/release-reason.ts";
import { investigated, textSubject } from "../investigated.ts";
import { type Case, caseOf, deploy, eventFindings, failedAt, kindsOfFailure, now, trail } from "./written-reports.ts";

const at = (seconds: number): string => new Date(Date.parse(failedAt) + seconds * 1_000).toISOString();

/** A case's report and what was dropped from it. */
function checked({ findings, traced, ranking }: Case) {
  const book = bookOf(findings);
  const written = render(findings, traced, ranking, book, now);
  return verify(assemble(written, book), [], { findings, facts: book.facts });
}

describe("the figures of a sentence", () => {
  it("are its times and numbers, without code, citations, and versions", () => {
    const sentence =
      "`GET /a/7` of payments 2.0.0 failed 5 times (31%) since 2026-03-01T10:00:00.000Z, 1.5 s later [e1, e2]";
    expect(figuresIn(sentence)).toEqual(["2026-03-01T10:00:00.000Z", "5", "31", "1.5"]);
  });
});

describe("a report written from facts", () => {
  it.each(kindsOfFailure)("states nothing that its evidence doesn't have: %s", (_, one) => {
    expect(checked(one).dropped).toEqual([]);
  });
});

describe("verification", () => {
  const release = (changes: Partial<DeployFact>): Case =>
    caseOf(
      eventFindings([{ kind: "deploy", deploy: { ...deploy, ...changes } }]),
      { kind: "release", service: "payments", release: "2.0.0" },
      trail("answer-field"),
      { service: "payments" },
    );

  it("drops a sentence with a number that its evidence doesn't have", () => {
    const { findings, traced, ranking } = release({});
    const book = bookOf(findings);
    const written = render(findings, traced, ranking, book, now);
    const chain = written.chain.map((link, index) => (index === 0 ? { ...link, what: "it failed 77 times" } : link));
    const { report, dropped } = verify(assemble({ ...written, chain }, book), [], { findings, facts: book.facts });
    expect(report.chain.map(({ what }) => what)).not.toContain("it failed 77 times");
    expect(dropped).toContainEqual({ where: "chain[0]", problem: "states 77, which its evidence doesn't have" });
  });

  it("drops support, doubts, and advice by the same rule", () => {
    const { findings, traced, ranking } = release({});
    const book = bookOf(findings);
    const written = render(findings, traced, ranking, book, now);
    const [first] = written.candidates;
    const [evidence_id = ""] = first?.evidence_ids ?? [];
    const said = "it failed 77 times";
    const report = {
      ...written,
      candidates: first ? [{ ...first, support: [...first.support, said], against: [said] }] : [],
      short_term_solutions: [{ title: "Roll back", detail: `It began at ${at(77)}.`, evidence_ids: [evidence_id] }],
    };
    const { report: kept, dropped } = verify(assemble(report, book), [], { findings, facts: book.facts });
    expect(kept.candidates[0]?.support).toEqual(first?.support);
    expect(kept.candidates[0]?.against).toEqual([]);
    expect(kept.short_term_solutions).toEqual([]);
    expect(dropped.map(({ where }) => where)).toEqual(
      expect.arrayContaining(["candidates[0].support", "candidates[0].against", "short_term_solutions[0]"]),
    );
  });

  it("drops a prediction whose refutation is the predicted sentence", () => {
    const { findings, traced, ranking } = release({});
    const book = bookOf(findings);
    const written = render(findings, traced, ranking, book, now);
    const [one, ...others] = written.predictions;
    if (!one) throw new Error("nothing is predicted");
    const same = { ...one, refuted_by: one.statement };
    const { report } = verify(assemble({ ...written, predictions: [same, ...others] }, book), [], {
      ...{ findings, facts: book.facts },
    });
    expect(report.predictions.map(({ statement }) => statement)).toEqual(others.map(({ statement }) => statement));
  });

  it("drops evidence whose fact has a figure that its data doesn't have", () => {
    const fact: Fact = { kind: "earlier-failure", at: at(-9), message: "x", sameFailure: false };
    expect(factProblems(fact, JSON.stringify({ timestamp: at(-9) }))).toEqual([]);
    expect(factProblems(fact, JSON.stringify({ timestamp: at(-8) }))).toEqual([`${at(-9)} isn't in its data`]);
  });

  it("drops a previous process that was seen after the next one began, even by a second", () => {
    const restart = (lastAt: string): Fact => ({
      kind: "process-state",
      state: {
        ...{ service: "orders", instance: "i2", host: "h", own: true, severity: 0.4, resource: "restart", at: at(-60) },
        previous: { lastAt, shutDownCleanly: false },
      },
    });
    const problems = (fact: Fact) => factProblems(fact, JSON.stringify(fact));
    expect(problems(restart(at(-61)))).toEqual([]);
    expect(problems(restart(at(-59)))).toEqual(["the previous process was seen after the next one began"]);
  });

  it("drops a release that is suspect only because of its time, and a part larger than its total", () => {
    const suspect: Fact = { kind: "deploy", deploy: { ...deploy, verdict: "suspect" } };
    expect(factProblems(suspect, JSON.stringify(suspect))).toEqual(["a release is suspected for its time alone"]);
    const share: Fact = {
      kind: "concentration",
      concentration: { dimension: "host", value: "h", failing: 9, of: 5, expected: 0.5, chance: 0.5 },
    };
    expect(factProblems(share, JSON.stringify(share))).toEqual(["a part is larger than its whole"]);
  });
});

describe("a release and a failure", () => {
  const released = "2026-03-01T11:04:18.000Z";

  it("are described in their order, and as too close to tell within the error of clocks", () => {
    expect(whenReleased({ at: released, firstSeen: "2026-03-01T11:04:44.000Z" })).toBe(
      "was first seen 26 s before the first failure",
    );
    expect(whenReleased({ at: released, firstSeen: "2026-03-01T11:04:15.000Z" })).toBe(
      "was first seen 3 s after the first failure, too close to tell which came first",
    );
  });

  it("say that the release went live when a report gave the time, and that it was seen when telemetry did", () => {
    const deploy = { at: released, firstSeen: "2026-03-01T11:04:44.000Z" };
    const report = { at: released, commit: null, url: null };
    expect(whenReleased({ ...deploy, reported: report })).toBe("went live 26 s before the first failure");
    const later = { ...report, at: "2026-03-01T11:04:30.000Z" };
    expect(whenReleased({ ...deploy, reported: later })).toBe("was first seen 26 s before the first failure");
  });

  it.each([
    [-1, "started 1 s before the first failure"],
    [-0.999, "started within a second of the first failure"],
    [0.999, "started within a second of the first failure"],
    [1, "started 1 s after the first failure, too close to tell which came first"],
  ])("state no order that a rounded uptime can't give: a start at %s s", (seconds, said) => {
    expect(whenReleased({ at: at(seconds), firstSeen: failedAt, isStartKnown: true })).toBe(said);
  });

  it("never say before when it was after, whatever the times", () => {
    fc.assert(
      fc.property(fc.integer({ min: -900, max: 900 }), (seconds) => {
        const said = whenReleased({ at: at(seconds), firstSeen: failedAt });
        expect(said.includes("before the first failure")).toBe(seconds <= 0);
        expect(said.includes("too close")).toBe(seconds > 0 && seconds * 1_000 <= clockErrorMs);
      }),
    );
  });
});

describe("a headline about a release", () => {
  const headlineOf = (changes: Partial<DeployFact>): string =>
    checked(
      caseOf(
        eventFindings([{ kind: "deploy", deploy: { ...deploy, own: true, service: "orders", ...changes } }]),
        { kind: "release", service: "orders", release: "2.0.0" },
        trail("property"),
      ),
    ).report.root_cause_summary;

  it("never says that failures began after it when it was seen later, whatever the times", () => {
    fc.assert(
      fc.property(fc.integer({ min: -120, max: 600 }), (seconds) => {
        const said = headlineOf({ at: at(-seconds), firstSeen: failedAt });
        expect(/ after `orders` 2\.0\.0/.test(said)).toBe(seconds > 0);
        if (seconds <= 0) expect(said).toContain("Failures began around the release of `orders` 2.0.0");
      }),
    );
  });
});

describe("a confidence", () => {
  it("is stated as the number that it is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 95 }), (hundredths) => {
        const score = hundredths / 100;
        const { confidence } = checked(
          caseOf(eventFindings(), { kind: "service", service: "orders" }, [], { score }),
        ).report;
        expect(confidence.basis).toContain(`${hundredths}% likely to be the right service`);
        expect(confidence.basis).toContain("2 of 3 reviewed reports");
      }),
    );
  });
});

describe("requests counted by a heartbeat", () => {
  it("count only when the counted minute is after the first failure", () => {
    const minutes = [-60, 0, 59, 60, 120].map((second) => ({ at: at(second), requests: 9, failed: 0 }));
    expect(minutesSince(minutes, failedAt).map((minute) => minute.at)).toEqual([at(60), at(120)]);
  });

  it("never make a report deny its own failure", () => {
    const fact: Fact = { kind: "answers", service: "orders", minutes: [{ at: at(-60), requests: 12, failed: 0 }] };
    const totals: Fact = {
      kind: "totals",
      impact: {
        ...{ events: 2, first_seen: failedAt, last_seen: failedAt, services: ["orders"], routes: [], hosts: [] },
        releases: [],
      },
    };
    const { impact } = checked(caseOf(eventFindings([fact, totals]), { kind: "service", service: "orders" })).report;
    expect(impact.summary).toBe(
      "2 events since 2026-03-01T10:00:00.000Z in `orders`. Heartbeats of `orders` haven't reported request counts since then.",
    );
  });
});

describe("a response of another service", () => {
  const chainWith = (changes: Partial<DeployFact>, was: string): readonly string[] => {
    const fact: Fact = { kind: "deploy", deploy: { ...deploy, ...changes } };
    const [step, thrown] = trail("answer-field");
    if (thrown.kind !== "bad-value") throw new TypeError("the trail ends in a bad value");
    const symptom = { ...thrown, args: { ...thrown.args, was } };
    const subject = { kind: "release", service: "payments", release: "2.0.0" } as const;
    const one = caseOf(eventFindings([fact]), subject, [{ ...step, towards: symptom }, symptom], {
      service: "payments",
    });
    return checked(one).report.chain.map(({ what }) => what);
  };
  const changed = /^a response of `payments`/;

  it("lacks a field only when the error says that it was undefined", () => {
    expect(chainWith({}, "undefined")).toContain("a response of `payments` has no `amount`");
    expect(chainWith({}, "a string")).toContain("a response of `payments` has another shape than the code expects");
  });

  it.each([{ upstream: "caller" }, { upstream: "source" }, { answeredLast: false }] as const)(
    "isn't held to have changed when the failing value isn't known to be of it: %j",
    (changes) => {
      expect(chainWith(changes, "undefined").some((what) => changed.test(what))).toBe(false);
    },
  );
});

describe("another service that failed at the same time", () => {
  it("isn't a link of the chain", () => {
    const failure: Fact = {
      kind: "related-failure",
      failure: {
        ...{ service: "stock", message: "Error: x", at: at(-1), location: null, link: "time", role: "beside" },
        ...{ traces: { with: 0, of: 0 }, wasThere: false, category: null },
        error: { type: "Error", message: "x", code: null },
      },
    };
    const { report } = checked(caseOf(eventFindings([failure]), { kind: "service", service: "orders" }));
    expect(report.chain.some(({ service }) => service === "stock")).toBe(false);
    expect(report.root_cause.service).toBe("orders");
  });
});

describe("what isn't checked", () => {
  it("leaves out Python frames whose code the traceback prints, and integrations that nothing asked about", async () => {
    const log =
      'Traceback (most recent call last):\n  File "/srv/app/a.py", line 4, in f\n    return d["k"]\nKeyError: \'k\'\n';
    const { report } = await investigated(textSubject(log));
    expect(report.not_checked.join("\n")).not.toMatch(/own-code frame|integration/i);
  });
});

describe("a known failure", () => {
  it("is named without words that the error doesn't give", async () => {
    const log =
      "2026/03/01 10:00:00 [error] 31#31: *1 connect() failed (111: Connection refused) while connecting to upstream";
    const { report } = await investigated(textSubject(log));
    const said = JSON.stringify([report.root_cause_summary, report.chain, report.short_term_solutions]);
    expect(said).not.toMatch(/\bat it\b|\bit:|\{\w+\}|\(empty\)/);
    expect(report.root_cause_summary).toContain("Nothing is listening on the target address");
  });

  it.each([
    "java.sql.SQLTransientConnectionException: HikariPool-1 - Connection is not available, request timed out after 30000ms.",
    "org.postgresql.util.PSQLException: Connection refused",
    "Error: connect ETIMEDOUT",
    "Error: getaddrinfo ENOTFOUND",
    "ModuleNotFoundError: No module named",
    "panic: runtime error: invalid memory address or nil pointer dereference",
    "upstream timed out (110: Connection timed out) while reading response header from upstream",
  ])("has no sentence with a gap where one line says it all: %s", async (log) => {
    const { report } = await investigated(textSubject(log));
    const { root_cause_summary: headline, chain, short_term_solutions: now_, long_term_solutions: later } = report;
    const said = [
      headline,
      ...chain.map(({ what }) => what),
      ...[...now_, ...later].flatMap((one) => [one.title, one.detail]),
    ];
    for (const sentence of said)
      expect(sentence).not.toMatch(/\{\w+\}|\(empty\)|``|^It (?:fails|doesn't)|\b(?:at|of|to|on) it\b[.:]/);
  });

  it("is shown at the user's own Java frame", async () => {
    const log = `java.util.concurrent.TimeoutException: pool timed out
\tat com.zaxxer.hikari.pool.HikariPool.getConnection(HikariPool.java:181)
\tat com.acme.shop.OrderRepository.find(OrderRepository.java:31)
`;
    const { report } = await investigated(textSubject(log));
    expect(report.chain.at(-1)?.location).toMatchObject({ file: "com/acme/shop/OrderRepository.java", line: 31 });
  });
});

/** Timelines with shuffled, skewed and missing data. */
const second = fc.integer({ min: -7_200, max: 7_200 }).map(at);
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
