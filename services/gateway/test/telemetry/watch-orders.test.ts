import type { WatchNote, WatchState } from "@whence/protocol";
import type { Storage } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { batchOf } from "../batches.ts";
import { eventually } from "../eventually.ts";
import { buildApp, openTestStorage, organizationWithKey, send } from "../test-gateway.ts";

let storage: Storage;
let app: FastifyInstance;
let mine: { id: string; key: string };
let theirs: { id: string; key: string };
const clock = { now: Date.parse("2026-03-01T12:00:00.000Z") };

beforeAll(async () => {
  storage = await openTestStorage();
  const { control, queue } = storage;
  app = await buildApp({
    queue,
    keys: control.keys,
    usage: control.usage,
    secrets: control,
    control,
    clock: () => clock.now,
  });
  mine = await organizationWithKey(storage, "watch-orders");
  theirs = await organizationWithKey(storage, "watch-orders-other");
});
afterAll(async () => {
  await app.close();
  await storage.close();
});

const minuteMs = 60_000;

/** Asks processes of a release to watch a place; returns the order's id. */
async function watch(release: string): Promise<string> {
  const now = new Date(clock.now);
  const scope = storage.control.scope(mine.id);
  const { id } = await scope.incidents.open({
    ...{ title: "boom", severity: "high", service: "orders", env: "PROD", fingerprint: null, now },
    trigger: { kind: "analyze", agent_id: null, files: 0 },
    decision: { outcome: "opened", rule: "analyze-request", reason: "asked" },
    input: { kind: "text", errorLog: "boom", files: [] },
  });
  const added = await scope.placeWatches.add({
    ...{ incidentId: id, service: "orders", env: "PROD", release, places: [], key: "org:key", now },
    ...{ sign: (order) => `signed ${order}`, expiresAt: new Date(clock.now + minuteMs) },
    by: { kind: "member", id: "usr_1", name: "Ada" },
  });
  if (added.outcome !== "added") throw new Error(added.outcome);
  return added.watch.id;
}

async function asked(key: string, release: string, changes: object = {}, note: WatchNote | null = {}) {
  const batch = batchOf([], { service: "orders", release, ...(note && { watch: note }), ...changes });
  return (await send(app, key, batch)).json().watch;
}

describe("the answer to a batch of a program that may be watched", () => {
  it("carries the order for its release and environment, to its organization alone", async () => {
    const id = await watch("1");
    expect(await asked(mine.key, "1")).toEqual({ key: "org:key", order: `signed ${id}` });
    const none = { order: null };
    expect(await asked(theirs.key, "1")).toEqual(none);
    expect(await asked(mine.key, "2")).toEqual(none);
    expect(await asked(mine.key, "1", { env: "STAGING" })).toEqual(none);
    expect(await asked(mine.key, "1", { service: "cart" })).toEqual(none);
  });

  it("carries none to a program that doesn't allow it", async () => {
    await watch("3");
    expect(await asked(mine.key, "3", {}, null)).toBeUndefined();
  });

  it("carries none once it has expired", async () => {
    await watch("4");
    clock.now += minuteMs;
    expect(await asked(mine.key, "4")).toEqual({ order: null });
  });

  it("isn't \"none\" while the database can't be asked, which would end what a process watches", async () => {
    const { queue, control } = storage;
    let asks = 0;
    const broken = {
      scope: (id: string) => ({
        ...control.scope(id),
        placeWatches: {
          ...control.scope(id).placeWatches,
          runningIn: () => {
            asks += 1;
            return Promise.reject(new Error("no database"));
          },
        },
      }),
    };
    const other = await buildApp({
      queue,
      keys: control.keys,
      usage: control.usage,
      secrets: control,
      control: broken,
      clock: () => clock.now,
    });
    const answers = async () =>
      (await send(other, mine.key, batchOf([], { service: "orders", release: "1", watch: {} }))).json();
    expect(await answers()).not.toHaveProperty("watch");
    expect(await answers()).not.toHaveProperty("watch");
    expect(asks).toBe(1);
    await other.close();
  });

  it("notes what the process did with it, and for no other organization", async () => {
    const id = await watch("5");
    const note: WatchNote = { order: id, state: "refused", reason: "another version" };
    const { placeWatches } = storage.control.scope(mine.id);
    const noted = async () => (await placeWatches.running(new Date(clock.now)))[0]?.processes[0];
    await asked(theirs.key, "5", {}, { order: id, state: "ended" });
    await asked(mine.key, "5", {}, note);
    expect(await eventually("the note", noted)).toMatchObject({ state: "refused", reason: "another version" });
  });

  it("notes what each process did, and writes it once in two seconds", async () => {
    const id = await watch("6");
    const { placeWatches } = storage.control.scope(mine.id);
    const states = async () => {
      const found = (await placeWatches.running(new Date(clock.now))).find((one) => one.id === id);
      return found?.processes.map(({ instance, state, at }) => [instance, state, at]);
    };
    const says = (instance: string, state: WatchState) => asked(mine.key, "6", { instance }, { order: id, state });
    const first = new Date(clock.now).toISOString();
    await says("i-1", "armed");
    await eventually("the first answer", async () => ((await states())?.length === 1 ? true : undefined));
    await says("i-2", "armed");
    await says("i-3", "refused");
    clock.now += 2_000;
    await says("i-1", "armed");
    await eventually("all answers", async () => ((await states())?.length === 3 ? true : undefined));
    const later = new Date(clock.now).toISOString();
    expect(await states()).toEqual([
      ["i-1", "armed", first],
      ["i-2", "armed", later],
      ["i-3", "refused", later],
    ]);
  });
});
