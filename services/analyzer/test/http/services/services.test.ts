import { minuteMs } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storedEvent } from "../../stored-event.ts";
import { makeOrganization, startTestService, type TestOrganization, type TestService } from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;

beforeAll(async () => {
  service = await startTestService();
  // The store forgets what is too old by its own clock.
  service.clock.now = Date.now();
  acme = await makeOrganization(service, "acme");
});
afterAll(() => service.close());

const services = async (who: TestOrganization) =>
  (await service.app.inject({ url: "/api/services", headers: { cookie: who.cookie } })).json().services;

async function heard(instance: string, agoMs: number): Promise<void> {
  const receivedAt = new Date(service.clock.now - agoMs).toISOString();
  await service.events.insert([storedEvent(acme.id, { service: "checkout", instance, release: "1.4.2", receivedAt })]);
}

describe("the services of an organization", () => {
  it("are those that sent telemetry in the last 24 hours, with their processes and incidents", async () => {
    await heard("alive", 150_000);
    await heard("silent", 150_001);
    await service.control.scope(acme.id).incidents.open({
      ...{ title: "boom", severity: "high", service: "checkout", env: "PROD", fingerprint: null },
      trigger: { kind: "analyze", agent_id: null, files: 0 },
      decision: { outcome: "opened", rule: "new-failure", reason: "" },
      input: { kind: "text", errorLog: "boom", files: [] },
      now: new Date(service.clock.now),
    });
    expect(await services(acme)).toMatchObject([
      {
        ...{ service: "checkout", env: "PROD", release: "1.4.2", processes: 1, incidents: 1 },
        last_heard_at: new Date(service.clock.now - 150_000).toISOString(),
      },
    ]);
    service.clock.now += 26 * 60 * minuteMs;
    expect(await services(acme)).toEqual([]);
  });

  it("have their requests and failed requests by hour, and their spool folder, where reported", async () => {
    const counting = await makeOrganization(service, "counting");
    const timestamp = new Date(service.clock.now).toISOString();
    const attributes = { requests: 120, failed_requests: 3, spool_folder: "/tmp/whence-spool-1000" };
    const beat = (name: string, more: object) => {
      const stored = storedEvent(counting.id, {
        service: name,
        instance: name,
        receivedAt: timestamp,
        fingerprint: "",
      });
      return { ...stored, event: { ...stored.event, type: "heartbeat" as const, timestamp, ...more } };
    };
    await service.events.insert([
      beat("web", { attributes }),
      beat("worker", {}),
      beat("job", { attributes: { spool_off: "spool is false" } }),
    ]);
    const hour = `${timestamp.slice(0, 13)}:00:00.000Z`;
    expect(await services(counting)).toMatchObject([
      { service: "job", answers: [], spool_folder: null, spool_off: "spool is false" },
      { service: "web", answers: [{ hour, requests: 120, failed: 3 }], spool_folder: "/tmp/whence-spool-1000" },
      { service: "worker", answers: [], spool_folder: null, spool_off: null },
    ]);
  });

  it("are hidden from other organizations", async () => {
    await heard("alive", 0);
    expect(await services(await makeOrganization(service, "other"))).toEqual([]);
    expect((await service.app.inject({ url: "/api/services" })).statusCode).toBe(401);
  });
});
