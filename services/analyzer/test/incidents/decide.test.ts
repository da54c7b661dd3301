import {
  dayMs,
  type Failure,
  hourMs,
  type InstructedThresholds,
  incidentThresholdsSchema,
  type LifecycleState,
  minuteMs,
  secondMs,
} from "@whence/protocol";
import type { DecidedFailure, KnownFailure } from "@whence/storage";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { decide } from "../../src/incidents/decide/decide.ts";
import { groupFailures } from "../../src/incidents/decide/failure-group.ts";
import { spikeEventsMin, spikeEveryMs } from "../../src/incidents/decide/opening.ts";

const start = Date.parse("2026-03-01T12:00:00.000Z");

const failure = (changes: Partial<Failure> = {}): Failure => ({
  event_id: "0195a000-0000-7000-8000-000000000001",
  fingerprint: "v1:0000000000000001",
  service: "orders",
  env: "PROD",
  release: "1",
  type: "exception",
  level: "error",
  title: "TypeError: x",
  mechanism: "uncaughtException",
  handled: true,
  at: new Date(start).toISOString(),
  ...changes,
});

type Thresholds = z.input<typeof incidentThresholdsSchema> & Pick<InstructedThresholds, "production_envs">;

/** A failure as the repository would keep it, and what each batch of occurrences leads to. */
class Life {
  known: KnownFailure | null = null;
  readonly rules: string[] = [];
  last: DecidedFailure | undefined;
  state: LifecycleState = "open";

  readonly thresholds: Thresholds;

  constructor(thresholds: Thresholds = {}) {
    this.thresholds = thresholds;
  }

  /** `count` occurrences at the same moment, `ms` after the start. */
  at(ms: number, changes: Partial<Failure> = {}, count = 1, mayOpen = true): this {
    const time = new Date(start + ms).toISOString();
    const [group] = groupFailures(Array.from({ length: count }, () => failure({ ...changes, at: time })));
    if (!group) throw new Error("no group");
    const origin = { kind: "failure", group } as const;
    const thresholds = { ...this.thresholds, ...incidentThresholdsSchema.parse(this.thresholds) };
    const decided = decide(origin, this.known, thresholds, new Date(time));
    const taken = "incident" in decided && !mayOpen ? { ...decided, ...decided.otherwise } : decided;
    this.last = decided;
    this.rules.push(taken.decision.rule);
    const incidentId = taken.decision.outcome === "opened" ? `inc_${this.rules.length}` : this.known?.incidentId;
    this.known = {
      ...{ fingerprint: "f", service: "orders", env: "PROD", title: taken.title, history: taken.history },
      ...{ firstSeen: this.known?.firstSeen ?? time, lastSeen: time, incidentId: incidentId ?? null },
      ...{ incidentStatus: "completed", incidentState: this.state, isHeld: false, joined: null },
      ...{ decision: taken.decision, decidedAt: time },
    };
    return this;
  }

  /** Someone decided this about its incident. */
  becomes(state: LifecycleState): this {
    this.state = state;
    if (this.known) this.known = { ...this.known, incidentState: state };
    return this;
  }

  opened(): number {
    return this.rules.filter((rule) => openings.includes(rule)).length;
  }
}

const openings = ["new-failure", "regressed-after-quiet", "regressed-in-release", "spike"];

describe("a failure whose incident was resolved, ignored, or muted", () => {
  it.each(["resolved", "ignored", "muted"] as const)(
    "opens no other one when it is %s, in whatever form it returns",
    (state) => {
      const life = new Life()
        .at(0)
        .becomes(state)
        .at(30 * 24 * hourMs, { release: "9" });
      expect(life.last).toMatchObject({ decision: { outcome: "joined", rule: "known-failure" }, isRising: false });
      expect(life.at(31 * 24 * hourMs, {}, 1_000).last).toMatchObject({
        decision: { outcome: "joined" },
        isRising: true,
      });
    },
  );
});

describe("a new failure", () => {
  // requirement: service.trigger-telemetry
  it("opens an incident at its first event", () => {
    expect(new Life().at(0).last).toMatchObject({
      decision: { outcome: "opened", rule: "new-failure" },
      incident: {
        title: "TypeError: x",
        service: "orders",
        trigger: { kind: "event", event_id: failure().event_id, handled: true },
        input: { kind: "event", eventId: failure().event_id },
      },
    });
  });

  // requirement: telemetry.only-prod-triggers
  it.each(["prod", "STAGING", "production", "PROD "])("is skipped, with the reason, in environment %j", (env) => {
    const decision = new Life().at(0, { env }).last?.decision;
    expect(decision).toMatchObject({ outcome: "skipped", rule: "env-not-monitored" });
    expect(decision?.reason).toContain(env);
  });

  it("waits for as many occurrences as the organization wants, within its window", () => {
    const slow = new Life({ min_events: 3, window_minutes: 5 })
      .at(0)
      .at(6 * minuteMs)
      .at(12 * minuteMs);
    expect(slow.rules).toEqual(["below-threshold", "below-threshold", "below-threshold"]);
    const fast = new Life({ min_events: 3, window_minutes: 5 })
      .at(0)
      .at(secondMs)
      .at(2 * secondMs)
      .at(3 * secondMs);
    expect(fast.rules).toEqual(["below-threshold", "below-threshold", "new-failure", "known-failure"]);
    expect(new Life({ min_events: 3 }).at(0, {}, 3).rules).toEqual(["new-failure"]);
  });

  it("is skipped while it or its service is muted, and opens one once it isn't", () => {
    expect(new Life({ muted_fingerprints: [failure().fingerprint] }).at(0).rules).toEqual(["muted-failure"]);
    const muted = new Life({ muted_services: ["orders"] }).at(0);
    expect(muted.rules).toEqual(["muted-service"]);
    const unmuted = new Life();
    unmuted.known = muted.known;
    expect(unmuted.at(secondMs).rules).toEqual(["new-failure"]);
  });

  it("opens one in an environment that the custom instructions call production", () => {
    const elsewhere = { env: "prod-eu" };
    expect(new Life().at(0, elsewhere).rules).toEqual(["env-not-monitored"]);
    expect(new Life({ production_envs: ["prod-eu"] }).at(0, elsewhere).rules).toEqual(["new-failure"]);
    expect(new Life({ production_envs: ["prod-eu"] }).at(0, { env: "staging" }).rules).toEqual(["env-not-monitored"]);
  });

  it("is more severe the less of it was handled", () => {
    const severity = (changes: Partial<Failure>) => {
      const { last } = new Life().at(0, changes);
      return last && "incident" in last ? last.incident.severity : undefined;
    };
    expect(severity({ handled: false })).toBe("critical");
    expect(severity({ level: "critical" })).toBe("high");
    expect(severity({})).toBe("medium");
    expect(severity({ type: "log" })).toBe("low");
  });
});

describe("a known failure", () => {
  it("joins its incident, and names it", () => {
    const { last, rules } = new Life().at(0).at(secondMs);
    expect(rules).toEqual(["new-failure", "known-failure"]);
    expect(last?.decision).toMatchObject({ outcome: "joined" });
    expect(last?.decision.reason).toContain("inc_1");
  });

  it("opens another when it is back after the quiet period, and not a moment earlier", () => {
    const back = (ms: number) => new Life({ quiet_hours: 24 }).at(0).at(ms).rules.at(-1);
    expect(back(dayMs - 1)).toBe("known-failure");
    expect(back(dayMs)).toBe("regressed-after-quiet");
  });

  it("that recurs once in a while doesn't count as back each time", () => {
    const rare = new Life({ quiet_hours: 24 });
    for (let time = 0; time < 30; time++) rare.at(time * 30 * hourMs);
    // Its usual gap is unknown until it was seen three times.
    expect(rare.opened()).toBe(3);
    expect(new Set(rare.rules.slice(3))).toEqual(new Set(["known-failure"]));
  });

  it("opens another when it is back in another release after having been away", () => {
    const fixed = new Life();
    for (let minute = 0; minute < 10; minute++) fixed.at(minute * minuteMs);
    fixed.at(4 * hourMs, { release: "2" }).at(4 * hourMs + 1, { release: "2" });
    expect(fixed.rules.slice(-2)).toEqual(["regressed-in-release", "known-failure"]);
    expect(fixed.last?.history.release).toBe("2");
  });

  it("that continues across releases, old and new side by side, joins", () => {
    const through = new Life();
    for (let minute = 0; minute < 600; minute++) through.at(minute * minuteMs, { release: `${minute % 2}` });
    expect(through.opened()).toBe(1);
  });

  it("opens another when it spikes, once for all waves of the spike", () => {
    const life = new Life({ spike_factor: 5 });
    for (let hour = 0; hour < 24; hour++) life.at(hour * hourMs, {}, 4);
    const limit = spikeEventsMin;
    life.at(dayMs + 1, {}, limit - 5);
    expect(life.opened()).toBe(1);
    life.at(dayMs + 2, {}, limit);
    expect(life.rules.at(-1)).toBe("spike");
    for (let wave = 1; wave < 12; wave++) life.at(dayMs + wave * 20 * minuteMs, {}, 10 * limit * wave);
    expect(life.opened()).toBe(2);
    life.at(dayMs + 2 * spikeEveryMs, {}, 12_000);
    expect(life.opened()).toBe(3);
  });

  it("that is always there, with its daily pattern, opens one incident in thirty days", () => {
    const steady = new Life();
    for (let hour = 0; hour < 30 * 24; hour++) {
      const isNight = hour % 24 < 8;
      steady.at(hour * hourMs, { release: `${Math.floor(hour / 30)}` }, isNight ? 1 : 40);
    }
    expect(steady.rules.filter((rule) => rule !== "known-failure")).toEqual(["new-failure", "spike"]);
  });

  it("isn't a spike in the hour it was first seen", () => {
    expect(new Life().at(0).at(minuteMs, {}, 10_000).rules).toEqual(["new-failure", "known-failure"]);
  });
});

describe("a failure beyond the budget", () => {
  it("is recorded as such, and opens its incident when it occurs after the budget is back", () => {
    const life = new Life({ incidents_per_hour: 3 }).at(0, {}, 1, false).at(secondMs, {}, 1, false).at(hourMs);
    expect(life.rules).toEqual(["budget-spent", "budget-spent", "new-failure"]);
    expect(life.last?.history.deferred).toBeNull();
  });

  it("keeps its reason to open, although it hasn't been away since", () => {
    const life = new Life({ quiet_hours: 24 })
      .at(0)
      .at(2 * dayMs, {}, 1, false)
      .at(2 * dayMs + secondMs)
      .at(3 * dayMs);
    expect(life.rules).toEqual(["new-failure", "budget-spent", "regressed-after-quiet", "known-failure"]);
  });

  it("leaves a quarter of the budget to new failures and to critical ones", () => {
    const allowed = (life: Life) => (life.last && "incident" in life.last ? life.last.allowance.max : 0);
    const known = () => new Life({ incidents_per_hour: 8, quiet_hours: 1 }).at(0);
    expect(allowed(new Life({ incidents_per_hour: 8 }).at(0))).toBe(8);
    expect(allowed(known().at(dayMs))).toBe(6);
    expect(allowed(known().at(dayMs, { handled: false }))).toBe(8);
    expect(allowed(new Life({ incidents_per_hour: 1, quiet_hours: 1 }).at(0).at(dayMs))).toBe(1);
  });
});

describe("what is investigated first", () => {
  const priority = (changes: Partial<Failure>, count = 1): number => {
    const { last } = new Life().at(0, changes, count);
    return (last && "incident" in last && last.incident.priority) || 0;
  };

  it("is the more severe one, then the more frequent one, then the new one", () => {
    expect(priority({ handled: false })).toBeGreaterThan(priority({}, 100_000));
    expect(priority({}, 50)).toBeGreaterThan(priority({}, 10));
    const back = new Life({ quiet_hours: 1 }).at(0).at(dayMs).last;
    expect(priority({})).toBeGreaterThan((back && "incident" in back && back.incident.priority) || 0);
  });

  it("follows the rate while the investigation waits", () => {
    const life = new Life().at(0);
    if (life.known) life.known = { ...life.known, incidentStatus: "queued" };
    const decided = life.at(secondMs, {}, 500).last;
    expect(decided && "priority" in decided ? decided.priority : 0).toBeGreaterThan(priority({}));
  });
});

it("opens no more incidents for a failure than it has reasons, whatever its times are", () => {
  const step = fc.record({ gapMs: fc.nat(10 * dayMs), count: fc.integer({ min: 1, max: 50 }) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
      const life = new Life({ quiet_hours: 24 });
      let ms = 0;
      for (const { gapMs, count } of steps) {
        ms += gapMs;
        life.at(ms, {}, count);
      }
      const quiet = steps.slice(1).filter(({ gapMs }) => gapMs >= dayMs).length;
      const spikes = life.rules.filter((rule) => rule === "spike").length;
      expect(life.opened()).toBeLessThanOrEqual(1 + quiet + spikes);
      expect(spikes).toBeLessThanOrEqual(1 + ms / spikeEveryMs);
      expect(life.last?.history.events).toBe(steps.reduce((sum, { count }) => sum + count, 0));
    }),
  );
});
