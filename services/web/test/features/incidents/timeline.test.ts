import { hourMs, type IncidentTelemetry, minuteMs, secondMs } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import {
  axisPosition,
  axisWindows,
  distanceText,
  entriesWithin,
  usedLanes,
  usualWindowMs,
} from "../../../src/features/incidents/timeline-axis.ts";
import { timelineCenter } from "../../../src/features/incidents/timeline-center.ts";
import { type Happening, lanes, timelineEntries } from "../../../src/features/incidents/timeline-entries.ts";
import { noon, sampleEvidence, sampleIncident, sampleReport } from "../../samples.ts";

const noonMs = Date.parse(noon);
const at = (ms: number) => new Date(noonMs + ms).toISOString();
const happening = (ms: number, kind: Happening["kind"], evidenceId: string | null = null): Happening => ({
  at: at(ms),
  kind,
  text: kind,
  evidenceId,
});
const center = { at: noonMs, name: "error" } as const;

const telemetryOf = (timeline: IncidentTelemetry["timeline"]): IncidentTelemetry => ({
  from: at(0),
  to: at(minuteMs),
  minutes: [],
  routes: [],
  hosts: [],
  releases: [],
  failing_event: null,
  timeline,
});

describe("what happened", () => {
  const report = sampleReport({
    timeline: [
      { at: at(2_000), what: "It failed", evidence_id: "e1" },
      { at: at(1_000), what: "GET /stock", evidence_id: "e2" },
      { at: at(3_000), what: "Someone noticed", evidence_id: "e3" },
    ],
    evidence: [
      sampleEvidence({ id: "e1", source: { kind: "exception", name: "event" } }),
      sampleEvidence({ id: "e2", source: { kind: "breadcrumb", name: "event" } }),
      sampleEvidence({ id: "e3", source: { kind: "integration", name: "pager" } }),
    ],
  });

  it("is what the report cites, in time order, each with the kind of its evidence", () => {
    expect(timelineEntries(report, undefined).map(({ kind, evidenceId }) => [kind, evidenceId])).toEqual([
      ["breadcrumb", "e2"],
      ["error", "e1"],
      ["other", "e3"],
    ]);
  });

  it("is listed once where the report and telemetry have it, with its evidence", () => {
    const telemetry = telemetryOf([
      { at: at(2_000), kind: "error", text: "TypeError", instance: "i" },
      { at: at(2_000), kind: "deploy", text: "1.1.0", instance: null },
    ]);
    const seen = timelineEntries(report, telemetry);
    expect(seen.filter(({ kind }) => kind === "error")).toEqual([
      { at: at(2_000), kind: "error", text: "It failed", evidenceId: "e1" },
    ]);
    expect(seen).toContainEqual({ at: at(2_000), kind: "deploy", text: "1.1.0", evidenceId: null });
  });

  it("is empty without a report and telemetry", () => {
    expect(timelineEntries(undefined, undefined)).toEqual([]);
  });
});

describe("the center of the timeline", () => {
  const incident = sampleIncident({ created_at: at(minuteMs) });

  it("is the first error that the report cites, before one that it doesn't", () => {
    const entries = [happening(1_000, "error"), happening(2_000, "error", "e1")];
    expect(timelineCenter(entries, incident)).toEqual({ at: noonMs + 2_000, name: "error" });
    expect(timelineCenter(entries.slice(0, 1), incident)).toEqual({ at: noonMs + 1_000, name: "error" });
  });

  it("is when the incident opened if there is no error", () => {
    expect(timelineCenter([happening(0, "deploy")], incident)).toEqual({ at: noonMs + minuteMs, name: "error" });
  });

  it("is the last heartbeat of a process that stopped reporting, according to the report", () => {
    const impact = { ...sampleReport().impact, last_seen: at(5_000) };
    const ended = sampleIncident({
      trigger: { kind: "process-exit", exit: "killed", instances: ["i"] },
      report: sampleReport({ impact }),
    });
    expect(timelineCenter([], ended)).toEqual({ at: noonMs + 5_000, name: "last heartbeat" });
  });
});

describe("the axis of the timeline", () => {
  it("spans 20 seconds around an error, and ten minutes around a heartbeat", () => {
    expect(usualWindowMs(center)).toBe(20 * secondMs);
    expect(usualWindowMs({ at: noonMs, name: "last heartbeat" })).toBe(10 * minuteMs);
    expect(axisWindows.map(({ ms }) => ms)).toEqual([20 * secondMs, 10 * minuteMs, 120 * minuteMs]);
  });

  it("contains what happened within its span, both ends included", () => {
    const entries = [-10_001, -10_000, 0, 10_000, 10_001].map((ms) => happening(ms, "error"));
    expect(entriesWithin(entries, center, 20_000).map((entry) => entry.at)).toEqual([-10_000, 0, 10_000].map(at));
  });

  it("has a row for each kind that occurs, in the order of all kinds", () => {
    const entries = [happening(0, "other"), happening(0, "error"), happening(0, "breadcrumb"), happening(1, "error")];
    expect(usedLanes(entries)).toEqual(["breadcrumb", "error", "other"]);
    expect(usedLanes([])).toEqual([]);
    expect(usedLanes(lanes.map((lane) => happening(0, lane)))).toEqual(lanes);
  });

  it("has its center in the middle, and its ends at the sides", () => {
    expect([-10_000, -5_000, 0, 10_000].map((ms) => axisPosition(noonMs + ms, center, 20_000))).toEqual([
      0, 25, 50, 100,
    ]);
  });

  it("says how far a tick is from the center, with a sign", () => {
    expect([-5_000, 5_000, -60_000, hourMs].map(distanceText)).toEqual(["−5 s", "+5 s", "−1 min", "+1 h"]);
  });
});
