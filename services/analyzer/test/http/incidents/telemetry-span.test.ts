import { hourMs, minuteMs } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { telemetrySpan } from "../../../src/http/incidents/telemetry-span.ts";

const opened = Date.parse("2026-03-01T12:00:00.000Z");
const after = (ms: number) => new Date(opened + ms).toISOString();
const span = (lastSeenMs: number | null, nowMs: number) =>
  telemetrySpan(
    {
      created_at: after(0),
      ...(lastSeenMs !== null && { occurrences: { events: 9, last_seen: after(lastSeenMs) } }),
    },
    opened + nowMs,
  );

describe("the span of an incident's telemetry", () => {
  it("begins an hour before the incident opened, and lasts until now", () => {
    expect(span(null, 10 * minuteMs)).toEqual({ from: after(-hourMs), to: after(10 * minuteMs) });
    expect(span(null, 0)).toEqual({ from: after(-hourMs), to: after(minuteMs) });
  });

  it("ends an hour after the last event, while the failure may go on", () => {
    expect(span(null, 5 * hourMs).to).toBe(after(hourMs));
    expect(span(3 * hourMs, 3 * hourMs + minuteMs).to).toBe(after(3 * hourMs + minuteMs));
    expect(span(3 * hourMs, 9 * hourMs).to).toBe(after(4 * hourMs));
    expect(span(-hourMs, 5 * hourMs).to).toBe(after(hourMs));
  });

  it("is a day at most, the latest one", () => {
    expect(span(23 * hourMs, 23 * hourMs)).toEqual({ from: after(-hourMs), to: after(23 * hourMs) });
    expect(span(72 * hourMs, 72 * hourMs)).toEqual({ from: after(48 * hourMs), to: after(72 * hourMs) });
  });
});
