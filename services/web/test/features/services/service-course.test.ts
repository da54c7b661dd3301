import { describe, expect, it } from "vitest";
import {
  delayText,
  memoryText,
  sayCounts,
  sayMeasured,
  serviceSeries,
  stepText,
} from "../../../src/features/services/service-course.ts";
import { offeredSpans } from "../../../src/features/services/service-view.ts";

const noon = "2026-03-02T12:00:00.000Z";
const step = {
  ...{ at: noon, failures: 3, requests: 200, failed_requests: 5, processes: 2 },
  ...{ memory_bytes: 400_000_000, event_loop_delay_ms: 12 },
};
const span = { from: "2026-03-02T11:50:00.000Z", to: "2026-03-02T12:20:00.000Z", step_seconds: 600 };
const clock = (at: number): string => new Date(at).toISOString().slice(11, 16);

describe("the course of a service", () => {
  it("has a value for every step, and a gap where a figure isn't reported", () => {
    const series = serviceSeries({ ...span, course: [step] });
    expect(series.failures.times).toHaveLength(3);
    expect(series.failures.values).toEqual([0, 3, 0]);
    expect(series.requests?.values).toEqual([0, 200, 0]);
    expect(series.failedPercent?.values).toEqual([null, 2.5, null]);
    expect(series.memory?.values).toEqual([null, 400_000_000, null]);
    expect(series.loopDelay?.values).toEqual([null, 12, null]);
  });

  it("has no share of requests in a step without any", () => {
    const idle = { ...step, requests: 0, failed_requests: 0 };
    expect(serviceSeries({ ...span, course: [idle] }).failedPercent?.values).toEqual([null, null, null]);
  });

  it("leaves out what no process reports", () => {
    const silent = { requests: null, failed_requests: null, memory_bytes: null, event_loop_delay_ms: 0 };
    const series = serviceSeries({ ...span, course: [{ ...step, ...silent }] });
    expect(series).toMatchObject({ requests: null, failedPercent: null, memory: null, loopDelay: null });
  });

  it("is said in words", () => {
    const { failures, memory } = serviceSeries({ ...span, course: [step] });
    expect(sayCounts("failing events", failures, clock)).toBe("3 failing events, most from 12:00: 3");
    expect(sayCounts("failing events", { times: [0], values: [0] }, clock)).toBe("No failing events");
    const said = memory && sayMeasured(memory, memoryText, clock);
    expect(said).toBe("400 MB at the end, at most 400 MB from 12:00");
  });
});

describe("the figures of a service", () => {
  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [412_000_000, "412 MB"],
    [1_640_000_000, "1.6 GB"],
  ])("say %i bytes as %s", (bytes, text) => {
    expect(memoryText(bytes)).toBe(text);
  });

  it.each([
    [0.4, "0.4 ms"],
    [999, "999 ms"],
    [1_000, "1 s"],
    [1_440, "1.4 s"],
  ])("say %d ms as %s", (ms, text) => {
    expect(delayText(ms)).toBe(text);
  });

  it.each([
    [60, "minute"],
    [600, "10 minutes"],
    [3_600, "hour"],
    [14_400, "4 hours"],
  ])("say a step of %i seconds as %s", (seconds, text) => {
    expect(stepText(seconds)).toBe(text);
  });

  it("are offered for the spans that differ with what is kept", () => {
    expect(offeredSpans(30)).toEqual(["1h", "24h", "7d", "30d"]);
    expect(offeredSpans(7)).toEqual(["1h", "24h", "7d"]);
    expect(offeredSpans(1)).toEqual(["1h", "24h"]);
  });
});
