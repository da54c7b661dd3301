import { randomUUID } from "node:crypto";
import { occurrencePageSchema } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storedEvent } from "../../stored-event.ts";
import { makeOrganization, startTestService, type TestOrganization, type TestService } from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;
let other: TestOrganization;
let now: number;

beforeAll(async () => {
  service = await startTestService();
  now = Date.now();
  service.clock.now = now;
  acme = await makeOrganization(service, "acme");
  other = await makeOrganization(service, "other");
});
afterAll(() => service.close());

const at = (secondsBefore: number) => new Date(now - secondsBefore * 1_000).toISOString();

/** Stores an event of a failure, and returns its ID. */
async function occur(
  fingerprint: string,
  secondsBefore: number,
  headers: Record<string, string> = {},
  env = "PROD",
): Promise<string> {
  const stored = storedEvent(acme.id, { fingerprint, env });
  const request = { method: "GET", path: "/cart/7", route: "/cart/:id", headers };
  await service.events.insert([{ ...stored, event: { ...stored.event, timestamp: at(secondsBefore), request } }]);
  return stored.event.id;
}

async function open(fingerprint: string | null, input: object = { kind: "text", errorLog: "boom", files: [] }) {
  const trigger = { kind: "analyze" as const, agent_id: null, files: 0 };
  const { id } = await service.control.scope(acme.id).incidents.open({
    ...{ title: "boom", severity: "high", service: "orders", env: "PROD", fingerprint, trigger },
    decision: { outcome: "opened", rule: "new-failure", reason: "" },
    input: input as { kind: "text"; errorLog: string; files: [] },
    now: new Date(now),
  });
  return id;
}

const get = (path: string, { cookie } = acme) =>
  service.app.inject({ url: `/api/incidents/${path}`, headers: { cookie } });
const page = async (path: string) => occurrencePageSchema.parse((await get(path)).json());

describe("the events of an incident's failure", () => {
  it("are listed newest first, with where each happened", async () => {
    const [older, newer] = [await occur("v1:a", 20), await occur("v1:a", 10, { "User-Agent": "curl/8" })];
    await occur("v1:b", 5);
    const { occurrences, next } = await page(`${await open("v1:a")}/occurrences`);
    expect(occurrences.map(({ event_id }) => event_id)).toEqual([newer, older]);
    expect(occurrences[0]).toEqual({
      ...{ event_id: newer, at: at(10), service: "orders", env: "PROD", release: "1.0", host: "h1", instance: "i1" },
      ...{ route: "/cart/:id", user_agent: "curl/8" },
    });
    expect(next).toBeNull();
  });

  it.each([1, 2, 3])("come in pages of %i, each once, even when many have the same millisecond", async (limit) => {
    const fingerprint = `v1:pages-${limit}`;
    const ids: string[] = [];
    for (const seconds of [1, 2, 2, 3, 3, 3, 4]) ids.push(await occur(fingerprint, seconds));
    const id = await open(fingerprint);
    const pages: { readonly event_id: string; readonly at: string }[][] = [];
    let before = "";
    for (;;) {
      const { occurrences, next } = await page(`${id}/occurrences?limit=${limit}${before}`);
      pages.push(occurrences);
      if (next === null) break;
      before = `&before=${encodeURIComponent(next)}`;
    }
    const listed = pages.flat();
    expect(listed.map(({ at: time }) => time)).toEqual([1, 2, 2, 3, 3, 3, 4].map(at));
    expect(new Set(listed.map(({ event_id }) => event_id))).toEqual(new Set(ids));
    expect(pages.every(({ length }) => length <= limit)).toBe(true);
  });

  it("don't come after what isn't the end of a page", async () => {
    const id = await open("v1:cursor");
    for (const before of ["x", "2026-03-01T12:00:00.000Z", "2026-03-01T12:00:00.000Z,", ",a", "x,a"]) {
      const answer = await get(`${id}/occurrences?before=${encodeURIComponent(before)}`);
      expect([before, answer.statusCode]).toEqual([before, 422]);
    }
  });

  it("are those of the incident's environment only", async () => {
    const mine = await occur("v1:env", 1);
    const staged = await occur("v1:env", 2, {}, "STAGING");
    const id = await open("v1:env");
    const { occurrences } = await page(`${id}/occurrences`);
    expect(occurrences.map(({ event_id }) => event_id)).toEqual([mine]);
    expect((await get(`${id}/occurrences/${mine}`)).statusCode).toBe(200);
    expect((await get(`${id}/occurrences/${staged}`)).json().code).toBe("WHENCE_ERR_OCCURRENCE_UNKNOWN");
  });

  it("don't exist for an incident without a fingerprint", async () => {
    expect(await page(`${await open(null)}/occurrences`)).toEqual({ occurrences: [], next: null });
  });

  it("can be read as they are stored", async () => {
    const event = await occur("v1:whole", 1);
    const {
      occurrence,
      event: stored,
      host,
      sdk,
    } = (await get(`${await open("v1:whole")}/occurrences/${event}`)).json();
    expect(occurrence).toMatchObject({ event_id: event, route: "/cart/:id", user_agent: null });
    expect(stored).toMatchObject({ id: event, exceptions: [{ type: "Error", message: "boom" }] });
    expect([host.name, sdk.name]).toEqual(["h1", "@whence/node"]);
  });

  it("name the events before and after them", async () => {
    const ids: string[] = [];
    for (const seconds of [4, 3, 3, 2, 1]) ids.push(await occur("v1:near", seconds));
    await occur("v1:near", 2, {}, "STAGING");
    const id = await open("v1:near");
    const listed = (await page(`${id}/occurrences`)).occurrences.map(({ event_id }) => event_id);
    expect(new Set(listed)).toEqual(new Set(ids));
    for (const [index, event] of listed.entries()) {
      const { newer, older } = (await get(`${id}/occurrences/${event}`)).json();
      expect([newer, older]).toEqual([listed[index - 1] ?? null, listed[index + 1] ?? null]);
    }
  });

  it("are unknown when they belong to another failure, or to no one", async () => {
    const id = await open("v1:mine");
    for (const event of [await occur("v1:theirs", 1), randomUUID(), "x"]) {
      const answer = await get(`${id}/occurrences/${event}`);
      expect([answer.statusCode, answer.json().code]).toEqual([404, "WHENCE_ERR_OCCURRENCE_UNKNOWN"]);
    }
  });

  it("aren't shown to another organization", async () => {
    const event = await occur("v1:secret", 1);
    const id = await open("v1:secret");
    for (const path of ["occurrences", `occurrences/${event}`, "input"]) {
      const answer = await get(`${id}/${path}`, other);
      expect([path, answer.json().code]).toEqual([path, "WHENCE_ERR_INCIDENT_UNKNOWN"]);
    }
  });
});

describe("the text that an analysis started from", () => {
  it("comes with how it is read", async () => {
    const errorLog = "TypeError: a is undefined\n    at total (/app/src/cart.js:12:9)";
    const id = await open(null, { kind: "text", errorLog, files: [] });
    // On a busy machine, the text comes without how it is read.
    const read = async () => (await get(`${id}/input`)).json();
    expect((await read()).text).toBe(errorLog);
    await expect
      .poll(async () => (await read()).read?.exceptions)
      .toMatchObject([
        { type: "TypeError", frames: [{ function: "total", file: "/app/src/cart.js", line: 12, origin: "app" }] },
      ]);
  });

  it("doesn't exist for an incident of telemetry", async () => {
    const id = await open("v1:event", { kind: "event", eventId: randomUUID() });
    expect((await get(`${id}/input`)).json()).toEqual({ text: null, read: null });
  });
});
