import { minuteMs } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { erasureSettledAfterMs, startExpirySweep } from "../../../src/consumers/expiry-sweep.ts";
import { storedEvent } from "../../stored-event.ts";
import {
  makeOrganization,
  signInMember,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;
let memberCookie: string;

beforeAll(async () => {
  service = await startTestService();
  // The store forgets what is too old by its own clock.
  service.clock.now = Date.now();
  acme = await makeOrganization(service, "acme");
  memberCookie = await signInMember(service, acme.id, "member@acme.example", "member");
});
afterAll(() => service.close());

const remove = (url: string, headers: Record<string, string> = { cookie: acme.cookie }) =>
  service.app.inject({ method: "DELETE", url, headers });
const read = (url: string, headers: Record<string, string> = { cookie: acme.cookie }) =>
  service.app.inject({ url, headers });

async function analyze(key: string): Promise<string> {
  const request = { method: "POST", url: "/api/mcp/analyze", headers: { "x-api-key": key } } as const;
  return (await service.app.inject({ ...request, payload: { error_log: "Error: boom" } })).json().incident_id;
}

async function latestAction(cookie = acme.cookie): Promise<[string, string]> {
  const { action, target } = (await read("/api/audit", { cookie })).json().entries[0];
  return [action, target];
}

/** Telemetry that came a minute ago. */
async function hear(scopeId: string, name: string): Promise<string> {
  const at = new Date(service.clock.now - minuteMs).toISOString();
  const event = storedEvent(scopeId, { service: name, instance: name, receivedAt: at });
  await service.events.insert([event]);
  return event.event.id;
}

const startSweep = () =>
  startExpirySweep({
    ...{ control: service.control, events: service.events, logger: silent },
    ...{ clock: () => service.clock.now, retentionDays: 30 },
  });

describe("deleting an incident", () => {
  it("is for members and recorded in the audit log, and not for keys", async () => {
    const id = await analyze(acme.key);
    expect((await remove(`/api/incidents/${id}`, { "x-api-key": acme.key })).statusCode).toBe(401);
    const agent = await service.app.inject({ method: "POST", url: "/api/agents/register", payload: { source: "a" } });
    const own = await analyze(agent.json().api_key);
    expect((await remove(`/api/incidents/${own}`, { "x-api-key": agent.json().api_key })).statusCode).toBe(401);
    const other = await makeOrganization(service, "stranger");
    expect((await remove(`/api/incidents/${id}`, { cookie: other.cookie })).statusCode).toBe(404);
    const answer = await remove(`/api/incidents/${id}`, { cookie: memberCookie });
    expect([answer.statusCode, answer.json()]).toEqual([200, { incident_id: id }]);
    expect((await read(`/api/incidents/${id}`)).statusCode).toBe(404);
    expect((await remove(`/api/incidents/${id}`)).json().code).toBe("WHENCE_ERR_INCIDENT_UNKNOWN");
    expect(await latestAction()).toEqual(["incident.deleted", id]);
  });

  it("ends a running investigation without bringing the incident back", async () => {
    const id = await analyze(acme.key);
    const { incidents } = service.control.scope(acme.id);
    const attempt = (await incidents.begin(id, new Date())) ?? 0;
    await remove(`/api/incidents/${id}`);
    const at = new Date().toISOString();
    await incidents.addStep(id, attempt, { seq: 1, at, step: "parse", detail: "read" });
    expect(await incidents.fail(id, attempt, { code: "X", message: "y" }, new Date())).toBe(false);
    expect((await read(`/api/incidents/${id}`)).statusCode).toBe(404);
  });
});

describe("deleting a service", () => {
  it("removes its telemetry and its mute, is for owners, and is recorded in the audit log", async () => {
    await service.app.inject({
      ...{ method: "PUT", url: "/api/thresholds", headers: { cookie: acme.cookie } },
      payload: { muted_services: ["old shop/α", "batch"] },
    });
    const [gone, kept] = [await hear(acme.id, "old shop/α"), await hear(acme.id, "cart")];
    const url = `/api/services/${encodeURIComponent("old shop/α")}`;
    expect((await remove(url, { cookie: memberCookie })).json().code).toBe("WHENCE_ERR_OWNER_ONLY");
    expect((await remove(url, { cookie: acme.cookie, origin: "https://evil.example" })).statusCode).toBe(403);
    expect((await remove(url)).json()).toEqual({ service: "old shop/α" });
    const services = (await read("/api/services")).json().services.map((row: { service: string }) => row.service);
    expect(services).toEqual(["cart"]);
    const scoped = service.events.forScope(acme.id);
    expect([await scoped.event(gone), (await scoped.event(kept))?.service]).toEqual([null, "cart"]);
    expect((await read("/api/thresholds")).json().muted_services).toEqual(["batch"]);
    expect(await latestAction()).toEqual(["service.deleted", "old shop/α"]);
  });

  it("also removes what was in transit at the time, and nothing that came later", async () => {
    await remove("/api/services/late");
    const late = await hear(acme.id, "late");
    service.clock.now += 2 * minuteMs;
    const later = await hear(acme.id, "late");
    const sweep = startSweep();
    await expect.poll(() => service.events.forScope(acme.id).event(late)).toBeNull();
    await sweep.stop();
    expect(await service.events.forScope(acme.id).event(later)).not.toBeNull();
    service.clock.now += erasureSettledAfterMs;
    const last = startSweep();
    await expect.poll(() => service.control.erasures.pending()).toEqual([]);
    await last.stop();
  });
});

describe("deleting an organization's data", () => {
  it("leaves only the organization with its members, and the record of who deleted it", async () => {
    const organization = await makeOrganization(service, "leaving");
    const other = await makeOrganization(service, "staying");
    const [id, otherId] = [await analyze(organization.key), await analyze(other.key)];
    const [event, otherEvent] = [await hear(organization.id, "orders"), await hear(other.id, "orders")];
    const member = await signInMember(service, organization.id, "m@leaving.example", "member");
    expect((await remove("/api/organization/data", { cookie: member })).json().code).toBe("WHENCE_ERR_OWNER_ONLY");
    expect((await remove("/api/organization/data", { "x-api-key": organization.key })).statusCode).toBe(401);
    const headers = { cookie: organization.cookie };
    expect((await remove("/api/organization/data", headers)).json()).toEqual({ organization_id: organization.id });
    expect((await read(`/api/incidents/${id}`, headers)).statusCode).toBe(404);
    expect((await read("/api/keys", headers)).json()).toEqual({ keys: [] });
    expect(await service.events.forScope(organization.id).event(event)).toBeNull();
    const refused = await read("/api/incidents", { "x-api-key": organization.key });
    expect(refused.json().code).toBe("WHENCE_ERR_KEY_UNKNOWN");
    expect(await latestAction(organization.cookie)).toEqual(["organization.erased", "leaving"]);
    expect((await read(`/api/incidents/${otherId}`, { cookie: other.cookie })).statusCode).toBe(200);
    expect(await service.events.forScope(other.id).event(otherEvent)).not.toBeNull();
  });
});
