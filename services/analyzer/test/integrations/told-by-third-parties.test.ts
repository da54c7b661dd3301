import { randomUUID } from "node:crypto";
import {
  type IntegrationKindName,
  type OutsideFinding,
  type Report,
  reportSchema,
  type TelemetryEvent,
  verifyReport,
} from "@whence/protocol";
import { addressGuard, type Integration, VendorFailure } from "@whence/vendors";
import { registryOf } from "@whence/vendors/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askedText } from "../../src/analysis/analysis-body.ts";
import { incidentFromText } from "../../src/analysis/from-text.ts";
import { investigationHandler } from "../../src/investigations/investigations.ts";
import { storedEvent } from "../stored-event.ts";
import { addKey, silent, startTestService, type TestService } from "../test-service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  service.clock.now = Date.now();
});
afterAll(() => service.close());

/** Events of long ago expire. */
const failedAt = new Date(Date.now() - 120_000).toISOString();
const before = (seconds: number): string => new Date(Date.parse(failedAt) - seconds * 1_000).toISOString();
const commit = "4f2a9c1d0b7e6a5f4f2a9c1d0b7e6a5f4f2a9c1d";

/** An incident whose cause no telemetry shows. */
interface Told {
  readonly kind: IntegrationKindName;
  readonly vendor: string;
  readonly event: Pick<TelemetryEvent, "message" | "exceptions" | "breadcrumbs">;
  readonly finding: OutsideFinding;
  /** A finding of the same vendor about something else. */
  readonly beside: OutsideFinding;
  readonly category: Report["root_cause"]["category"];
  /** What to do first. */
  readonly fix: string;
}

const failing = (message: string, properties: Record<string, unknown>, breadcrumbs: TelemetryEvent["breadcrumbs"]) => ({
  ...{ message, breadcrumbs },
  exceptions: [{ type: "Error", message, stack: `Error: ${message}`, properties }],
});
const call = (url: string, code: string): NonNullable<TelemetryEvent["breadcrumbs"]>[number] => ({
  ...{ timestamp: before(1), category: "http", level: "info" },
  data: { method: "GET", url, error: "the call failed", error_code: code, duration_ms: 20 },
});

const told: readonly Told[] = [
  {
    ...{ kind: "hosting", vendor: "Vercel", category: "deploy-regression" },
    event: failing("the total is negative", {}, []),
    finding: {
      ...{
        kind: "change-event",
        what: "deployment",
        vendor: "Vercel",
        target: "orders",
        title: "Round prices 4f2a9c1",
      },
      ...{ at: before(40), by: "Ada", failed: null, url: "https://vercel.com/acme/orders/1" },
    },
    beside: {
      ...{
        kind: "change-event",
        what: "deployment",
        vendor: "Vercel",
        target: "marketing-site",
        title: "New landing page",
      },
      ...{ at: before(20), by: "Bo", failed: null, url: "https://vercel.com/acme/marketing-site/1" },
    },
    fix: "Look at the deployment of `orders` in Vercel",
  },
  {
    ...{ kind: "network", vendor: "Cloudflare", category: "network-unreachable" },
    event: failing(
      "getaddrinfo ENOTFOUND api.example.com",
      { code: "ENOTFOUND", hostname: "api.example.com", syscall: "getaddrinfo" },
      [call("https://api.example.com/prices", "ENOTFOUND")],
    ),
    finding: {
      ...{
        kind: "change-event",
        what: "dns",
        vendor: "Cloudflare",
        target: "example.com",
        title: "A record of api.example.com",
      },
      ...{ at: before(40), by: "Ada", failed: null, url: "https://dash.cloudflare.com/1" },
    },
    beside: {
      ...{
        kind: "change-event",
        what: "dns",
        vendor: "Cloudflare",
        target: "example.com",
        title: "A record of www.example.com",
      },
      ...{ at: before(20), by: "Bo", failed: null, url: "https://dash.cloudflare.com/2" },
    },
    fix: "Undo the DNS change of `example.com` in Cloudflare",
  },
  {
    ...{ kind: "kubernetes", vendor: "Kubernetes", category: "resource-exhaustion" },
    event: failing("read ECONNRESET", { code: "ECONNRESET", syscall: "read" }, [
      call("http://payments:8080/charge", "ECONNRESET"),
    ]),
    finding: {
      ...{ kind: "problem", what: "out-of-memory", vendor: "Kubernetes", title: "OOMKilled", since: before(20) },
      ...{ target: "prod/payments-6b7c9d5f4-x2k8p", until: null, url: null },
    },
    beside: {
      ...{ kind: "problem", what: "out-of-memory", vendor: "Kubernetes", title: "OOMKilled", since: before(10) },
      ...{ target: "prod/search-7c9d6b5f8-q4z7w", until: null, url: null },
    },
    fix: "Raise the memory limit of `prod/payments-6b7c9d5f4-x2k8p`",
  },
];

/** Answers with the findings, or rejects with the failure. */
function answering({ kind, vendor }: Told, answer: readonly OutsideFinding[] | VendorFailure): Integration {
  return {
    ...{ kind, vendor, checkedAgainst: "nothing" },
    connect: () => ({
      verify: async () => "Acme",
      ask: async () => {
        if (answer instanceof VendorFailure) throw answer;
        return answer;
      },
      close: async () => undefined,
    }),
  };
}

/** Connects the vendor, reports the failure, opens an incident for it, and has it investigated. */
async function investigate(one: Told, answer: readonly OutsideFinding[] | VendorFailure | null): Promise<Report> {
  const now = new Date(service.clock.now);
  const acme = await service.control.organizations.ensure({ slug: randomUUID(), name: "acme", now });
  const scope = service.control.scope(acme.id);
  if (answer !== null) {
    await scope.integrations.connect({
      ...{
        kind: one.kind,
        vendor: one.vendor,
        belongsTo: "acme",
        inputs: {},
        credentials: { api_token: "very-secret" },
        by: { id: "usr_ada", name: "Ada" },
        now,
      },
    });
  }
  const stored = storedEvent(acme.id, { release: commit, receivedAt: failedAt });
  const event = { ...stored.event, ...one.event, timestamp: failedAt };
  await service.events.insert([{ ...stored, event }]);
  const vendor = answering(one, answer ?? []);
  const registry = registryOf([vendor]);
  const clock = () => service.clock.now;
  const integrations = { registry, mayReach: addressGuard([]), clock, logger: silent };
  const base = incidentFromText(await askedText(event.message, []), null, now);
  const { id } = await scope.incidents.open({
    ...{ ...base, service: "orders", env: "PROD", fingerprint: stored.fingerprint },
    input: { kind: "event", eventId: event.id },
  });
  const handle = investigationHandler({ ...service, clock, logger: silent, integrations });
  const { signal } = new AbortController();
  await handle({ incident_id: id, scope_id: acme.id }, { id: "m1", number: 1, signal });
  return storedReport(await addKey(service, acme.id, "full"), id);
}

/** As an agent reads it. */
async function storedReport(key: string, id: string): Promise<Report> {
  const answer = await service.app.inject({ url: `/api/incidents/${id}`, headers: { "x-api-key": key } });
  const report = reportSchema.parse(answer.json().report);
  expect(verifyReport(report)).toEqual([]);
  return report;
}

describe.each(told)("an incident that only $vendor explains", (one) => {
  const { vendor, finding, beside } = one;

  it.each([
    ["alone", [finding]],
    ["beside another finding", [beside, finding]],
  ])("has that as its first cause, cited, with what to do: %s", async (_, answer) => {
    const report = await investigate(one, answer);
    const [first] = report.chain;
    expect(first?.what).toContain(vendor);
    const [cited] = report.evidence.filter(({ id }) => first?.evidence_ids.includes(id));
    expect(cited?.source).toEqual({
      ...{ kind: "integration", name: vendor },
      ...(finding.url === null ? {} : { url: finding.url }),
    });
    expect(JSON.parse(cited?.excerpt ?? "")).toEqual(finding);
    expect(report.root_cause_summary).toContain(vendor);
    expect(report.root_cause.category).toBe(one.category);
    expect(report.short_term_solutions[0]?.title).toBe(one.fix);
    expect(report.timeline.some(({ what }) => what.startsWith(`${vendor}: `))).toBe(true);
  });

  it("doesn't suspect what belongs to something else", async () => {
    const report = await investigate(one, [beside]);
    expect(report.chain.map(({ what }) => what).join(" ")).not.toContain(vendor);
    expect(report.root_cause).toMatchObject({ category: (await investigate(one, null)).root_cause.category });
  });

  it("says what wasn't queried, and is less confident, when the vendor refuses", async () => {
    const refused = new VendorFailure("unauthorized", `${vendor} rejected the credentials (401): connect it again`);
    const [report, sure] = [await investigate(one, refused), await investigate(one, [finding])];
    expect(report.not_checked).toContain(`${vendor}: it rejected the credentials (401): connect it again.`);
    expect(report.chain.map(({ what }) => what).join(" ")).not.toContain(vendor);
    expect(report.confidence.score).toBeLessThan(sure.confidence.score);
  });
});
