import { dayMs, hourMs } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storedEvent } from "../../stored-event.ts";
import { makeOrganization, startTestService, type TestOrganization, type TestService } from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;
const fingerprint = "v1:1111111111111111";

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  // The store keeps what is recent.
  service.clock.now = Math.floor(Date.now() / hourMs) * hourMs;
});
afterAll(() => service.close());

const get = (query: string, key = acme.key) =>
  service.app.inject({ url: `/api/failures/hours?${query}`, headers: { "x-api-key": key } });
const at = (ms: number): string => new Date(service.clock.now + ms).toISOString();

describe("GET /api/failures/hours", () => {
  it("counts the last day and the current hour, of the organization's own failures", async () => {
    const other = await makeOrganization(service, "other");
    const eventAt = (scopeId: string, ms: number, name = fingerprint) => {
      const stored = storedEvent(scopeId, { fingerprint: name, receivedAt: at(ms) });
      return { ...stored, event: { ...stored.event, timestamp: at(ms) } };
    };
    await service.events.insert([
      ...[-dayMs - 1, -dayMs, 0, 1].map((ms) => eventAt(acme.id, ms)),
      eventAt(acme.id, 0, "v1:2222222222222222"),
      eventAt(other.id, 0),
    ]);
    expect((await get(`fingerprint=${fingerprint}`)).json()).toEqual({
      hours: [
        { fingerprint, env: "PROD", hour: at(-dayMs), events: 1 },
        { fingerprint, env: "PROD", hour: at(0), events: 2 },
      ],
    });
    const both = await get(`fingerprint=${fingerprint}&fingerprint=v1:2222222222222222`);
    expect(both.json().hours).toHaveLength(3);
    expect((await get("fingerprint=v1:2222222222222222", other.key)).json()).toEqual({ hours: [] });
    service.clock.now += hourMs;
    expect((await get(`fingerprint=${fingerprint}`)).json().hours).toHaveLength(1);
    service.clock.now -= hourMs;
  });

  it("takes up to 100 fingerprints", async () => {
    const asked = (count: number) =>
      get(Array.from({ length: count }, (_, index) => `fingerprint=v1:${index}`).join("&"));
    expect((await asked(101)).statusCode).toBe(422);
    for (const count of [0, 1, 100]) expect((await asked(count)).json()).toEqual({ hours: [] });
  });
});
