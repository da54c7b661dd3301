import { randomUUID } from "node:crypto";
import type { TelemetryEvent } from "@whence/protocol";
import type { StoredEvent, StoredLosses } from "../src/index.ts";

type Overrides = Partial<Omit<StoredEvent, "event">> & { readonly event?: Partial<TelemetryEvent> };

/** An event as the writer would store it, with whatever a test cares about replaced. */
export function stored({ event, ...rest }: Overrides): StoredEvent {
  return {
    scopeId: "org_none",
    service: "shop",
    env: "PROD",
    release: "1.0",
    instance: "instance-1",
    fingerprint: "",
    host: { name: "host-1", pid: 7, runtime: { name: "node", version: "26.1.0" }, os: "linux", arch: "x64" },
    sdk: { name: "whence-node", version: "0.1.0" },
    receivedAt: "2026-03-01T12:00:00.500Z",
    ...rest,
    event: {
      id: randomUUID(),
      seq: 1,
      type: "exception",
      timestamp: "2026-03-01T12:00:00.000Z",
      level: "error",
      message: "boom",
      mechanism: { type: "uncaughtException", handled: false },
      ...event,
    },
  };
}

/** Losses without an event, of the same process. */
export function storedLosses(losses: Partial<StoredLosses> & Pick<StoredLosses, "dropped">): StoredLosses {
  const { event: _, fingerprint: __, ...rest } = stored({});
  return { ...rest, ...losses };
}
