import type { Failure } from "@whence/protocol";
import type { KnownFailure } from "@whence/storage";
import { describe, expect, it } from "vitest";
import { decideFailure } from "../../src/intake/decide.ts";

const now = new Date("2026-03-01T12:00:00.000Z");

const failure: Failure = {
  event_id: "0195a000-0000-7000-8000-000000000001",
  fingerprint: "v1:0000000000000001",
  service: "orders",
  env: "PROD",
  release: "",
  type: "exception",
  level: "error",
  title: "TypeError: x",
  mechanism: "uncaughtException",
  handled: false,
  at: now.toISOString(),
};

const known: KnownFailure = {
  fingerprint: failure.fingerprint,
  service: "orders",
  env: "PROD",
  title: failure.title,
  firstSeen: failure.at,
  lastSeen: failure.at,
  incidentId: "inc_1",
  incidentStatus: "completed",
  decision: { outcome: "opened", rule: "new-failure", reason: "" },
  decidedAt: failure.at,
};

describe("a failure", () => {
  // requirement: service.trigger-telemetry
  it("opens an incident when it was never seen before", () => {
    const decided = decideFailure(failure, null, now);
    expect(decided).toMatchObject({
      decision: { outcome: "opened", rule: "new-failure" },
      incident: {
        title: "TypeError: x",
        service: "orders",
        trigger: { kind: "event", event_id: failure.event_id, handled: false },
        input: { kind: "event", eventId: failure.event_id },
      },
    });
  });

  it("joins the incident that it is known by, and names it", () => {
    const { decision } = decideFailure(failure, known, now);
    expect(decision).toMatchObject({ outcome: "joined", rule: "known-failure" });
    expect(decision.reason).toContain("inc_1");
  });

  // requirement: telemetry.only-prod-triggers
  it.each(["prod", "STAGING", "production", "PROD "])("is left alone, with the reason, in environment %j", (env) => {
    const { decision } = decideFailure({ ...failure, env }, null, now);
    expect(decision).toMatchObject({ outcome: "skipped", rule: "env-not-monitored" });
    expect(decision.reason).toContain(env);
  });

  it("is the worse, the less was caught of it", () => {
    const severity = (changes: Partial<Failure>) => {
      const decided = decideFailure({ ...failure, ...changes }, null, now);
      return "incident" in decided ? decided.incident.severity : undefined;
    };
    expect(severity({})).toBe("critical");
    expect(severity({ handled: true, level: "critical" })).toBe("high");
    expect(severity({ handled: true })).toBe("medium");
    expect(severity({ handled: true, type: "log" })).toBe("low");
  });
});
