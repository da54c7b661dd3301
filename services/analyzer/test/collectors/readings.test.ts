import { randomUUID } from "node:crypto";
import { eventSubject, exception, investigated, reportedEvent } from "@whence/engine/testing";
import type { Report } from "@whence/protocol";
import type { StoredReading } from "@whence/storage";
import { describe, expect, it } from "vitest";
import { telemetryCollectors } from "../../src/collectors/index.ts";
import { exceptions, said } from "./failing-orders.ts";
import { keptTelemetry } from "./kept-telemetry.ts";

const { storage } = keptTelemetry();
/** Readings are kept for days, so these are of now. */
const failedAt = Date.now();
const ago = (minutes: number): string => new Date(failedAt - minutes * 60_000).toISOString();

const timedOut = exception("TimeoutError", "timed out waiting for a connection", []);
const undefinedRead = exception("TypeError", "Cannot read properties of undefined (reading 'total')", []);
const readInCode = exceptions[0] ?? undefinedRead;

/** The report on a failure of `orders`, whose process exported these, each a minute after the one before. */
async function reported(states: readonly Partial<StoredReading>[], error = timedOut): Promise<Report> {
  const scopeId = `org_${randomUUID()}`;
  await storage().events.insertReadings(
    states.map((state, index) => ({
      ...{ scopeId, service: "orders", env: "PROD", release: "1.4.2", instance: "instance-1", host: "host-1" },
      ...{ runtime: "java 25", rssBytes: 0, heapUsedBytes: 0, heapLimitBytes: 0, eventLoopDelayMs: 0 },
      ...{ cpu: 0, pool: null, ...state },
      ...{ at: ago(states.length - index - 0.5), receivedAt: ago(states.length - index - 0.5) },
    })),
  );
  const event = { ...reportedEvent({ exceptions: [error] }), timestamp: ago(0) };
  return (await investigated(eventSubject(event), telemetryCollectors(storage().events.forScope(scopeId)))).report;
}

describe("the metrics of the process that failed", () => {
  const pool = (used: number, waiting: number) => ({ pool: { name: "orders-db", used, max: 10, waiting } });

  it("show a full pool of connections as the cause of a timeout, with how many requests waited", async () => {
    const report = await reported([pool(2, 0), pool(10, 4)]);
    expect(said(report)).toContain(
      "the connection pool `orders-db` of `orders` on `host-1` had 10 of 10 connections in use, and 4 requests were waiting",
    );
    expect(report.root_cause).toMatchObject({ service: "orders", category: "resource-exhaustion" });
  });

  it("don't mention a pool with a free connection for which nothing waits", async () => {
    expect(said(await reported([pool(9, 0)]))).not.toContain("orders-db");
  });

  it("don't make a full pool the cause of an error in the code", async () => {
    for (const error of [undefinedRead, readInCode]) {
      const report = await reported([pool(10, 4)], error);
      expect(report.root_cause?.category).toBe("null-dereference");
    }
  });

  it("show processors at their limit, and how busy they usually are", async () => {
    const report = await reported([{ cpu: 0.2 }, { cpu: 0.3 }, { cpu: 0.9 }]);
    expect(said(report)).toContain("`orders` on `host-1` used 90% of its processors, and usually 30%");
    expect(said(await reported([{ cpu: 0.2 }, { cpu: 0.3 }, { cpu: 0.89 }]))).not.toContain("processors");
  });
});
