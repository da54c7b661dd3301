import { type NotificationRule, openedLifecycle, type Trigger } from "@whence/protocol";
import type { StoredIncident } from "@whence/storage";
import { ruleOf } from "@whence/vendors/testing/notifications/samples";
import { describe, expect, it } from "vitest";
import { matchRule } from "../../src/notifications/match-rule.ts";
import { reportWith } from "../ended-report.ts";

const trigger: Trigger = { kind: "event", event_id: "evt_1", mechanism: "uncaught", handled: false };

const now = new Date("2026-03-01T12:00:00.000Z");
const incidentOf = (changes: Partial<StoredIncident> = {}): StoredIncident => ({
  ...{ id: "inc_1", organization_id: "org_1", status: "completed", title: "boom", severity: "medium", trigger },
  ...{ service: "checkout", env: "PROD", fingerprint: "v1:1", created_at: "", started_at: null, completed_at: null },
  decision: { outcome: "opened", rule: "new-failure", reason: "never seen before" },
  lifecycle: openedLifecycle(now.toISOString()),
  owner: null,
  acknowledged: null,
  ...changes,
});
type Kind = Parameters<typeof matchRule>[2];
const matched = (kind: Kind, rule: Partial<NotificationRule>, incident: Partial<StoredIncident> = {}) =>
  matchRule(ruleOf(rule), incidentOf(incident), kind, now);
const match = (rule: Partial<NotificationRule>, incident: Partial<StoredIncident> = {}) =>
  matched("completed", rule, incident)?.type ?? null;
const sure = (score: number): Partial<StoredIncident> => ({
  report: reportWith({ confidence: { score, basis: "" } }),
});

describe("a rule", () => {
  it("announces nothing about an incident that people silenced, until it is back", () => {
    const open = openedLifecycle(now.toISOString());
    for (const state of ["muted", "ignored", "resolved"] as const) {
      const lifecycle = { ...open, state };
      expect(matched("completed", {}, { lifecycle })).toBeNull();
      expect(matched("opened", { events: ["opened"] }, { lifecycle })).toBeNull();
    }
    const passed = { kind: "time", at: now.toISOString() } as const;
    expect(match({}, { lifecycle: { ...open, state: "muted", mute: passed } })).toBe("completed");
    expect(matched("returned", { events: ["opened"] })?.type).toBe("returned");
    expect(matched("returned", { events: ["completed"] })?.type).toBe("returned");
    expect(matched("returned", { events: ["failed"] })).toBeNull();
    expect(matched("returned", { events: ["returned"], min_confidence: 0.9 }, sure(0.5))).toBeNull();
  });

  it("matches its events while it is on", () => {
    expect(match({})).toBe("completed");
    expect(match({ enabled: false })).toBeNull();
    expect(match({ events: ["opened", "failed"] })).toBeNull();
  });

  it.each([
    ["low", "medium"],
    ["medium", "medium"],
  ] as const)("for %s and worse wants a %s one", (min_severity, severity) => {
    expect(match({ min_severity }, { severity })).toBe("completed");
  });

  it("for high severity doesn't match medium", () => {
    expect(match({ min_severity: "high" })).toBeNull();
  });

  it("matches any service, environment and trigger unless it names some", () => {
    expect(match({ services: ["cart", "checkout"], envs: ["PROD"], triggers: ["event"] })).toBe("completed");
    expect(match({ services: ["cart"] })).toBeNull();
    expect(match({ envs: ["STAGING"] })).toBeNull();
    expect(match({ triggers: ["process-exit", "analyze"] })).toBeNull();
    expect(match({ services: ["checkout"] }, { service: null })).toBeNull();
    expect(match({}, { service: null, env: null })).toBe("completed");
  });

  it.each([
    ["regressed-after-quiet", ["opened", "returned"], "returned"],
    ["regressed-in-release", ["returned"], "returned"],
    ["regressed-in-release", ["opened"], "opened"],
    ["spike", ["returned"], null],
    ["new-failure", ["opened", "returned"], "opened"],
  ] as const)("of an incident that opened as %s, wanting %s, tells %s", (opening, events, told) => {
    const decision = { outcome: "opened", rule: opening, reason: "" } as const;
    expect(matched("opened", { events: [...events] }, { decision })?.type ?? null).toBe(told);
  });
});

describe("a rule with a minimum confidence", () => {
  it("matches a report that reaches it, and no other", () => {
    expect(match({ min_confidence: 0.8 }, sure(0.8))).toBe("completed");
    expect(match({ min_confidence: 0.8 }, sure(0.799))).toBeNull();
    expect(match({ min_confidence: 0.8 })).toBeNull();
    expect(match({ min_confidence: 1 }, sure(1))).toBe("completed");
    expect(match({}, sure(0))).toBe("completed");
  });

  it("announces an opening when the report reaches it", () => {
    const rule = { events: ["opened" as const], min_confidence: 0.8 };
    expect(matched("opened", rule)).toBeNull();
    expect(match(rule, sure(0.9))).toBe("completed");
    expect(match({ ...rule, events: ["returned"] }, sure(0.9))).toBeNull();
  });

  it("announces a failed investigation only when asked to", () => {
    expect(matched("failed", { events: ["failed"], min_confidence: 0.8 })?.type).toBe("failed");
    expect(matched("failed", { events: ["opened", "completed"], min_confidence: 0.8 })).toBeNull();
  });
});

describe("a channel whose messages can't be updated", () => {
  const rule = { events: ["opened" as const, "completed" as const] };

  it("gets the report instead of the opening when the rule has both", () => {
    expect(matched("opened", rule)).toEqual({ type: "opened", without: ["slack", "teams"] });
    expect(matched("completed", rule)).toEqual({ type: "completed", without: [] });
    expect(matched("opened", { events: ["opened"] })).toEqual({ type: "opened", without: [] });
  });

  it("gets the failure of the investigation when there will be no report", () => {
    expect(matched("failed", rule)).toEqual({
      type: "failed",
      without: ["email", "webhook", "pagerduty", "opsgenie"],
    });
    expect(matched("failed", { events: ["completed"] })).toBeNull();
    expect(matched("failed", { events: ["opened"] })).toBeNull();
  });
});
