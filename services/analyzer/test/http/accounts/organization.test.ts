import { dayMs } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storedEvent } from "../../stored-event.ts";
import {
  makeOrganization,
  signInMember,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;
let memberCookie: string;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  memberCookie = await signInMember(service, acme.id, "member@acme.example", "member");
});
afterAll(() => service.close());

const read = async (cookie = acme.cookie) => service.app.inject({ url: "/api/organization", headers: { cookie } });
const put = (settings: unknown, headers: Record<string, string> = { cookie: acme.cookie }) =>
  service.app.inject({ method: "PUT", url: "/api/organization", headers, payload: { settings } });

describe("the organization", () => {
  it("is read by its members, with its settings and the events of today", async () => {
    await service.control.usage.add(acme.id, "2026-03-01", 41);
    await service.control.usage.add(acme.id, "2026-02-28", 7);
    for (const cookie of [acme.cookie, memberCookie]) {
      expect((await read(cookie)).json()).toEqual({
        id: acme.id,
        name: "acme",
        settings: {
          retention_days: null,
          events_per_day: null,
          input_bytes_max: null,
          plain_users: false,
          passwords_off: false,
        },
        usage: { day: "2026-03-01", events: 41, input_bytes: 0 },
      });
    }
  });

  it("is changed by its owners, and returned with the change from then on", async () => {
    const settings = {
      retention_days: 90,
      events_per_day: 1_000_000,
      input_bytes_max: 5_000_000_000,
      plain_users: true,
      passwords_off: false,
    };
    const answer = await put(settings);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ id: acme.id, settings });
    expect((await read()).json()).toEqual(answer.json());
    const key = await service.app.inject({ url: "/api/organization", headers: { "x-api-key": acme.key } });
    expect(key.statusCode).toBe(401);
    await put({
      retention_days: null,
      events_per_day: null,
      input_bytes_max: null,
      plain_users: false,
      passwords_off: false,
    });
    expect((await read()).json().settings).toEqual({
      retention_days: null,
      events_per_day: null,
      input_bytes_max: null,
      plain_users: false,
      passwords_off: false,
    });
  });

  it("isn't changed by members, by keys, without a session, or from another site", async () => {
    const settings = {
      retention_days: 1,
      events_per_day: 1,
      input_bytes_max: null,
      plain_users: false,
      passwords_off: false,
    };
    expect((await put(settings, { cookie: memberCookie })).json().code).toBe("WHENCE_ERR_OWNER_ONLY");
    expect((await put(settings, { "x-api-key": acme.key })).statusCode).toBe(401);
    expect((await put(settings, {})).statusCode).toBe(401);
    const foreign = await put(settings, { cookie: acme.cookie, origin: "https://evil.example" });
    expect(foreign.json().code).toBe("WHENCE_ERR_ORIGIN_REFUSED");
    expect((await read()).json().settings).toEqual({
      retention_days: null,
      events_per_day: null,
      input_bytes_max: null,
      plain_users: false,
      passwords_off: false,
    });
  });

  it.each([
    [{ retention_days: 1, events_per_day: 1, input_bytes_max: null, plain_users: false, passwords_off: false }, 200],
    [
      { retention_days: 3_650, events_per_day: null, input_bytes_max: null, plain_users: false, passwords_off: false },
      200,
    ],
    [{ retention_days: 0, events_per_day: null, input_bytes_max: null, plain_users: false, passwords_off: false }, 422],
    [
      { retention_days: 3_651, events_per_day: null, input_bytes_max: null, plain_users: false, passwords_off: false },
      422,
    ],
    [
      { retention_days: 1.5, events_per_day: null, input_bytes_max: null, plain_users: false, passwords_off: false },
      422,
    ],
    [
      { retention_days: "7", events_per_day: null, input_bytes_max: null, plain_users: false, passwords_off: false },
      422,
    ],
    [{ retention_days: null, events_per_day: 0, input_bytes_max: null, plain_users: false, passwords_off: false }, 422],
    [
      {
        retention_days: null,
        events_per_day: null,
        input_bytes_max: 1_048_576,
        plain_users: false,
        passwords_off: false,
      },
      200,
    ],
    [
      {
        retention_days: null,
        events_per_day: null,
        input_bytes_max: 1_048_575,
        plain_users: false,
        passwords_off: false,
      },
      422,
    ],
    [{ retention_days: null, events_per_day: null, plain_users: false, passwords_off: false }, 422],
    [
      { retention_days: null, events_per_day: null, input_bytes_max: null, plain_users: true, passwords_off: false },
      200,
    ],
    [{ retention_days: null, events_per_day: null, input_bytes_max: null, plain_users: 1, passwords_off: false }, 422],
    [{ retention_days: null, events_per_day: null, input_bytes_max: null }, 422],
    [{ retention_days: 7 }, 422],
    [undefined, 422],
  ])("answers the settings %j with %d", async (settings, status) => {
    const answer = await put(settings);
    expect(answer.statusCode).toBe(status);
    if (status === 422) expect(answer.json().detail[0].loc.slice(0, 2)).toEqual(["body", "settings"]);
  });

  it("loses its older events when it keeps events for a shorter time, and no other organization does", async () => {
    const short = await makeOrganization(service, "short");
    const other = await makeOrganization(service, "other");
    // The store goes by its own clock.
    const receivedAt = new Date(Date.now() - 10 * dayMs).toISOString();
    const [mine, theirs] = [storedEvent(short.id, { receivedAt }), storedEvent(other.id, { receivedAt })];
    await service.events.insert([mine, theirs]);
    expect(await service.events.forScope(short.id).event(mine.event.id)).not.toBeNull();
    const answer = await put(
      { retention_days: 7, events_per_day: null, input_bytes_max: null, plain_users: false, passwords_off: false },
      { cookie: short.cookie },
    );
    expect(answer.statusCode).toBe(200);
    await expect.poll(() => service.events.forScope(short.id).event(mine.event.id)).toBeNull();
    expect(await service.events.forScope(other.id).event(theirs.event.id)).not.toBeNull();
  });
});
