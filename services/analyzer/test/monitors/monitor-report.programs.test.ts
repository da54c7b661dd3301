import { createServer, type Server } from "node:http";
import { type Incident, minuteMs, type Report, verifyReport } from "@whence/protocol";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { uploadedChanges } from "../../src/changes/uploaded-changes.ts";
import { uploadedSources } from "../../src/sources/uploaded-sources.ts";
import { type Consumers, startConsumers } from "../../src/start-consumers.ts";
import { storedEvent } from "../stored-event.ts";
import { silent } from "../test-service.ts";
import { type Monitored, startMonitored } from "./monitored.ts";

let started: Awaited<ReturnType<typeof startMonitored>>;
let acme: Monitored;
let consumers: Consumers;
let server: Server;
let url: string;

beforeAll(async () => {
  started = await startMonitored();
  started.service.clock.now = Date.now();
  const { control, events, queue, metrics, senderRequests } = started.service;
  consumers = startConsumers({
    ...{ control, events, queue, metrics, senderRequests, clock: Date.now, logger: silent },
    ...{ sources: uploadedSources(control), changes: uploadedChanges(control) },
  });
});
beforeEach(async () => {
  acme = await started.fresh();
  server = createServer((_, response) => response.writeHead(503).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/health`;
});
afterEach(() => server.close());
afterAll(async () => {
  await consumers.stop(1_000);
  await started.service.close();
});

/** The report on the incident of a monitor, once there is one. */
async function reportOf(id: string): Promise<Report> {
  const { incident_id: incidentId } = await acme.read(id);
  consumers.relayOutbox();
  const incident = async (): Promise<Incident> => (await acme.ask("GET", `/api/incidents/${incidentId}`)).body;
  await expect.poll(async () => (await incident()).status).toBe("completed");
  const { report } = await incident();
  if (!report) throw new Error("a completed incident has a report");
  expect(verifyReport(report)).toEqual([]);
  return report;
}

/** Creates a monitor that fails at its first check. */
async function failing(settings: object): Promise<string> {
  const { monitor } = await acme.create({ name: "Shop", check: { kind: "uptime", url }, ...settings });
  await acme.pass(0);
  return monitor.id;
}

describe("the report on an alert of a monitor", () => {
  it("says what the check found, and never that its cause is unknown", async () => {
    const report = await reportOf(await failing({}));
    expect(report.root_cause_summary).toBe(`\`${url}\` answered 503. [e1]`);
    expect(report.not_checked).toContain("The error behind the alert: a monitor sees that something fails, not why.");
    expect(JSON.stringify(report)).not.toMatch(/cause is unknown/);
  });

  it("says what a job reported, and where to look next", async () => {
    const schedule = { type: "interval", minutes: 10 };
    const check = { kind: "check-in", slug: "nightly-backup", schedule };
    const { monitor, key } = await acme.create({ name: "Nightly backup", service: "backup", check });
    await acme.ask("POST", `/api/check-ins/nightly-backup?key=${key}&status=error`);
    const report = await reportOf(monitor.id);
    expect(report.root_cause_summary).toBe("`nightly-backup` reported an error. [e1]");
    expect(report.detailed_analysis).toMatch(/Read the log of `backup` from shortly before/);
  });

  it("names the failures of the service that answers at the host, at that time", async () => {
    const now = started.service.clock.now;
    const request = { method: "GET", path: "/health", headers: { host: new URL(url).host } };
    const events = [3, 2, 1].map((minutes) => {
      const receivedAt = new Date(now - minutes * minuteMs).toISOString();
      const stored = storedEvent(acme.acme.id, { receivedAt, service: "storefront", fingerprint: "v1:1" });
      const message = "the pool of connections is exhausted";
      const exceptions = [{ type: "PoolError", message, stack: `PoolError: ${message}` }];
      const id = `3f1c0e5e-0000-4000-8000-00000000000${minutes}`;
      return { ...stored, event: { ...stored.event, id, timestamp: receivedAt, request, message, exceptions } };
    });
    await acme.service.events.insert(events);
    const report = await reportOf(await failing({}));
    expect(report.impact.services).toEqual(["storefront"]);
    expect(report.evidence.map(({ summary }) => summary)).toContain(
      "`storefront` failed at about the same time: `PoolError: the pool of connections is exhausted`",
    );
  });
});
