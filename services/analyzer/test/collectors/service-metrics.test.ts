import { randomUUID } from "node:crypto";
import { eventSubject, exception, investigated, reportedEvent } from "@whence/engine/testing";
import type { Report } from "@whence/protocol";
import type { StoredMeasure } from "@whence/storage";
import { describe, expect, it } from "vitest";
import { telemetryCollectors } from "../../src/collectors/index.ts";
import { said } from "./failing-orders.ts";
import { keptTelemetry } from "./kept-telemetry.ts";

const { storage } = keptTelemetry();
/** Measures are kept for days, so these are of now. */
const failedAt = Date.now();
const ago = (minutes: number): string => new Date(failedAt - minutes * 60_000).toISOString();

const timedOut = exception("TimeoutError", "timed out waiting for an answer", []);

/** The report on a failure of `orders`, with what metrics counted so many minutes before. */
async function reported(...measures: readonly (Partial<StoredMeasure> & { ago: number })[]): Promise<Report> {
  const scopeId = `org_${randomUUID()}`;
  await storage().events.insertMeasures(
    measures.map(({ ago: minutes, ...measure }) => ({
      ...{ scopeId, service: "orders", env: "PROD", release: "1.4.2", instance: "instance-1", host: "host-1" },
      ...{ kind: "route", name: "GET /orders", series: "1", failed: false, counting: "delta", since: null, value: 0 },
      ...{ at: ago(minutes), receivedAt: ago(minutes), ...measure },
    })),
  );
  const event = { ...reportedEvent({ exceptions: [timedOut] }), timestamp: ago(0) };
  return (await investigated(eventSubject(event), telemetryCollectors(storage().events.forScope(scopeId)))).report;
}

describe("routes in metrics", () => {
  const failed = { series: "2", failed: true };

  it("are evidence when they fail more often than before", async () => {
    const report = await reported({ ago: 30, value: 400 }, { ago: 2, value: 72 }, { ago: 2, value: 8, ...failed });
    expect(said(report)).toContain(
      "`orders` failed 8 of 80 requests to `GET /orders` in the five minutes before the failure, and 0 of 400 in the rest of the hour",
    );
  });

  it("aren't mentioned with fewer than five failures, a small share, or the usual one", async () => {
    const rest = [
      { ago: 30, value: 97 },
      { ago: 30, value: 3, ...failed },
    ] as const;
    const mentions = async (ok: number, bad: number) =>
      said(await reported(...rest, { ago: 2, value: ok }, { ago: 2, value: bad, ...failed })).includes("GET /orders");
    expect(await mentions(6, 4)).toBe(false);
    expect(await mentions(6, 5)).toBe(true);
    expect(await mentions(92, 8)).toBe(false);
    expect(await mentions(91, 9)).toBe(true);
  });
});

describe("queues in metrics", () => {
  const queue = (minutes: number, value: number) =>
    ({ ago: minutes, value, kind: "queue", name: "payments", counting: "gauge" }) as const;

  it("are evidence with three times as many messages as usual, and ten at least", async () => {
    const before = [queue(30, 4), queue(20, 4), queue(10, 5)];
    expect(said(await reported(...before, queue(2, 12)))).toContain(
      "12 messages were waiting in the queue `payments` of `orders`, and usually 4",
    );
    expect(said(await reported(...before, queue(2, 11)))).not.toContain("payments");
    expect(said(await reported(queue(30, 0), queue(2, 9)))).not.toContain("payments");
    expect(said(await reported(queue(30, 0), queue(2, 10)))).toContain("payments");
  });
});

describe("restarts in metrics", () => {
  it("are evidence when the platform counted more of them within the hour", async () => {
    const restarts = (minutes: number, value: number) =>
      ({ ago: minutes, value, kind: "restarts", name: "", counting: "total" }) as const;
    expect(said(await reported(restarts(40, 3), restarts(20, 4), restarts(3, 6)))).toContain(
      "containers of `orders` restarted 3 times in the hour before the failure",
    );
    expect(said(await reported(restarts(40, 3), restarts(3, 3)))).not.toContain("restarted");
  });
});
