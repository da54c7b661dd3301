import { randomUUID } from "node:crypto";
import { type Incident, type Report, reportSchema, type TelemetryEvent, verifyReport } from "@whence/protocol";
import type { StoredEvent } from "@whence/storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askedText } from "../../src/analysis/analysis-body.ts";
import { incidentFromText } from "../../src/analysis/from-text.ts";
import { failedAttemptsMax } from "../../src/investigations/investigation-context.ts";
import { investigationHandler } from "../../src/investigations/investigations.ts";
import { type Consumers, startConsumers } from "../../src/start-consumers.ts";
import {
  addKey,
  makeOrganization,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../test-service.ts";

let service: TestService;
let acme: TestOrganization;
let consumers: Consumers;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  const { control, events, queue, metrics, senderRequests } = service;
  consumers = startConsumers({ control, events, queue, metrics, senderRequests, clock: Date.now, logger: silent });
});
afterAll(async () => {
  await consumers.stop(1_000);
  await service.close();
});

const headers = () => ({ "x-api-key": acme.key });

/** Requests an analysis over HTTP and waits until it has ended. */
async function analyze(payload: object): Promise<Incident> {
  const answer = await service.app.inject({ method: "POST", url: "/api/mcp/analyze", headers: headers(), payload });
  expect(answer.statusCode).toBe(200);
  consumers.relayOutbox();
  return ended(answer.json().incident_id);
}

async function ended(id: string): Promise<Incident> {
  const read = async (): Promise<Incident> =>
    (await service.app.inject({ url: `/api/incidents/${id}`, headers: headers() })).json();
  await expect.poll(async () => (await read()).status).toMatch(/completed|failed/);
  return read();
}

function reportOf(incident: Incident): Report {
  expect(incident.failure).toBeUndefined();
  expect(incident.status).toBe("completed");
  const report = reportSchema.parse(incident.report);
  expect(verifyReport(report)).toEqual([]);
  return report;
}

const stack = `TypeError: Cannot read properties of undefined (reading 'total')
    at renderCart (/app/src/render.js:3:27)
    at handle (/app/src/server.js:8:12)`;

const files = [
  {
    name: "src/render.js",
    content:
      "export function renderCart(cart) {\n  const lines = cart.lines ?? [];\n  return cart.order.total + lines.length;\n}\n",
  },
  {
    name: "src/server.js",
    content:
      "import { load } from './carts.js';\nimport { renderCart } from './render.js';\nexport async function handle(request) {\n  const cart = await load(request);\n  if (!cart) {\n    return 404;\n  }\n  return renderCart(cart);\n}\n",
  },
  {
    name: "src/carts.js",
    content: "export async function load(request) {\n  return { lines: request.lines };\n}\n",
  },
];

describe("a requested analysis", () => {
  // requirement: trigger.analyze-operation
  // requirement: service.report-analysis
  // requirement: service.report-root-cause
  // requirement: service.report-solutions
  // requirement: service.report-evidence
  // requirement: service.report-timeline
  // requirement: service.report-impact
  // requirement: service.report-confidence
  it("ends with a complete report, each statement with its evidence", async () => {
    const report = reportOf(await analyze({ error_log: stack, files }));
    expect(report.detailed_analysis.length).toBeGreaterThan(100);
    expect(report.root_cause_summary).not.toBe("");
    expect(report.root_cause.statement).not.toBe("");
    expect(report.short_term_solutions.length).toBeGreaterThan(0);
    expect(report.long_term_solutions.length).toBeGreaterThan(0);
    expect(report.evidence.length).toBeGreaterThan(1);
    for (const { source } of report.evidence) expect(source.name).not.toBe("");
    expect(Array.isArray(report.timeline)).toBe(true);
    expect(report.impact.summary).not.toBe("");
    expect(report.confidence.score).toBeGreaterThan(0);
    expect(report.confidence.score).toBeLessThan(1);
    expect(report.confidence.basis).not.toBe("");
  });

  // requirement: service.input-with-files
  // requirement: analyze.files-analysed
  it("points into the files that came with it, and shows their code", async () => {
    const report = reportOf(await analyze({ error_log: stack, files }));
    expect(files.map(({ name }) => name)).toContain(report.root_cause.location?.file.replace(/^\/app\//, ""));
    expect(report.evidence.some(({ excerpt }) => excerpt.includes("cart.order.total"))).toBe(true);
  });

  // requirement: service.input-any-error-text
  it.each([
    ["an error message", "connect ECONNREFUSED 10.0.0.4:5432"],
    ["a stack trace", stack],
    ["an alert text", "[FIRING:1] HighErrorRate orders (prod) error rate is 14 % for 5m"],
    ["a description", "Since this morning the checkout is slow and customers cannot pay."],
    ["text in no form at all", "\u0000\ud800 ]]>{{ \u001b[31m"],
  ])("accepts %s and is honest about what it found", async (_kind, error_log) => {
    const report = reportOf(await analyze({ error_log }));
    expect(report.not_checked.length).toBeGreaterThan(0);
    if (report.root_cause.category === "unknown") expect(report.confidence.score).toBeLessThan(0.5);
  });

  // requirement: analyze.no-integrations
  it("uses only the request", async () => {
    const report = reportOf(await analyze({ error_log: stack, files }));
    const kinds = new Set(report.evidence.map(({ source }) => source.kind));
    expect(kinds.has("integration")).toBe(false);
    expect(kinds.has("telemetry")).toBe(false);
  });

  it("records its steps, numbered, in the order of the investigation", async () => {
    const { id } = await analyze({ error_log: stack });
    const steps = await service.control.scope(acme.id).incidents.steps(id, 0);
    expect(steps.map(({ seq }) => seq)).toEqual(steps.map((_step, index) => index + 1));
    expect(steps[0]?.step).toBe("parse");
    expect(steps.at(-1)?.step).toBe("report");
    for (const { detail } of steps) expect(detail).not.toBe("");
  });
});

const event = (): TelemetryEvent => ({
  id: randomUUID(),
  seq: 1,
  type: "exception",
  timestamp: new Date().toISOString(),
  level: "error",
  message: "boom",
  mechanism: { type: "uncaughtException", handled: false },
  exceptions: [{ type: "Error", message: "boom", stack: "Error: boom\n    at work (/app/src/work.js:3:9)" }],
});

const stored = (one: TelemetryEvent): StoredEvent => ({
  scopeId: acme.id,
  event: one,
  service: "orders",
  env: "PROD",
  release: "1.0",
  instance: "i1",
  host: { name: "h1", pid: 1, runtime: { name: "node", version: "26.0.0" }, os: "linux", arch: "x64" },
  sdk: { name: "@whence/node", version: "0.0.0" },
  fingerprint: "v1:1111111111111111",
  receivedAt: new Date().toISOString(),
});

const openFromEvent = async (eventId: string) => {
  const base = incidentFromText(await askedText("boom", []), null, new Date());
  const input = { kind: "event", eventId } as const;
  const fingerprint = "v1:1111111111111111";
  return service.control.scope(acme.id).incidents.open({ ...base, service: "orders", env: "PROD", fingerprint, input });
};

describe("an incident from telemetry", () => {
  it("is investigated from its event, with its impact from the store", async () => {
    const one = event();
    await service.events.insert([stored(one), stored(event())]);
    const { id } = await openFromEvent(one.id);
    consumers.relayOutbox();
    const report = reportOf(await ended(id));
    expect(report.impact).toMatchObject({ events: 2, services: ["orders"], hosts: ["h1"], releases: ["1.0"] });
  });

  it("whose event is gone fails on the fifth attempt with that reason, and not before", async () => {
    const handle = investigationHandler({ ...service, clock: Date.now, logger: silent });
    const { id } = await openFromEvent(randomUUID());
    const message = { incident_id: id, scope_id: acme.id };
    const { signal } = new AbortController();
    const attempt = (number: number) => ({ id: "m1", number, signal });
    for (const number of [1, failedAttemptsMax - 1]) {
      await expect(handle(message, attempt(number))).rejects.toMatchObject({ code: "WHENCE_ERR_EVENT_MISSING" });
    }
    expect((await service.control.scope(acme.id).incidents.find(id))?.status).toBe("investigating");
    await handle(message, attempt(failedAttemptsMax));
    expect(await ended(id)).toMatchObject({ status: "failed", failure: { code: "WHENCE_ERR_EVENT_MISSING" } });
  });

  it("that a dead process left in the middle is investigated from the start, without its old steps", async () => {
    const { incidents } = service.control.scope(acme.id);
    const { id } = await incidents.open(incidentFromText(await askedText(stack, []), null, new Date()));
    const attempt = (await incidents.begin(id, new Date())) ?? 0;
    await incidents.addStep(id, attempt, {
      seq: 1,
      at: new Date().toISOString(),
      step: "parse",
      detail: "of the dead process",
    });
    consumers.relayOutbox();
    reportOf(await ended(id));
    expect((await incidents.steps(id, 0)).map(({ detail }) => detail)).not.toContain("of the dead process");
  });

  it("isn't investigated again once it has ended", async () => {
    const { id, completed_at } = await analyze({ error_log: "Error: once" });
    const handle = investigationHandler({ ...service, clock: Date.now, logger: silent });
    const { signal } = new AbortController();
    await handle({ incident_id: id, scope_id: acme.id }, { id: "m1", number: 2, signal });
    expect((await ended(id)).completed_at).toBe(completed_at);
  });
});

describe("an analysis of a text", () => {
  it("doesn't mention earlier incidents, which a key limited to its own analyses may not see", async () => {
    const error_log = "Error: the ledger of the treasury refused the transfer\n    at transfer (/app/ledger.js:1:1)";
    const earlier = await analyze({ error_log });
    const key = await addKey(service, acme.id, "analyze");
    const headers = { "x-api-key": key };
    const asked = await service.app.inject({
      method: "POST",
      url: "/api/mcp/analyze",
      headers,
      payload: { error_log },
    });
    consumers.relayOutbox();
    const report = reportOf(await ended(asked.json().incident_id));
    expect(JSON.stringify(report)).not.toContain(earlier.id);
  });
});
