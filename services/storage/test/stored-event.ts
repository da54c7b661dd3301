import { randomUUID } from "node:crypto";
import type { TelemetryEvent } from "@whence/protocol";
import type { StoredEvent, StoredLosses, StoredSpan } from "../src/index.ts";

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

/** A span as the writer would store it: a call over HTTP that was answered, with whatever a test cares about replaced. */
export function storedSpan(span: Partial<StoredSpan>): StoredSpan {
  return {
    ...{ scopeId: "org_none", service: "shop", env: "PROD", release: "1.0", instance: "instance-1", host: "host-1" },
    ...{ traceId: "5b8efff798038103d269b633813fc60c", spanId: "eee19b7ec3c1b174", parentId: "", kind: "client" },
    ...{ at: "2026-03-01T12:00:00.000Z", durationMs: 12.5, name: "GET", category: "http", method: "GET" },
    ...{ target: "http://prices:8080/v2/31", peer: "prices:8080", statusCode: 200, error: null, weight: 1 },
    ...{ receivedAt: "2026-03-01T12:00:00.500Z" },
    ...span,
  };
}
