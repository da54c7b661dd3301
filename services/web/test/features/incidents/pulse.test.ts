import { type IncidentTelemetry, minuteMs } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { chartMarkers } from "../../../src/features/incidents/course/chart-markers.ts";
import { isGoingOn, pulseOf } from "../../../src/features/incidents/pulse.ts";
import { noon, sampleEvidence, sampleIncident, sampleReport } from "../../samples.ts";

const now = Date.parse(noon);
const at = (minutes: number) => new Date(now + minutes * minuteMs).toISOString();
const counted = (lastSeen: string, events = 9) => ({ occurrences: { events, last_seen: lastSeen } });
const during = (counts: Readonly<Record<number, number>>, to = at(0)) => ({
  minutes: Object.entries(counts).map(([minute, events]) => ({ minute: at(Number(minute)), events })),
  to,
});

describe("the pulse of a failure", () => {
  it("doesn't exist for a text that was sent", () => {
    expect(pulseOf({}, undefined, now)).toBeNull();
    expect(pulseOf({ report: sampleReport() }, undefined, now)).toBeNull();
  });

  it("continues until the failure was quiet for a quarter of an hour", () => {
    expect(pulseOf(counted(at(-14)), undefined, now)).toMatchObject({ events: 9, isHappening: true });
    expect(pulseOf(counted(at(-15)), undefined, now)).toMatchObject({ isHappening: false });
  });

  it("is polled while it continues", () => {
    expect(isGoingOn(during({ [-40]: 9, [-14]: 1 }), now)).toBe(true);
    expect(isGoingOn(during({ [-40]: 9, [-15]: 1 }), now)).toBe(false);
    expect(isGoingOn(during({}), now)).toBe(false);
  });

  it("rises, falls, or stays, compared with the quarter of an hour before", () => {
    const trend = (counts: Readonly<Record<number, number>>, to?: string) =>
      pulseOf(counted(at(0)), during(counts, to), now)?.trend;
    expect(trend({ [-20]: 4, [-5]: 6 })).toBe("rising");
    expect(trend({ [-20]: 6, [-5]: 4 })).toBe("falling");
    expect(trend({ [-20]: 5, [-5]: 5 })).toBe("steady");
    expect(trend({ [-5]: 4 })).toBeNull();
    expect(trend({ [-5]: 50 }, at(-10))).toBeNull();
  });
});

describe("the marks in the chart", () => {
  const { trigger } = sampleIncident();
  const span = (timeline: IncidentTelemetry["timeline"] = []) => ({ from: at(-60), to: at(60), timeline });
  const deploy = (minutes: number) => ({
    ...{ at: at(minutes), kind: "deploy" as const, text: "release `2` went live", instance: null },
  });

  it("are the deploys, flags, and alerts in its span, the earliest first", () => {
    const flag = { kind: "change-event", what: "feature-flag", title: "checkout", target: null, at: at(-2) };
    const evidence = sampleEvidence({
      source: { kind: "integration", name: "Vercel" },
      excerpt: JSON.stringify({ ...flag, by: null, failed: null }),
    });
    const alerts = [{ title: "High failure rate", fired_at: at(1) }];
    const report = sampleReport({ evidence: [evidence] });
    expect(chartMarkers({ report, trigger }, span([deploy(-5), deploy(-90)]), alerts)).toEqual([
      { at: Date.parse(at(-5)), kind: "deploy", text: "release 2 went live" },
      { at: Date.parse(at(-2)), kind: "flag", text: "checkout" },
      { at: Date.parse(at(1)), kind: "alert", text: "High failure rate" },
    ]);
  });

  const origin = { what: "", service: "payments", release: "2.0.0", at: at(-5), evidence_ids: ["e7"] };
  const release = sampleEvidence({
    ...{ id: "e7", source: { kind: "telemetry", name: "releases" } },
    excerpt: JSON.stringify({ service: "payments", release: "2.0.0", previous: "1.0.0" }),
  });

  it("have the release that the chain begins with, and each time once", () => {
    const report = sampleReport({ chain: [origin], evidence: [release] });
    expect(chartMarkers({ report, trigger }, span(), [])).toMatchObject([{ kind: "deploy", text: "payments 2.0.0" }]);
    expect(chartMarkers({ report, trigger }, span([deploy(-5)]), [])).toHaveLength(1);
  });

  it("have no release for code that has always been so", () => {
    const report = sampleReport({ chain: [{ ...origin, evidence_ids: [] }], evidence: [release] });
    expect(chartMarkers({ report, trigger }, span(), [])).toEqual([]);
  });
});
