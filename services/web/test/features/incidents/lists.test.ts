import { type IncidentSummary, openedLifecycle } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { everyMinute } from "../../../src/features/incidents/every-minute.ts";
import { incidentFilterSchema } from "../../../src/features/incidents/incident-filter.ts";
import { mergeHead } from "../../../src/features/incidents/merge-head.ts";
import { timelineCenter } from "../../../src/features/incidents/timeline-center.ts";
import { timelineEntries } from "../../../src/features/incidents/timeline-entries.ts";

const incident = (id: string, title = id): IncidentSummary => ({
  id,
  title,
  organization_id: "org_1",
  status: "completed",
  lifecycle: openedLifecycle("2026-03-01T12:00:00.000Z"),
  severity: "medium",
  service: null,
  env: null,
  trigger: { kind: "analyze", agent_id: null, files: 0 },
  fingerprint: null,
  started_at: null,
  completed_at: null,
  decision: { outcome: "opened", reason: "", rule: "" },
  created_at: "2026-03-01T12:00:00.000Z",
  url: "",
  category: null,
  root_cause_summary: null,
  confidence: null,
});

describe("a live list", () => {
  it("has new incidents on top, and changed ones in place", () => {
    const merged = mergeHead([incident("inc_2"), incident("inc_1")], [incident("inc_3"), incident("inc_2", "changed")]);
    expect(merged.map(({ id, title }) => [id, title])).toEqual([
      ["inc_3", "inc_3"],
      ["inc_2", "changed"],
      ["inc_1", "inc_1"],
    ]);
  });
});

describe("a filter in a URL", () => {
  it("is used as far as it is valid", () => {
    expect(incidentFilterSchema.parse({ status: "failed", severity: "huge", span: "1y", service: "" })).toEqual({
      status: "failed",
    });
  });
});

describe("the minutes of a chart", () => {
  it("are complete, including those without events", () => {
    const [from, to] = ["2026-03-01T12:00:00.000Z", "2026-03-01T12:03:00.000Z"];
    expect(everyMinute({ from, to, minutes: [{ minute: "2026-03-01T12:01:00.000Z", events: 4 }] }).counts).toEqual([
      0, 4, 0,
    ]);
  });
});

describe("the timeline", () => {
  it("is what telemetry shows when there is no report, in order", () => {
    const entry = (at: string, kind: "error" | "heartbeat") => ({ at, kind, text: kind, instance: null });
    const telemetry = {
      from: "",
      to: "",
      minutes: [],
      routes: [],
      hosts: [],
      releases: [],
      failing_event: null,
      timeline: [entry("2026-03-01T12:00:01.000Z", "error"), entry("2026-03-01T12:00:00.000Z", "heartbeat")],
    };
    expect(timelineEntries(undefined, telemetry).map(({ kind }) => kind)).toEqual(["heartbeat", "error"]);
  });

  it("is centered on the error or, for processes that stopped, on their last heartbeat", () => {
    const at = (minute: number) => `2026-03-01T12:0${minute}:00.000Z`;
    const opened = {
      created_at: at(5),
      trigger: { kind: "process-exit" as const, exit: "killed" as const, instances: ["i"] },
    };
    const error = { at: at(3), kind: "error", text: "", evidenceId: null } as const;
    expect(timelineCenter([], opened)).toEqual({ at: Date.parse(at(5)), name: "last heartbeat" });
    expect(timelineCenter([error], opened)).toEqual({ at: Date.parse(at(3)), name: "error" });
    const analyzed = { ...opened, trigger: { kind: "analyze", agent_id: null, files: 0 } as const };
    expect(timelineCenter([], analyzed)).toEqual({ at: Date.parse(at(5)), name: "error" });
  });
});
