import { clockErrorMs } from "@whence/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assemble } from "../../src/report/assemble.ts";
import { bookOf } from "../../src/report/evidence-book.ts";
import { figuresIn } from "../../src/report/figures.ts";
import { render } from "../../src/report/render.ts";
import { factProblems } from "../../src/report/truth.ts";
import { verify } from "../../src/report/verify.ts";
import type { Fact } from "../../src/signals/fact.ts";
import { minutesSince } from "../../src/signals/facts/answers.ts";
import type { DeployFact } from "../../src/signals/facts/deploy-fact.ts";
import { whenReleased } from "../../src/signals/facts/release-reason.ts";
import { investigated, textSubject } from "../investigated.ts";
import { checked, secondsAfter } from "./checked-report.ts";
import { kindsOfFailure } from "./kinds-of-failure.ts";
import { type Case, caseOf, deploy, eventFindings, failedAt, now, totals, trail } from "./written-reports.ts";

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
      short_term_solutions: [
        { title: "Roll back", detail: `It began at ${secondsAfter(77)}.`, evidence_ids: [evidence_id] },
      ],
    };
    const { report: kept, dropped } = verify(assemble(report, book), [], { findings, facts: book.facts });
    expect(kept.candidates[0]?.support).toEqual(first?.support);
    expect(kept.candidates[0]?.against).toEqual([]);
    expect(kept.short_term_solutions).toEqual([]);
    expect(dropped.map(({ where }) => where)).toEqual(
      expect.arrayContaining(["candidates[0].support", "candidates[0].against", "short_term_solutions[0]"]),
    );
  });

  it.each<[string, DeployFact["verdict"], string, string, number]>([
    ["keeps a solution that rolls a suspect release back", "suspect", "payments", "1.9.0", 1],
    ["drops one for a release that only came before the failure", "near", "payments", "1.9.0", 0],
    ["drops one to another release", "suspect", "payments", "1.8.0", 0],
    ["drops one of another service", "suspect", "orders", "1.9.0", 0],
  ])("%s", (_, verdict, service, to, kept) => {
    const reason: DeployFact["reason"] = { kind: verdict === "near" ? "soon-after" : "only-in-release" };
    const { findings, traced, ranking } = release({ previous: "1.9.0", verdict, reason });
    const book = bookOf(findings);
    const written = render(findings, traced, ranking, book, now);
    const [cited] = [...book.facts].flatMap(([id, { kind }]) => (kind === "deploy" ? [id] : []));
    const back = { title: "Go back", detail: "", rolls_back: { service, to }, evidence_ids: cited ? [cited] : [] };
    const { report } = verify(assemble({ ...written, short_term_solutions: [back] }, book), [], {
      ...{ findings, facts: book.facts },
    });
    expect(report.evidence.map(({ id }) => id)).toContain(cited);
    expect(report.short_term_solutions).toHaveLength(kept);
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
    const fact: Fact = { kind: "earlier-failure", at: secondsAfter(-9), message: "x", sameFailure: false };
    expect(factProblems(fact, JSON.stringify({ timestamp: secondsAfter(-9) }))).toEqual([]);
    expect(factProblems(fact, JSON.stringify({ timestamp: secondsAfter(-8) }))).toEqual([
      `${secondsAfter(-9)} isn't in its data`,
    ]);
  });

  it("drops a previous process that was seen after the next one began, even by a second", () => {
    const restart = (lastAt: string): Fact => ({
      kind: "process-state",
      state: {
        ...{
          service: "orders",
          instance: "i2",
          host: "h",
          own: true,
          severity: 0.4,
          resource: "restart",
          at: secondsAfter(-60),
        },
        previous: { lastAt, shutDownCleanly: false },
      },
    });
    const problems = (fact: Fact) => factProblems(fact, JSON.stringify(fact));
    expect(problems(restart(secondsAfter(-61)))).toEqual([]);
    expect(problems(restart(secondsAfter(-59)))).toEqual(["the previous process was seen after the next one began"]);
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
    expect(whenReleased({ at: secondsAfter(seconds), firstSeen: failedAt, isStartKnown: true })).toBe(said);
  });

  it("never say before when it was after, whatever the times", () => {
    fc.assert(
      fc.property(fc.integer({ min: -900, max: 900 }), (seconds) => {
        const said = whenReleased({ at: secondsAfter(seconds), firstSeen: failedAt });
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
        const said = headlineOf({ at: secondsAfter(-seconds), firstSeen: failedAt });
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
    const minutes = [-60, 0, 59, 60, 120].map((second) => ({ at: secondsAfter(second), requests: 9, failed: 0 }));
    expect(minutesSince(minutes, failedAt).map((minute) => minute.at)).toEqual([secondsAfter(60), secondsAfter(120)]);
  });

  it.each([
    ["from the first failure on", 120, failedAt],
    ["only since a restart, which lost those before", 600, secondsAfter(540)],
  ])("say since when they are counted: %s", (_, countedAt, since) => {
    const fact: Fact = {
      kind: "answers",
      service: "orders",
      minutes: [{ at: secondsAfter(countedAt), requests: 100, failed: 27 }],
    };
    const { impact } = checked(caseOf(eventFindings([fact, totals]), { kind: "service", service: "orders" })).report;
    expect(impact.summary).toContain(`27 of 100 requests to \`orders\` since ${since} failed (27%).`);
  });

  it("are called counted where minutes in between have no count", () => {
    const minutes = [120, 360].map((second) => ({ at: secondsAfter(second), requests: 50, failed: 14 }));
    const fact: Fact = { kind: "answers", service: "orders", minutes };
    const { impact } = checked(caseOf(eventFindings([fact, totals]), { kind: "service", service: "orders" })).report;
    expect(impact.summary).toContain(`28 of 100 counted requests to \`orders\` since ${failedAt} failed (28%).`);
  });

  it("never make a report deny its own failure", () => {
    const fact: Fact = {
      kind: "answers",
      service: "orders",
      minutes: [{ at: secondsAfter(-60), requests: 12, failed: 0 }],
    };
    const twice: Fact = {
      kind: "totals",
      impact: {
        ...{ events: 2, first_seen: failedAt, last_seen: failedAt, services: ["orders"], routes: [], hosts: [] },
        releases: [],
      },
    };
    const { impact } = checked(caseOf(eventFindings([fact, twice]), { kind: "service", service: "orders" })).report;
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
        ...{
          service: "stock",
          message: "Error: x",
          at: secondsAfter(-1),
          location: null,
          link: "time",
          role: "beside",
        },
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
