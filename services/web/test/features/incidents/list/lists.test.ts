import { type IncidentSummary, openedLifecycle } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { everyMinute } from "../../../../src/features/incidents/course/every-minute.ts";
import { incidentFilterSchema } from "../../../../src/features/incidents/list/incident-filter.ts";
import { mergeHead, withHead } from "../../../../src/features/incidents/list/merge-head.ts";

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

const read = (readAt: number, ...incidents: readonly IncidentSummary[]) => ({ incidents, readAt });
const counted = (id: string, events: number) => ({ ...incident(id), occurrences: { events, last_seen: "" } });
const listed = (incidents: readonly IncidentSummary[]) =>
  incidents.map(({ id, occurrences }) => `${id} ${occurrences?.events}`);

describe("a live list", () => {
  it("has new incidents on top, and changed ones in place", () => {
    const pages = [read(1, incident("inc_2"), incident("inc_1"))];
    const merged = mergeHead(pages, withHead({}, read(2, incident("inc_3"), incident("inc_2", "changed"))));
    expect(merged.map(({ id, title }) => [id, title])).toEqual([
      ["inc_3", "inc_3"],
      ["inc_2", "changed"],
      ["inc_1", "inc_1"],
    ]);
  });

  it("is in the order of its sort, in which a changed one moves", () => {
    const pages = [read(1, counted("inc_1", 9), counted("inc_2", 5), incident("inc_3"))];
    const merged = mergeHead(pages, withHead({}, read(2, counted("inc_2", 10))), "events");
    expect(merged.map(({ id }) => id)).toEqual(["inc_2", "inc_1", "inc_3"]);
  });

  it("keeps an incident from beyond its pages that other ones pass in the head", () => {
    const pages = [read(1, counted("inc_2", 9), counted("inc_3", 8))];
    const seen = withHead(withHead({}, read(2, counted("inc_1", 10))), read(3, counted("inc_4", 11)));
    expect(listed(mergeHead(pages, seen, "events"))).toEqual(["inc_4 11", "inc_1 10", "inc_2 9", "inc_3 8"]);
  });

  it("keeps what a head showed of an incident of its pages that left the head", () => {
    const pages = [read(1, counted("inc_2", 9), counted("inc_1", 5))];
    const seen = withHead(withHead({}, read(2, counted("inc_1", 10))), read(3, counted("inc_2", 11)));
    expect(listed(mergeHead(pages, seen, "events"))).toEqual(["inc_2 11", "inc_1 10"]);
  });

  it("has an incident once that fell onto a later page, as that page has it", () => {
    const sure = (id: string, confidence: number) => ({ ...incident(id), confidence });
    const pages = [read(1, sure("inc_1", 0.9), sure("inc_2", 0.8)), read(3, sure("inc_3", 0.5), sure("inc_1", 0.4))];
    for (const seen of [{}, withHead({}, read(2, sure("inc_1", 0.9)))]) {
      const merged = mergeHead(pages, seen, "confidence");
      expect(merged.map(({ id, confidence }) => [id, confidence])).toEqual([
        ["inc_2", 0.8],
        ["inc_3", 0.5],
        ["inc_1", 0.4],
      ]);
    }
  });

  it("drops what a head showed before all pages were read again without it", () => {
    const seen = withHead({}, read(1, counted("inc_1", 1), counted("inc_2", 2)));
    expect(listed(mergeHead([read(1, counted("inc_2", 2))], seen, "events"))).toEqual(["inc_2 2", "inc_1 1"]);
    expect(listed(mergeHead([read(2, counted("inc_2", 3))], seen, "events"))).toEqual(["inc_2 3"]);
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
