import type { OutsideFinding, Report } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import {
  at,
  blamed,
  claims,
  connectionError,
  exit,
  type Failure,
  failedCall,
  ownError,
  reportOn,
  reportOnExit,
} from "./failures.ts";
import { change, problem, unrelated } from "./findings.ts";

const lookup: Failure = {
  error: connectionError("getaddrinfo ENOTFOUND api.example.com", {
    ...{ code: "ENOTFOUND", hostname: "api.example.com", syscall: "getaddrinfo" },
  }),
  calls: [failedCall("https://api.example.com/prices", "ENOTFOUND")],
};
const reset: Failure = {
  error: connectionError("read ECONNRESET", { code: "ECONNRESET", syscall: "read" }),
  calls: [failedCall("http://payments:8080/charge", "ECONNRESET")],
};
const own: Failure = { error: ownError };

const dns = change("Cloudflare", "dns", { title: "A record of api.example.com", target: "api.example.com" });
const deployment = change("Vercel", "deployment", { title: "Round prices 4f2a9c1" });
const kill = problem("Kubernetes", "out-of-memory", { target: "prod/payments-6b7c9d5f4-x2k8p", title: "OOMKilled" });

const told: readonly (readonly [string, Failure, OutsideFinding])[] = [
  ["a deployment of the failing service", own, deployment],
  ["a DNS change of the host that couldn't be looked up", lookup, dns],
  ["a killed pod of the service that a failed call led to", reset, kill],
  ["a DNS change of the zone of that host", lookup, { ...dns, target: "example.com", title: "nameservers" }],
  ["a firewall rule of that zone", lookup, change("Cloudflare", "firewall", { target: "example.com", title: "Deny" })],
];

const notBlamed: readonly (readonly [string, Failure, OutsideFinding])[] = [
  ["a deployment after the first failure", own, { ...deployment, at: at(15) }],
  ["a deployment of four hours before", own, { ...deployment, at: at(-4 * 3_600) }],
  ["a deployment that failed", own, { ...deployment, failed: true }],
  ["a deployment to another environment", own, { ...deployment, target: "staging/orders" }],
  ["a DNS change of another host of the zone", lookup, { ...dns, target: "example.com", title: "A www.example.com" }],
  ["a DNS change while lookups succeed", own, dns],
  ["a killed pod of another service", reset, { ...kill, target: "prod/search-6b7c9d5f4-x2k8p" }],
  ["an alarm on the failing service itself", own, problem("CloudWatch", "alarm", { title: "5xx above 1%" })],
];

describe("a third party's finding that is related to the failure", () => {
  it.each(told)("starts the causal chain, cited with its URL: %s", async (_, failure, finding) => {
    const report = await reportOn(failure, [...unrelated, finding]);
    const [first] = report.chain;
    expect(blamed(report)).toEqual([finding.vendor]);
    expect(first?.what).toContain(finding.vendor);
    const [cited] = report.evidence.filter(({ id }) => first?.evidence_ids.includes(id));
    expect(cited?.source).toEqual({ kind: "integration", name: finding.vendor, url: finding.url });
  });

  it.each(told)("makes a report more certain or equally certain: %s", async (_, failure, finding) => {
    const score = async (findings: readonly OutsideFinding[]): Promise<number> =>
      (await reportOn(failure, findings)).confidence.score;
    expect(await score([finding])).toBeGreaterThanOrEqual(await score([]));
  });

  it.each(told)("has the same words with and without unrelated ones: %s", async (_, failure, finding) => {
    const alone = claims(await reportOn(failure, [finding]));
    expect(claims(await reportOn(failure, [...unrelated, finding]))).toEqual(alone);
    expect(claims(await reportOn(failure, [finding, ...unrelated.toReversed()]))).toEqual(alone);
  });
});

describe("a third party's finding that isn't related to the failure", () => {
  it.each(notBlamed)("isn't suspected, and changes nothing else: %s", async (_, failure, finding) => {
    const report = await reportOn(failure, [finding]);
    expect(blamed(report)).toEqual([]);
    expect(claims(report)).toEqual(claims(await reportOn(failure, [])));
  });

  it.each<[string, Failure]>([
    ["an own error", own],
    ["a failed lookup", lookup],
    ["a failed call", reset],
  ])("changes no ranking, in any order: %s", async (_, failure) => {
    const without = claims(await reportOn(failure, []));
    for (const findings of [unrelated, unrelated.toReversed()])
      expect(claims(await reportOn(failure, findings))).toEqual(without);
  });
});

describe("how a process ended, as third parties saw it", () => {
  const pod = "prod/orders-6b7c9d5f4-x2k8p";
  const categoryOf = (report: Report) => [report.root_cause.category, report.confidence.score];

  it("is certain when Kubernetes killed its pod for using too much memory, whatever heartbeats suggest", async () => {
    const killed = problem("Kubernetes", "out-of-memory", { target: pod, title: "OOMKilled", since: at(10) });
    const report = await reportOnExit(exit(), [killed, ...unrelated]);
    expect(categoryOf(report)).toEqual(["resource-exhaustion", 0.95]);
    expect(blamed(report)).toEqual(["Kubernetes"]);
    expect(report.not_checked.join(" ")).not.toContain("The machine");
  });

  it("is decided by heartbeats when another pod was killed", async () => {
    const report = await reportOnExit(exit(), unrelated);
    expect(claims(report)).toEqual(claims(await reportOnExit(exit(), [])));
  });

  it("follows from a rollout of its service", async () => {
    const rollout = change("Kubernetes", "rollout", { target: "deployment/orders", title: "revision 12" });
    const report = await reportOnExit(exit(), [rollout]);
    expect(blamed(report)).toEqual(["Kubernetes"]);
    expect(report.confidence.score).toBe(0.8);
  });

  it("is a question about the machine only when no Kubernetes connection can answer it", async () => {
    const machine = (report: Report) => report.not_checked.find((line) => line.startsWith("The machine"));
    expect(machine(await reportOnExit(exit(), [], []))).toContain("There is no Kubernetes connection to ask.");
    expect(machine(await reportOnExit(exit(), [], ["kubernetes"]))).not.toContain("no Kubernetes");
  });
});
