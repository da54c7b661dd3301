import type { OutsideFinding, Report } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { Fact } from "../../src/signals/fact.ts";
import {
  answeredCall,
  at,
  blamed,
  claims,
  connectionError,
  exit,
  type Failure,
  failedAt,
  failedCall,
  ownError,
  reportOn,
  reportOnExit,
} from "../outside/failures.ts";
import { change, problem, unrelated } from "../outside/findings.ts";

const timedOut: Failure = {
  error: connectionError("connect ETIMEDOUT db.acme.io:5432", { code: "ETIMEDOUT", syscall: "connect" }),
};
const paymentsFail: Fact = {
  kind: "related-failure",
  failure: {
    ...{ service: "payments", message: "Error: no such table", at: at(-0.2), location: null, link: "trace" },
    ...{ role: "deepest", traces: { with: 4, of: 4 }, wasThere: false, category: null },
    error: { type: "Error", message: "no such table", code: null },
  },
};
const ruledOut: Fact = {
  kind: "deploy",
  deploy: {
    ...{ service: "orders", release: "1.4.2", previous: "1.4.1", at: at(-30), verdict: "ruled-out", own: true },
    ...{ reason: { kind: "none-in-release" }, firstSeen: failedAt, answeredLast: false },
    counts: { inRelease: 0, inReleaseMinutes: 9, inOthers: 6, inOthersMinutes: 40 },
  },
};
const certificate = connectionError(
  "Hostname/IP does not match certificate's altnames: Host: mail.acme.io. is not in the cert's altnames: DNS:parked.example",
  { code: "ERR_TLS_CERT_ALTNAME_INVALID" },
);
const stripe: Failure = {
  error: connectionError("charge failed: 503", {}),
  calls: [answeredCall("https://api.stripe.com/v1/charges", 503)],
};
const catalog: Failure = {
  error: connectionError("connect ECONNREFUSED 10.4.0.7:8080", { code: "ECONNREFUSED", address: "10.4.0.7" }),
  calls: [failedCall("http://catalog.shop.svc.cluster.local:8080/items", "ECONNREFUSED")],
};

/** Who is to be blamed; null where the findings have nothing to do with it. */
const cases: readonly (readonly [string, Failure, readonly OutsideFinding[], string | null])[] = [
  [
    "a firewall rule of the database's domain, by the error's words alone",
    timedOut,
    [change("Cloudflare", "firewall", { target: "acme.io", title: "Allow the office only", by: "Bo", at: at(-300) })],
    "Cloudflare",
  ],
  [
    "an outage of a provider, seen two minutes after the first failure",
    stripe,
    [
      problem("Better Stack", "outage", {
        target: "api.stripe.com",
        title: "api.stripe.com: status 503",
        since: at(120),
      }),
    ],
    "Better Stack",
  ],
  [
    "a feature flag of the failing service",
    { error: ownError },
    [change("LaunchDarkly", "feature-flag", { title: "new-pricing", at: at(-110) })],
    "LaunchDarkly",
  ],
  [
    "a configuration of the service whose failure the traces end in",
    { error: connectionError("payments answered 500", {}), facts: [paymentsFail] },
    [change("AWS", "configuration", { target: "arn:aws:ecs:eu-west-1:1:service/shop/payments", at: at(-600) })],
    "AWS",
  ],
  [
    "pods that can't be scheduled behind a cluster's own host name",
    catalog,
    [
      problem("Kubernetes", "unschedulable", {
        target: "shop/catalog-84d5c7f9b6-9lqzn",
        since: at(-240),
        title: "no node",
      }),
    ],
    "Kubernetes",
  ],
  [
    "a record that leads to another server, whose certificate is for another name",
    { error: certificate },
    [change("Cloudflare", "dns", { target: "acme.io", title: "CNAME mail.acme.io", at: at(-500) })],
    "Cloudflare",
  ],
  [
    "a preview deployment",
    { error: ownError },
    [change("Vercel", "deployment", { target: "orders-preview", title: "try a new cart" })],
    null,
  ],
  [
    "an incident that people opened on the failing service",
    { error: ownError },
    [problem("PagerDuty", "incident", { target: "Orders", title: "Orders fails", since: at(60) })],
    null,
  ],
  [
    "a TXT record of the host that couldn't be reached",
    timedOut,
    [change("Cloudflare", "dns", { target: "db.acme.io", title: "TXT record of db.acme.io" })],
    null,
  ],
  [
    "a deployment that the comparison of releases rules out",
    { error: ownError, facts: [ruledOut] },
    [change("Vercel", "deployment", { title: "1.4.2" })],
    null,
  ],
  [
    "an alarm on a called service that answers well",
    { error: ownError, calls: [answeredCall("http://catalog:8080/items", 200)] },
    [problem("CloudWatch", "alarm", { target: "catalog", title: "CPU" })],
    null,
  ],
  [
    "an outage that was over two hours before",
    stripe,
    [problem("Better Stack", "outage", { target: "api.stripe.com", since: at(-9_000), until: at(-7_200) })],
    null,
  ],
  [
    "a deployment of a service with a longer name",
    { error: ownError },
    [change("GitHub", "deployment", { target: "acme/orders-admin", title: "1.4.2" })],
    null,
  ],
  [
    "a certificate of another host",
    { error: certificate },
    [change("Cloudflare", "dns", { target: "acme.io", title: "A acme.io" })],
    null,
  ],
];

describe("the vendors that a report on some failure suspects", () => {
  it.each(cases)("are those whose findings support it: %s", async (_, failure, findings, vendor) => {
    for (const all of [findings, [...unrelated, ...findings], [...findings, ...unrelated]])
      expect(blamed(await reportOn(failure, all))).toEqual(vendor === null ? [] : [vendor]);
  });

  it("a rollout right after a process had died isn't its cause", async () => {
    const rollout = change("Kubernetes", "rollout", { target: "orders", title: "revision 13", at: at(120) });
    expect(blamed(await reportOnExit(exit(), [rollout]))).toEqual([]);
  });

  it("a kill of a process's own container, named by the host alone", async () => {
    const kill = problem("Kubernetes", "out-of-memory", { target: "orders-6b7c9d5f4-x2k8p", since: at(25) });
    expect((await reportOnExit(exit(), [kill])).root_cause.category).toBe("resource-exhaustion");
  });
});

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
