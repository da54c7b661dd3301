import type { NotificationRule, Trigger } from "@whence/protocol";
import type { StoredIncident } from "@whence/storage";
import { describe, expect, it } from "vitest";
import { matchRule } from "../../src/notifications/match-rule.ts";
import { ruleOf } from "./samples.ts";

const trigger: Trigger = { kind: "event", event_id: "evt_1", mechanism: "uncaught", handled: false };

const incidentOf = (changes: Partial<StoredIncident> = {}): StoredIncident => ({
  ...{ id: "inc_1", organization_id: "org_1", status: "completed", title: "boom", severity: "medium", trigger },
  ...{ service: "checkout", env: "PROD", fingerprint: "v1:1", created_at: "", started_at: null, completed_at: null },
  decision: { outcome: "opened", rule: "new-failure", reason: "never seen before" },
  ...changes,
});
const match = (rule: Partial<NotificationRule>, incident: Partial<StoredIncident> = {}) =>
  matchRule(ruleOf(rule), incidentOf(incident), "completed");

describe("a rule", () => {
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

  it("for high severity does not match medium", () => {
    expect(match({ min_severity: "high" })).toBeNull();
  });

  it("matches any service, environment and trigger unless it names some", () => {
    expect(match({ services: ["cart", "checkout"], envs: ["PROD"], triggers: ["event"] })).toBe("completed");
    expect(match({ services: ["cart"] })).toBeNull();
    expect(match({ envs: ["STAGING"] })).toBeNull();
    expect(match({ triggers: ["silence", "analyze"] })).toBeNull();
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
    expect(matchRule(ruleOf({ events: [...events] }), incidentOf({ decision }), "opened")).toBe(told);
  });
});
