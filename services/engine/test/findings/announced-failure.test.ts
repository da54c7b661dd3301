import type { OutsideFinding } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { observeData } from "../../src/findings/observe-input.ts";
import type { Fact } from "../../src/signals/fact.ts";
import type { DeployFact } from "../../src/signals/facts/deploy-fact.ts";
import { announced, announcedSubject, investigated, textSubject } from "../investigated.ts";

const before = (minutes: number): string => new Date(Date.parse(announced.at) - minutes * 60_000).toISOString();

const alertText = (summary: string, labels = ""): string =>
  `[FIRING:1] CheckoutFailing\nsummary: ${summary}\n- alertname = CheckoutFailing\n${labels}startsAt: ${announced.at}`;
const text = alertText("10% of requests fail");

const collectorOf = (...facts: readonly Fact[]) => ({
  name: "found",
  collect: async () =>
    facts.map((fact) => observeData({ kind: "telemetry", name: "found" }, fact, { observed_at: before(5), fact })),
});
const outside = (finding: OutsideFinding): Fact => ({ kind: "outside", outside: finding });

const killed: OutsideFinding = {
  ...{ kind: "problem", what: "out-of-memory", vendor: "Kubernetes", title: "exit code 137", url: null },
  ...{ target: "checkout-6b7c9d5f4-x2k8p", since: before(3), until: null },
};
const release: DeployFact = {
  ...{ service: "checkout", release: "2.0.0", previous: "1.9.0", at: before(12), firstSeen: announced.at },
  ...{
    verdict: "near",
    reason: { kind: "soon-after" },
    counts: null,
    own: true,
    answeredLast: false,
    began: "announced",
  },
};

describe("a failure known only from an alert", () => {
  it("has the end of the service's pod as its cause, as likely", async () => {
    const { report } = await investigated(announcedSubject(text), [collectorOf(outside(killed))]);
    expect(report.root_cause).toMatchObject({ category: "resource-exhaustion", service: "checkout" });
    expect(report.chain[0]?.what).toContain("was killed for using too much memory");
    expect(report.chain.at(-1)?.what).toContain("CheckoutFailing");
    expect(report.root_cause_summary).toContain("checkout-6b7c9d5f4-x2k8p");
    expect(report.confidence.score).toBeGreaterThan(0.5);
    expect(report.root_cause_summary).toMatch(/^Most likely: /);
  });

  it.each([
    ["a line of its own", "summary: 5xx above 5%\nlog:\n", ""],
    ["a field's text", "summary: last log line: ", ""],
    ["a quote", "log: > `", "`"],
  ])("has the known failure that a log line in its text shows, as %s", async (_, start, end) => {
    const line = "FATAL: remaining connection slots are reserved for non-replication superuser connections";
    const { report } = await investigated(announcedSubject(`[FIRING:1] CheckoutFailing\n${start}${line}${end}`));
    expect(report.root_cause.category).toBe("resource-exhaustion");
    expect(report.root_cause_summary).toContain("PostgreSQL has no free connections");
    expect(report.chain[0]?.evidence_ids).not.toEqual([]);
    expect(report.confidence.score).toBeLessThan(0.6);
  });

  it("has the release shortly before as its cause, as possible, and says when it was reported", async () => {
    const about = { ...announced, isInTelemetry: true };
    const deploy: Fact = { kind: "deploy", deploy: release };
    const { report } = await investigated(announcedSubject(text, about), [collectorOf(deploy)]);
    expect(report.root_cause).toMatchObject({ category: "deploy-regression", service: "checkout" });
    expect(report.chain[0]?.what).toBe("`checkout` 2.0.0 was first seen 12 min before the failure was reported");
    expect(report.root_cause_summary).toMatch(
      /^Most likely: `checkout` 2\.0\.0 was first seen 12 min before the failure was reported: .*`CheckoutFailing`/,
    );
    expect(report.confidence.score).toBeLessThan(0.5);
  });

  it("has its causes in time order, and names the end of a pod rather than the release before it", async () => {
    const deploy: Fact = { kind: "deploy", deploy: release };
    const { report } = await investigated(announcedSubject(text), [collectorOf(outside(killed), deploy)]);
    expect(report.chain.map(({ at }) => at)).toEqual([before(12), before(3), announced.at]);
    expect(report.root_cause_summary).toMatch(/^Most likely: `checkout-6b7c9d5f4-x2k8p` was killed/);
    expect(report.confidence.score).toBeLessThan(0.6);
  });

  it("has another failure of its service at the time as its cause, with its place", async () => {
    const location = { file: "src/db.ts", line: 3, function: "take" };
    const failure: Fact = {
      kind: "related-failure",
      failure: {
        ...{ service: "checkout", message: "Error: pool timeout", at: before(2), location, link: "time" },
        ...{ role: "beside", traces: { with: 0, of: 0 }, wasThere: false, category: null },
        error: { type: "Error", message: "pool timeout", code: null },
      },
    };
    const about = { ...announced, isInTelemetry: true };
    const { report } = await investigated(announcedSubject(text, about), [collectorOf(failure)]);
    expect(report.root_cause).toMatchObject({ location, service: "checkout" });
    expect(report.short_term_solutions[0]?.title).toBe("Find out why `checkout` fails");
    expect(report.candidates[0]?.against).toEqual([]);
    expect(report.not_checked.join("\n")).not.toContain("reported no failure");
  });

  it("has the failure of a service that it calls as its cause", async () => {
    const failure: Fact = {
      kind: "related-failure",
      failure: {
        ...{ service: "payments", message: "Error: no disk space", at: before(2), location: null, link: "time" },
        ...{ role: "deepest", traces: { with: 0, of: 0 }, wasThere: false, category: "filesystem" },
        error: { type: "Error", message: "no disk space", code: null },
      },
    };
    const { report } = await investigated(announcedSubject(text), [collectorOf(failure)]);
    expect(report.root_cause.service).toBe("payments");
    expect(report.chain[0]?.what).toContain("no disk space");
    expect(report.candidates[0]?.against.join()).toContain("no failed call is known to connect the two");
  });

  it("has the change of a name that the alert reports as down as its cause", async () => {
    const dns: OutsideFinding = {
      ...{ kind: "change-event", what: "dns", vendor: "Cloudflare", target: "example.com", url: null, failed: null },
      ...{ title: "A record of api.example.com", at: before(8), by: "Ada" },
    };
    const { report } = await investigated(announcedSubject(alertText("api.example.com doesn't answer")), [
      collectorOf(outside(dns)),
    ]);
    expect(report.root_cause.category).toBe("network-unreachable");
    expect(report.root_cause_summary).toContain("Cloudflare");
    expect(report.chain[0]?.what).toContain("8 min before the failure was reported");
  });

  it("shows the errors that its service logged at the time", async () => {
    const log: OutsideFinding = {
      ...{ kind: "log", vendor: "Grafana", level: "error", message: "password authentication failed", url: null },
      ...{ source: "checkout", at: before(1), count: 4 },
    };
    const other: OutsideFinding = { ...log, source: "search", message: "index is missing" };
    const { report } = await investigated(announcedSubject(text), [collectorOf(outside(log), outside(other))]);
    expect(report.detailed_analysis).toContain("password authentication failed");
    expect(report.detailed_analysis).not.toContain("index is missing");
    expect(report.confidence.score).toBe(0.1);
  });

  it("isn't explained by the alarm that announced it, or by what happened to another service", async () => {
    const alarm: OutsideFinding = { ...killed, what: "alarm", target: "checkout" };
    const other: OutsideFinding = { ...killed, target: "search-6b7c9d5f4-x2k8p" };
    const { report } = await investigated(announcedSubject(text), [collectorOf(outside(alarm), outside(other))]);
    expect(report.confidence.score).toBe(0.1);
    expect(report.root_cause.category).toBe("unknown");
    expect(report.root_cause_summary).not.toContain("Kubernetes");
  });

  it("says what is unknown: no telemetry, no event, no service", async () => {
    const notChecked = async (about: Partial<typeof announced>): Promise<string> =>
      (await investigated(announcedSubject(text, { ...announced, ...about }))).report.not_checked.join("\n");
    expect(await notChecked({})).toContain("Telemetry: `checkout` sends none to Whence");
    expect(await notChecked({ isInTelemetry: true })).toContain("`checkout` reported no failure in the minutes before");
    expect(await notChecked({ service: null })).toContain("Telemetry and integrations: the text names no service");
  });

  it("isn't explained when a pasted text has the same words, because nothing is queried for it", async () => {
    const { report } = await investigated(textSubject(text), [collectorOf(outside(killed))]);
    expect(report.confidence.score).toBe(0.1);
    expect(report.evidence.every(({ source }) => source.kind !== "integration")).toBe(true);
  });
});
