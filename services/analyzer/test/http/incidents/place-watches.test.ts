import { createPublicKey, verify } from "node:crypto";
import { hourMs, minuteMs, type Report, watchLimits, watchOrderDomain, watchOrderSchema } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureHandler } from "../../../src/incidents/decide-failures.ts";
import { reportWith } from "../../ended-report.ts";
import { failureOf } from "../../incidents/reported-failures.ts";
import { storedEvent } from "../../stored-event.ts";
import {
  addKey,
  makeOrganization,
  signInMember,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;
let member: string;

beforeAll(async () => {
  service = await startTestService();
  service.clock.now = Date.now();
  acme = await makeOrganization(service, "acme");
  member = await signInMember(service, acme.id, "grace@acme.example", "member");
});
afterAll(() => service.close());

const place = { file: "src/plan.js", line: 3, function: "planOf", starts: 2, sha256: "a".repeat(64) };
let releases = 0;

/** An incident of an event, of a release of its own, whose report names places. */
async function watchable(watch: Report["watch"] = [place], release = `${++releases}`) {
  const stored = storedEvent(acme.id, { release });
  await service.events.insert([stored]);
  const { incidents, failures } = service.control.scope(acme.id);
  const { fingerprint } = stored;
  const { id } = await incidents.open({
    ...{ title: "boom", severity: "high", service: stored.service, env: stored.env, fingerprint },
    trigger: { kind: "event", event_id: stored.event.id, mechanism: "uncaughtException", handled: false },
    decision: { outcome: "opened", rule: "new-failure", reason: "" },
    input: { kind: "event", eventId: stored.event.id },
    now: new Date(service.clock.now),
  });
  await incidents.complete(
    id,
    (await incidents.begin(id, new Date(service.clock.now))) ?? 0,
    reportWith({ watch }),
    new Date(service.clock.now),
  );
  return { id, stored, failures };
}

const start = (id: string, payload: object = {}, headers: Record<string, string> = { cookie: member }) =>
  service.app.inject({ method: "POST", url: `/api/incidents/${id}/watch`, headers, payload });
const stop = (id: string) =>
  service.app.inject({ method: "DELETE", url: `/api/incidents/${id}/watch`, headers: { cookie: member } });
const read = async (id: string) =>
  (await service.app.inject({ url: `/api/incidents/${id}/watch`, headers: { cookie: member } })).json();
const running = async (cookie = member) =>
  (await service.app.inject({ url: "/api/watches", headers: { cookie } })).json();
const ordered = ({ stored }: Awaited<ReturnType<typeof watchable>>) =>
  service.control.scope(acme.id).placeWatches.runningIn(stored, new Date(service.clock.now));

/** Whether the signature of an order is that of a key, as it is given to programs. */
function isSigned(order: string, key: string): boolean {
  const [payload = "", signature = ""] = order.split(".");
  const x = key.split(":")[1] ?? "";
  const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return verify(null, Buffer.from(watchOrderDomain + payload), publicKey, Buffer.from(signature, "base64url"));
}

describe("watching the places of a report", () => {
  it("signs an order for one release in one environment, with the organization's key", async () => {
    const incident = await watchable();
    const answer = await start(incident.id, { minutes: 30 });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      {
        ...{ incident_id: incident.id, release: incident.stored.release, created_by: "grace@acme.example" },
        ...{ expires_at: new Date(service.clock.now + 30 * minuteMs).toISOString(), process: null, seen: null },
        places: [{ file: "src/plan.js", line: 3 }],
      },
    ]);
    const { key } = await running();
    const stored = await ordered(incident);
    expect(stored?.key).toBe(key);
    expect(key).toMatch(new RegExp(`^${acme.id}:[\\w-]{43}$`));
    expect(isSigned(stored?.order ?? "", key)).toBe(true);
    const [payload = ""] = stored?.order.split(".") ?? [];
    expect(watchOrderSchema.parse(JSON.parse(Buffer.from(payload, "base64url").toString()))).toEqual({
      ...{ id: answer.json().id, organization: acme.id, service: incident.stored.service, env: incident.stored.env },
      ...{ release: incident.stored.release, issued_at: answer.json().created_at },
      ...{ expires_at: answer.json().expires_at, places: [place] },
    });
  });

  it("signs with another key for another organization", async () => {
    const other = await makeOrganization(service, "other");
    expect((await running(other.cookie)).key).not.toBe((await running()).key);
  });

  it("ends after an hour at most, and not before", async () => {
    const incident = await watchable();
    expect((await start(incident.id, { minutes: watchLimits.watchMinutesMax + 1 })).statusCode).toBe(422);
    await start(incident.id);
    service.clock.now += hourMs - 1;
    expect(await ordered(incident)).not.toBeNull();
    service.clock.now += 1;
    expect(await ordered(incident)).toBeNull();
    expect((await running()).watches).toEqual([]);
  });

  it("is stopped by anyone who may start it", async () => {
    const incident = await watchable();
    await start(incident.id);
    expect((await stop(incident.id)).json()).toMatchObject({ stopped_at: expect.any(String) });
    expect(await ordered(incident)).toBeNull();
    expect((await stop(incident.id)).json()).toMatchObject({ code: "WHENCE_ERR_WATCH_UNKNOWN" });
  });

  it("watches a program for one incident at a time", async () => {
    const first = await watchable();
    const second = await watchable([place], first.stored.release);
    await start(first.id);
    const refused = await start(second.id);
    expect([refused.statusCode, refused.json()]).toMatchObject([409, { code: "WHENCE_ERR_WATCH_RUNNING" }]);
    await stop(first.id);
    expect((await start(second.id)).statusCode).toBe(200);
  });

  it("takes at most ten places, of files whose text was read", async () => {
    const many = Array.from({ length: watchLimits.watchPlacesMax + 1 }, (_, at) => ({ ...place, line: at + 1 }));
    const { sha256: _, ...unread } = place;
    expect((await start((await watchable([unread, ...many])).id)).json().places).toHaveLength(10);
    const nowhere = await watchable([unread]);
    expect((await start(nowhere.id)).json()).toMatchObject({ code: "WHENCE_ERR_WATCH_NO_PLACES" });
  });

  it("takes a member or a key with full access: none that may only send, read, or analyze", async () => {
    const { id } = await watchable();
    for (const scope of ["send", "read", "analyze"] as const) {
      const key = await addKey(service, acme.id, scope);
      expect((await start(id, {}, { "x-api-key": key })).statusCode).toBe(403);
    }
    const full = await addKey(service, acme.id, "full");
    expect((await start(id, {}, { "x-api-key": full })).json()).toMatchObject({ created_by: "test full" });
  });

  it("is in the audit log, beginning and end", async () => {
    const { id } = await watchable();
    await start(id);
    await stop(id);
    const entries = await service.control.scope(acme.id).audit.list({ limit: 2 });
    expect(entries.map(({ action, target }) => [action, target])).toEqual([
      ["incident.watch-stopped", id],
      ["incident.watched", id],
    ]);
  });

  it("can't be started, read, or stopped by another organization", async () => {
    const { id } = await watchable();
    const other = await makeOrganization(service, "strangers");
    expect((await start(id, {}, { cookie: other.cookie })).statusCode).toBe(404);
    const answer = await service.app.inject({ url: `/api/incidents/${id}/watch`, headers: { cookie: other.cookie } });
    expect(answer.statusCode).toBe(404);
  });

  it("shows what a process did with it, and what the last failure of the incident carried", async () => {
    const incident = await watchable();
    const { id: order } = (await start(incident.id)).json();
    const { placeWatches } = service.control.scope(acme.id);
    const now = new Date(service.clock.now);
    const refused = { state: "refused", reason: "src/plan.js is another version" } as const;
    const armed = { state: "armed", reason: null } as const;
    await placeWatches.note(order, new Map([["i-1", armed]]), now);
    await placeWatches.note(order, new Map([["i-2", refused]]), now);
    expect((await read(incident.id)).watch).toMatchObject({
      process: refused,
      processes: { armed: 1, refused: 1, ended: 0 },
    });
    await placeWatches.note(order, new Map([["i-2", armed]]), now);
    expect((await read(incident.id)).watch.processes).toEqual({ armed: 2, refused: 0, ended: 0 });
    const many = Array.from({ length: 60 }, (_, at) => [`n-${at}`, armed] as const);
    await placeWatches.note(order, new Map(many), now);
    expect((await read(incident.id)).watch.processes).toEqual({ armed: 50, refused: 0, ended: 0 });
    expect(await read(incident.id)).toMatchObject({ watch: { seen: null }, watched: null });
  });

  it("counts the later failures that carried what was seen, each once, shows the last, and refines the report", async () => {
    const { control, events, metrics, clock } = service;
    const options = { control, events, metrics, logger: silent, relayOutbox: () => undefined };
    const decide = failureHandler({ ...options, clock: () => clock.now });
    const first = storedEvent(acme.id, { release: `${++releases}`, fingerprint: `v1:${"5".repeat(16)}` });
    await events.insert([first]);
    await decide({ scope_id: acme.id, failures: [failureOf(first)] }, { number: 1 });
    const { incidents } = control.scope(acme.id);
    const listed = await service.app.inject({ url: "/api/incidents", headers: { cookie: member } });
    const { id } = listed
      .json()
      .incidents.find((one: { fingerprint: string }) => one.fingerprint === first.fingerprint);
    const now = new Date(clock.now);
    await incidents.complete(id, (await incidents.begin(id, now)) ?? 0, reportWith({ watch: [place] }), now);
    const { id: order } = (await start(id)).json();
    const at = { file: place.file, line: place.line, function: place.function, starts: place.starts };
    const hit = { ...at, kind: "returned" as const, nth: 1, values: {}, thread: "1-0", at_ms: 5, callers: [] };
    const watched = { order, at_ms: 5, places: [], hits: [{ ...hit, returned: "undefined" }] };
    const again = storedEvent(acme.id, { release: first.release, fingerprint: first.fingerprint });
    const seen = { ...again, event: { ...again.event, watched } };
    const other = storedEvent(acme.id, { release: first.release, fingerprint: `v1:${"6".repeat(16)}` });
    await events.insert([seen, other]);
    for (const failure of [seen, seen, other])
      await decide({ scope_id: acme.id, failures: [{ ...failureOf(failure), watch: order }] }, { number: 1 });
    expect(await read(id)).toMatchObject({
      watch: { seen: { failures: 1, event_id: seen.event.id } },
      watched: { order, hits: [{ returned: "undefined" }] },
    });
    const { refinement } = (
      await service.app.inject({ url: `/api/incidents/${id}`, headers: { cookie: member } })
    ).json();
    expect(refinement).toMatchObject({ refining: true });
  });
});
