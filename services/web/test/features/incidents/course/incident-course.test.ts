import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { Incident } from "@whence/protocol";
import { createElement } from "react";
import { describe, expect, it } from "vitest";
import { IncidentCourse } from "../../../../src/features/incidents/course/incident-course.tsx";
import { noon, sampleIncident, sampleReport } from "../../../samples.ts";
import { shownText } from "../../../shown-text.ts";

const joined = {
  ...{ fingerprint: "v1:1", service: "payments", title: "Error: refused", rule: "same-trace", reason: "same trace" },
  ...{ event_id: "e", events: 1, first_seen: noon, last_seen: noon, joined_at: noon },
};
const alert = {
  ...{ title: "High failure rate", url: null, runbook_url: "https://wiki.example.com/rates", source: "Grafana" },
  ...{ source_kind: "alert-source" as const, fired_at: noon, resolved_at: null },
};
const links = { alerts: [alert], conversations: [], code: [], code_hosts: [] };
const shown = (changes: Partial<Incident>, known: typeof links | undefined = links) => {
  const viewer = { userId: "user_ada", organizationId: null };
  const course = createElement(IncidentCourse, { incident: sampleIncident(changes), links: known, viewer });
  return shownText(createElement(QueryClientProvider, { client: new QueryClient() }, course));
};

describe("the course of an incident", () => {
  it.each(["queued", "investigating", "failed"] as const)("has its alerts and joined failures while %s", (status) => {
    const text = shown({ status, joined_failures: [joined] });
    expect(text).toContain("Alert High failure rate");
    expect(text).toContain("Joined failures 1 failure Error: refused");
    expect(text).not.toContain("How it happened");
  });

  it("has the runbook of an alert that joined it, once", () => {
    const text = shown({}, { ...links, alerts: [alert, { ...alert, title: "Still failing" }] });
    expect(text.match(/Runbook https:\/\/wiki\.example\.com\/rates/g)).toHaveLength(1);
  });

  it("has how it happened once a report says so", () => {
    expect(shown({ report: sampleReport({ root_cause_summary: "" }) })).toMatch(/^How it happened/);
  });

  it("is nothing as long as nothing is known", () => {
    expect(shown({}, { alerts: [], conversations: [], code: [], code_hosts: [] })).toBe("");
  });
});
