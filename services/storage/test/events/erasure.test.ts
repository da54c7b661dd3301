import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { minuteMs } from "@whence/protocol";
import { Session } from "chdb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEmbeddedEventStore } from "../../src/events/chdb-connection.ts";
import type { EventStore, StoredEvent } from "../../src/index.ts";
import { stored } from "../stored-event.ts";

const path = mkdtempSync(join(tmpdir(), "whence-events-"));
let store: EventStore;
beforeAll(async () => {
  store = await openEmbeddedEventStore({ path, retentionDays: 30 });
});
afterAll(async () => {
  await store.close();
  rmSync(path, { recursive: true, force: true });
});

const fingerprint = "v1:erased";
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

function of(scopeId: string, service: string, ageMs: number): StoredEvent {
  const at = ago(ageMs);
  return stored({
    scopeId,
    service,
    fingerprint: `${fingerprint}:${service}`,
    instance: `${service}-${ageMs}`,
    receivedAt: at,
    event: { timestamp: at },
  });
}

async function left(scopeId: string): Promise<{ events: string[]; counted: string[]; processes: string[] }> {
  const scoped = store.forScope(scopeId);
  const found = await scoped.find({ from: ago(60 * minuteMs), to: ago(-minuteMs), limit: 100 });
  const services = ["orders", "cart"];
  const totals = await Promise.all(services.map((service) => scoped.failure(`${fingerprint}:${service}`)));
  const processes = await scoped.deliveries({ since: ago(60 * minuteMs), limit: 100 });
  return {
    events: found.map(({ service }) => service).toSorted(),
    counted: services.filter((_, index) => totals[index]),
    processes: processes.map(({ service }) => service).toSorted(),
  };
}

/** Rows that are only hidden. The engine unlinks the parts that held them 8 minutes later (`old_parts_lifetime`). */
function partsWithHiddenRows(): string {
  const session = new Session(path);
  const parts = session.query("SELECT count() FROM system.parts WHERE active AND has_lightweight_delete", "TSVRaw");
  session.close();
  return parts.trim();
}

describe("erasing telemetry", () => {
  it("removes one service from every query, and leaves others and other scopes", async () => {
    await store.insert([
      of("org_a", "orders", minuteMs),
      of("org_a", "cart", minuteMs),
      of("org_b", "orders", minuteMs),
    ]);
    await store.forScope("org_a").erase({ service: "orders", receivedBefore: ago(0) });
    expect(await left("org_a")).toEqual({ events: ["cart"], counted: ["cart"], processes: ["cart"] });
    expect(await left("org_b")).toEqual({ events: ["orders"], counted: ["orders"], processes: ["orders"] });
  });

  it("leaves what was received at or after the given time", async () => {
    const young = of("org_c", "orders", 0);
    await store.insert([of("org_c", "orders", 10 * minuteMs), young]);
    await store.forScope("org_c").erase({ receivedBefore: young.receivedAt });
    expect(await left("org_c")).toEqual({ events: ["orders"], counted: ["orders"], processes: ["orders"] });
  });

  it("removes a scope's rows from the parts on disk, not only from the answers", async () => {
    await store.insert([of("org_d", "orders", minuteMs), of("org_e", "orders", minuteMs)]);
    await store.forScope("org_d").erase({ receivedBefore: ago(0) });
    expect(await left("org_d")).toEqual({ events: [], counted: [], processes: [] });
    await expect.poll(partsWithHiddenRows).toBe("0");
    expect((await left("org_e")).events).toEqual(["orders"]);
  });

  it("exports every event of one scope, and none of another", async () => {
    const mine = [of("org_f", "orders", minuteMs), of("org_f", "cart", 2 * minuteMs)];
    await store.insert([...mine, of("org_g", "orders", minuteMs)]);
    const found: StoredEvent[] = [];
    for await (const chunk of store.forScope("org_f").everything()) found.push(...chunk);
    expect(found.map(({ event }) => event.id).toSorted()).toEqual(mine.map(({ event }) => event.id).toSorted());
  });
});
