import { randomUUID } from "node:crypto";
import { minuteMs } from "@whence/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startDeploymentWatch } from "../../src/deployments/deployment-watch.ts";
import { recordDeploy, recordRollback } from "../../src/deployments/record-deploy.ts";
import { failureHandler } from "../../src/incidents/decide-failures.ts";
import { failureOf } from "../incidents/reported-failures.ts";
import { at, fingerprint, reportedAt, type Sender, Telemetry } from "../predictions/telemetry.ts";
import {
  makeOrganization,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../test-service.ts";

const release = "1f0c9e2";
const deploy = {
  ...{ key: "dpl_1", service: "orders", env: "PROD", release, commit: release },
  ...{ at: at(0), url: "https://vercel.com/acme/orders/1" },
};
const everyMinute = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, minute) => from + minute + 0.5);

let service: TestService;
let acme: TestOrganization;
let sourceId: string;

beforeEach(async () => {
  service = await startTestService();
  service.clock.now = reportedAt;
  acme = await makeOrganization(service, `acme-${randomUUID()}`);
  const added = { kind: "vercel", name: "Our team", inputs: {}, secrets: {}, now: new Date(reportedAt) } as const;
  sourceId = (await scope().alertSources.add({ ...added, by: { id: "usr_1", name: "Ada" } })).id;
});
afterEach(() => service.close());

const scope = () => service.control.scope(acme.id);
const alerts = () => scope().alerts.list(sourceId, 10);
const context = () => {
  const { control, events, metrics, clock } = service;
  return { control, events, metrics, clock: () => clock.now, logger: silent, relayOutbox: () => undefined };
};

/** Failures of the service at these minutes from the deployment, and heartbeats around it. */
async function fails(minutes: readonly number[], sender: Sender = {}): Promise<Telemetry> {
  const telemetry = new Telemetry(acme.id).beats(-60, 30, sender).fails(minutes, sender);
  await service.events.insert(telemetry.events);
  return telemetry;
}

/** Has the analyzer decide about the failure that telemetry has. */
async function decided({ events }: Telemetry): Promise<string | null> {
  const failures = events.filter((event) => event.fingerprint === fingerprint).map(failureOf);
  await failureHandler(context())({ scope_id: acme.id, failures }, { number: 1 });
  return (await scope().failures.find(fingerprint, "PROD"))?.incidentId ?? null;
}

/** Checks what is due so many minutes after the deployment, by so many processes at once. */
async function check(minutes: number, processes = 1): Promise<void> {
  service.clock.now = reportedAt + minutes * minuteMs;
  const taking = vi.spyOn(service.control.deployments, "take");
  const watches = Array.from({ length: processes }, () => startDeploymentWatch(context()));
  await vi.waitFor(() =>
    expect(taking.mock.settledResults.filter(({ type }) => type === "fulfilled")).toHaveLength(processes),
  );
  await Promise.all(watches.map((watch) => watch.stop()));
  taking.mockRestore();
}

describe("an announced deployment", () => {
  it("is a release that went live then", async () => {
    await recordDeploy(scope(), sourceId, deploy);
    expect(await scope().releases.list("PROD")).toEqual([
      {
        ...{ service: "orders", env: "PROD", release, commit: release, url: deploy.url },
        ...{ live_at: at(0), reported_at: at(0), reported_by: sourceId },
      },
    ]);
  });

  it("opens an incident when its service fails more often since, once for several processes", async () => {
    await recordDeploy(scope(), sourceId, deploy);
    await fails(everyMinute(1, 5).flatMap((minute) => [minute, minute + 0.1, minute + 0.2]));
    await check(5, 3);
    const [alert, ...others] = await alerts();
    expect(others).toEqual([]);
    expect(alert).toMatchObject({ title: `orders fails more often since ${release} went live`, url: deploy.url });
    const incident = await scope().incidents.find(alert?.incident_id ?? "");
    expect(incident).toMatchObject({
      ...{ service: "orders", env: "PROD", severity: "high", status: "queued" },
      trigger: { kind: "alert", source: "vercel", source_id: sourceId, url: deploy.url },
      decision: {
        rule: "alert",
        reason: expect.stringMatching(/^failures rose from 0\.0 to \d\.\d a minute in each process/),
      },
    });
    await check(30);
    expect(await alerts()).toHaveLength(1);
  });

  it("belongs to the incident that telemetry opened since", async () => {
    await recordDeploy(scope(), sourceId, deploy);
    service.clock.now += 3 * minuteMs;
    const incidentId = await decided(await fails(everyMinute(1, 5).flatMap((minute) => [minute, minute + 0.2])));
    expect(incidentId).not.toBeNull();
    await check(5);
    expect(await alerts()).toMatchObject([{ incident_id: incidentId }]);
  });

  it("opens an incident on the failure that had one long ago", async () => {
    service.clock.now = reportedAt - 50 * minuteMs;
    const incidentId = await decided(await fails([-50]));
    await recordDeploy(scope(), sourceId, deploy);
    await fails(everyMinute(1, 5).flatMap((minute) => [minute, minute + 0.1, minute + 0.2]));
    await check(5);
    const [alert] = await alerts();
    expect(alert?.incident_id).not.toBe(incidentId);
    expect(await scope().incidents.find(alert?.incident_id ?? "")).toMatchObject({
      fingerprint,
      trigger: { kind: "alert" },
    });
  });

  it("opens an incident at the last check for what takes long to show", async () => {
    await recordDeploy(scope(), sourceId, deploy);
    await fails([3, 6, 9, 12, 16, 18, 20, 23, 26, 29]);
    await check(5);
    await check(15);
    expect(await alerts()).toEqual([]);
    await check(30);
    expect(await alerts()).toHaveLength(1);
  });

  it.each([
    ["nothing fails", []],
    ["failures go on as before", everyMinute(-60, 30)],
    ["failures rose long before", everyMinute(-20, 30)],
    ["failures rise long after", everyMinute(16, 30)],
    ["one failure", [2]],
  ])("opens nothing when %s, and isn't checked again", async (_, minutes) => {
    await recordDeploy(scope(), sourceId, deploy);
    await fails(minutes);
    for (const after of [5, 15, 30]) await check(after);
    expect(await alerts()).toEqual([]);
    const later = new Date(reportedAt + 1_000 * minuteMs);
    expect(await service.control.deployments.take(later, { holdMs: 1, max: 10 })).toEqual([]);
  });

  it("opens nothing for another service or another environment", async () => {
    await recordDeploy(scope(), sourceId, deploy);
    const often = everyMinute(1, 5).flatMap((minute) => [minute, minute + 0.1, minute + 0.2]);
    await fails(often, { service: "cart" });
    await fails(often, { env: "STAGING" });
    await check(5);
    expect(await alerts()).toEqual([]);
  });

  it("is checked by another process when the first dies", async () => {
    await recordDeploy(scope(), sourceId, deploy);
    await fails(everyMinute(1, 5).flatMap((minute) => [minute, minute + 0.1, minute + 0.2]));
    const dying = { holdMs: 5 * minuteMs, max: 10 };
    expect(await service.control.deployments.take(new Date(reportedAt + 5 * minuteMs), dying)).toHaveLength(1);
    await check(9);
    expect(await alerts()).toEqual([]);
    await check(10);
    expect(await alerts()).toHaveLength(1);
  });

  it("is watched again when it is rolled back to", async () => {
    await recordDeploy(scope(), sourceId, { ...deploy, at: at(-600) });
    await recordRollback(scope(), sourceId, { key: deploy.key, at: at(0) });
    await recordRollback(scope(), sourceId, { key: "dpl_unknown", at: at(0) });
    await fails(everyMinute(1, 5).flatMap((minute) => [minute, minute + 0.1, minute + 0.2]));
    await check(5);
    expect(await alerts()).toMatchObject([{ key: `dpl_1 ${at(0)}` }]);
  });

  it("opens nothing once its source was removed", async () => {
    await recordDeploy(scope(), sourceId, deploy);
    await scope().alertSources.remove(sourceId);
    await fails(everyMinute(1, 5).flatMap((minute) => [minute, minute + 0.1, minute + 0.2]));
    await check(5);
    expect(await scope().incidents.list({ limit: 10 })).toEqual([]);
  });
});
