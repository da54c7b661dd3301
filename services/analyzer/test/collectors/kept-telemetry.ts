import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Collector } from "@whence/engine";
import type { TelemetryEvent } from "@whence/protocol";
import { openStorage, type ScopedEvents, type Storage, type StoredEvent } from "@whence/storage";
import { afterAll, beforeAll } from "vitest";
import { telemetryCollectors } from "../../src/collectors/index.ts";

/** The time of the failure in these tests. */
export const failedAt = Date.parse("2026-03-01T10:00:00.000Z");
export const fingerprint = "v1:0123456789abcdef";
/** The events of these tests are on a fixed day, which is past the default retention. */
const keptForYearsDays = 3_650;

/** A stored event, by default an ordinary one of `orders`, some seconds before the failure. */
export interface Kept extends Partial<Omit<StoredEvent, "event" | "host">> {
  readonly secondsBefore?: number;
  readonly host?: string;
  readonly event?: Partial<TelemetryEvent>;
}

/** An event store of its own for the tests of one file. */
export function keptTelemetry() {
  let storage: Storage;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "whence-collectors-"));
    storage = await openStorage({ dataDirectory: folder, retentionDays: keptForYearsDays });
  });
  afterAll(async () => {
    await storage.close();
    await rm(folder, { recursive: true, force: true });
  });
  const scoped = async (kept: readonly Kept[], scopeId = `org_${randomUUID()}`): Promise<ScopedEvents> => {
    await storage.events.insert(kept.map((one) => stored(scopeId, one)));
    return storage.events.forScope(scopeId);
  };
  return {
    scoped,
    /** Stores events in a scope of their own, and returns its collectors. */
    async withStored(...kept: readonly Kept[]): Promise<readonly Collector[]> {
      return telemetryCollectors(await scoped(kept));
    },
    control: () => storage.control,
    storage: () => storage,
  };
}

/** The time this many seconds before the failure. */
export function before(seconds: number): string {
  return new Date(failedAt - seconds * 1_000).toISOString();
}

/** Heartbeats of a process, one a minute over the minutes before the failure. */
export function heartbeats(minutes: number, kept: Kept = {}, vitals: (minute: number) => object = () => ({})): Kept[] {
  return Array.from({ length: minutes }, (_, minute) => ({
    ...{ secondsBefore: (minutes - minute) * 60 - 30, ...kept },
    event: { type: "heartbeat", level: "info", message: "", attributes: { ...vitals(minute) } },
  }));
}

function stored(scopeId: string, { secondsBefore = 0, event, host = "host-1", ...rest }: Kept): StoredEvent {
  const timestamp = before(secondsBefore);
  return {
    ...{ scopeId, service: "orders", env: "PROD", release: "1.4.2", instance: "instance-1", fingerprint: "" },
    host: { name: host, pid: 1, runtime: { name: "node", version: "22.0.0" }, os: "linux", arch: "x64" },
    sdk: { name: "@whence/node", version: "0.0.0" },
    receivedAt: timestamp,
    ...rest,
    event: {
      ...{ id: randomUUID(), seq: 1, type: "exception", timestamp, level: "error" },
      ...{ message: "TypeError: order is undefined", mechanism: { type: "express", handled: true } },
      ...event,
    },
  };
}
