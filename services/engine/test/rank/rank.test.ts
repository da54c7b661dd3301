import type { OutsideFinding } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { InvestigationSubject } from "../../src/findings/investigation-subject.ts";
import { observeData } from "../../src/findings/observe-input.ts";
import { filesOf, findingsOf, parseSubject } from "../../src/investigation-findings.ts";
import type { Candidate, Ranking } from "../../src/rank/candidate.ts";
import { learnedModel } from "../../src/rank/model.ts";
import { rank } from "../../src/rank/rank.ts";
import { shippedServiceModel } from "../../src/rank/service-model.ts";
import type { Fact } from "../../src/signals/fact.ts";
import { traceError } from "../../src/trace/trace-error.ts";
import { at, connectionError, exit, failedAt, failedCall, ownError } from "../outside/failures.ts";
import { eventSubject, reportedEvent } from "../testing.ts";

const inCode = eventSubject(reportedEvent({ exceptions: [ownError] }));
const refused = eventSubject(
  reportedEvent({
    exceptions: [connectionError("connect ECONNREFUSED 10.0.2.204:9833", { code: "ECONNREFUSED" })],
    breadcrumbs: [failedCall("http://payments:9833/charge", "ECONNREFUSED")],
    request: { method: "GET", path: "/orders/1", route: "/orders/:id", headers: {} },
  }),
);

const failsAs = (service: string, role: "deepest" | "caller"): Fact => ({
  kind: "related-failure",
  failure: {
    ...{ service, message: "no rows", at: failedAt, location: null, link: "trace", role },
    ...{ traces: { with: 4, of: 4 }, wasThere: false, category: null },
    error: { type: "Error", message: "no rows", code: null },
  },
});
const deployed = (service: string, verdict: "suspect" | "near"): Fact => ({
  kind: "deploy",
  deploy: {
    ...{ service, release: "2.0.0", previous: "1.0.0", at: at(-60), verdict, own: service === "orders" },
    reason: { kind: verdict === "suspect" ? "only-in-release" : "soon-after" },
    ...{ firstSeen: at(0), answeredLast: false, counts: null },
  },
});
const told = (outside: OutsideFinding): Fact => ({ kind: "outside", outside });
const problemOf = (target: string, what: "out-of-memory" | "alarm"): Fact =>
  told({
    ...{ kind: "problem", what, title: target, target, since: at(-20), until: null },
    ...{ vendor: "Kubernetes", url: null },
  });

async function ranked(subject: InvestigationSubject, facts: readonly Fact[]): Promise<Ranking> {
  const parsed = parseSubject(subject, () => Date.parse(failedAt));
  const files = filesOf(subject);
  const traced = await traceError(parsed.error, parsed.event, files);
  const source = { kind: "telemetry", name: "telemetry" } as const;
  const observations = facts.map((fact) => observeData(source, fact, { observed_at: failedAt, fact }));
  const findings = await findingsOf(subject, parsed, files, traced, { observations, notChecked: [] });
  return rank(findings, traced, { files: learnedModel(), services: shippedServiceModel() }, undefined);
}

const nameOf = ({ subject, service }: Candidate): string =>
  subject.kind === "place" ? subject.file : (service ?? (subject.kind === "dependency" ? subject.name : ""));
const probabilityOf = ({ candidates }: Ranking, name: string): number =>
  candidates.find((candidate) => nameOf(candidate).endsWith(name))?.probability ?? 0;

describe("the ranking of an error in code", () => {
  it("puts the place in code first when nothing else is suspected", async () => {
    expect((await ranked(inCode, [])).candidates[0]?.subject).toMatchObject({ kind: "place", line: 3 });
  });

  it("leaves a place as much of its probability as a suspect service doesn't have", async () => {
    const alone = probabilityOf(await ranked(inCode, []), "price.ts");
    const both = await ranked(inCode, [failsAs("payments", "deepest")]);
    expect(probabilityOf(both, "price.ts")).toBeCloseTo(alone * (1 - probabilityOf(both, "payments")), 10);
  });

  it("puts a service where the failed calls end before the place, and a caller after it", async () => {
    const names = async (role: "deepest" | "caller") =>
      (await ranked(inCode, [failsAs("payments", role)])).candidates.map(nameOf);
    expect((await names("deepest"))[0]).toBe("payments");
    expect((await names("caller"))[0]).toMatch(/price\.ts$/);
  });
});

describe("the ranking of several suspects", () => {
  it("doesn't depend on the order of the evidence", async () => {
    const many = [failsAs("payments", "deepest"), failsAs("web", "caller"), deployed("orders", "near")];
    const names = async (all: readonly Fact[]) =>
      (await ranked(refused, all)).candidates.map((one) => [nameOf(one), one.probability.toFixed(9)]);
    expect(await names(many.toReversed())).toEqual(await names(many));
  });

  it("lists at most eight candidates", async () => {
    const many = Array.from({ length: 12 }, (_, index) => failsAs(`service-${index}`, "deepest"));
    expect((await ranked(inCode, many)).candidates).toHaveLength(8);
  });

  it("puts a called process that its platform killed before one with an alarm", async () => {
    const scoreOf = async (what: "out-of-memory" | "alarm") =>
      probabilityOf(await ranked(refused, [problemOf("payments", what)]), "payments:9833");
    expect(await scoreOf("out-of-memory")).toBeGreaterThan(await scoreOf("alarm"));
  });

  it("names a release of the service that alone has the failures, but not one that was only near", async () => {
    const first = async (verdict: "suspect" | "near") =>
      (await ranked(refused, [deployed("orders", verdict)])).candidates[0]?.subject;
    expect(await first("suspect")).toMatchObject({ kind: "release", service: "orders" });
    expect(await first("near")).toMatchObject({ kind: "dependency", name: "payments:9833" });
  });

  it("has a known failure of a service without code beside what was called", async () => {
    const names = (await ranked(refused, [])).candidates.map(nameOf);
    expect(names).toEqual(expect.arrayContaining(["payments:9833", "orders"]));
  });
});

describe("the ranking of a process that ended", () => {
  it("has the ways in which it may have ended, each with its own probability", async () => {
    const subject: InvestigationSubject = {
      incident: { id: "inc_1", service: "orders", fingerprint: "v2:exit", env: "PROD" },
      input: { kind: "process-exit", exit: exit() },
    };
    const { candidates } = await ranked(subject, []);
    expect(candidates.map((candidate) => candidate.subject.kind)).toEqual(candidates.map(() => "process"));
    expect(candidates.reduce((sum, { probability }) => sum + probability, 0)).toBeLessThanOrEqual(1.000_001);
  });
});
