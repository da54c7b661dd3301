import type { OutsideFinding } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { Fact } from "../../src/signals/fact.ts";
import {
  answeredCall,
  at,
  blamed,
  connectionError,
  exit,
  type Failure,
  failedAt,
  failedCall,
  ownError,
  reportOn,
  reportOnExit,
} from "./failures.ts";
import { change, problem, unrelated } from "./findings.ts";

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
