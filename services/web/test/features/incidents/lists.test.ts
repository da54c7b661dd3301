import { type IncidentSummary, openedLifecycle } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { everyMinute } from "../../../src/features/incidents/every-minute.ts";
import { incidentFilterSchema } from "../../../src/features/incidents/incident-filter.ts";
import { mergeHead } from "../../../src/features/incidents/merge-head.ts";

const incident = (id: string, title = id): IncidentSummary => ({
  id,
  title,
  organization_id: "org_1",
  status: "completed",
  lifecycle: openedLifecycle("2026-03-01T12:00:00.000Z"),
  owner: null,
  acknowledged: null,
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

  it("is in the order of its sort, in which a changed one moves", () => {
    const seen = (id: string, events: number) => ({ ...incident(id), occurrences: { events, last_seen: "" } });
    const merged = mergeHead([seen("inc_1", 9), seen("inc_2", 5), incident("inc_3")], [seen("inc_2", 10)], "events");
    expect(merged.map(({ id }) => id)).toEqual(["inc_2", "inc_1", "inc_3"]);
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
