import { incidentThresholdsSchema } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  makeOrganization,
  signInMember,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;
let other: TestOrganization;
let memberCookie: string;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  other = await makeOrganization(service, "other");
  memberCookie = await signInMember(service, acme.id, "member@acme.example", "member");
});
afterAll(() => service.close());

const defaults = incidentThresholdsSchema.parse({});
const read = async (headers: Record<string, string>) => service.app.inject({ url: "/api/thresholds", headers });
const put = (payload: object, headers: Record<string, string> = { cookie: acme.cookie }) =>
  service.app.inject({ method: "PUT", url: "/api/thresholds", headers, payload });

describe("the thresholds of incidents", () => {
  it("open an incident at the first event until an owner decides otherwise, and are read by key or session", async () => {
    for (const headers of [{ "x-api-key": acme.key }, { cookie: acme.cookie }, { cookie: memberCookie }]) {
      const answer = await read(headers);
      expect([answer.statusCode, answer.json()]).toEqual([200, defaults]);
    }
    expect(defaults.min_events).toBe(1);
    expect((await read({})).statusCode).toBe(401);
  });

  it("are replaced as a whole by owners, for their organization only", async () => {
    const answer = await put({ min_events: 5, muted_services: ["noisy"] });
    expect(answer.json()).toEqual({ ...defaults, min_events: 5, muted_services: ["noisy"] });
    expect((await read({ "x-api-key": acme.key })).json()).toEqual(answer.json());
    expect((await read({ "x-api-key": other.key })).json()).toEqual(defaults);
    expect((await put({})).json()).toEqual(defaults);
  });

  it("aren't changed by members, by keys, without a session, or from another site", async () => {
    const change = { muted_services: ["orders"] };
    expect((await put(change, { cookie: memberCookie })).json().code).toBe("WHENCE_ERR_OWNER_ONLY");
    expect((await put(change, { "x-api-key": acme.key })).statusCode).toBe(401);
    expect((await put(change, {})).statusCode).toBe(401);
    const foreign = await put(change, { cookie: acme.cookie, origin: "https://evil.example" });
    expect(foreign.json().code).toBe("WHENCE_ERR_ORIGIN_REFUSED");
    expect((await read({ cookie: acme.cookie })).json()).toEqual(defaults);
  });

  it.each([
    [{ min_events: 1 }, 200],
    [{ min_events: 0 }, 422],
    [{ min_events: 1.5 }, 422],
    [{ window_minutes: 1_440 }, 200],
    [{ window_minutes: 1_441 }, 422],
    [{ quiet_hours: 0 }, 422],
    [{ quiet_hours: 8_760 }, 200],
    [{ quiet_hours: 8_761 }, 422],
    [{ spike_factor: 2 }, 200],
    [{ spike_factor: 1.9 }, 422],
    [{ incidents_per_hour: 0 }, 422],
    [{ incidents_per_hour: 1 }, 200],
    [{ source_incidents_per_hour: 0 }, 422],
    [{ source_incidents_per_hour: 1_000_000 }, 200],
    [{ source_incidents_per_hour: 1_000_001 }, 422],
    [{ muted_fingerprints: Array.from({ length: 1_001 }, (_, index) => `v1:${index}`) }, 422],
    [{ muted_services: [""] }, 422],
  ])("answer %j with %d", async (change, status) => {
    expect((await put(change)).statusCode).toBe(status);
  });
});
