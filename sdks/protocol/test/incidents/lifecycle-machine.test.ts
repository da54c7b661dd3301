import { hourMs } from "@whence/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  allowedActions,
  changeLifecycle,
  isQuiet,
  isRegressed,
  type Lifecycle,
  type LifecycleChange,
  lifecycleAt,
  lifecycleSchema,
  type Occurred,
  occurIn,
  openedLifecycle,
  type Transition,
} from "../../src/index.ts";

const start = Date.parse("2026-03-01T12:00:00.000Z");
const ada = { kind: "member", id: "usr_ada", name: "Ada" } as const;
const opened = openedLifecycle(new Date(start).toISOString());

function at(ms: number): Date {
  return new Date(start + ms);
}

function act(lifecycle: Lifecycle, change: LifecycleChange, ms = 0, releases: readonly string[] = []): Lifecycle {
  const result = changeLifecycle(lifecycle, { change, by: ada, releases, now: at(ms) });
  if (typeof result === "string") throw new Error(result);
  return result.lifecycle;
}

function occur(lifecycle: Lifecycle, ms: number, occurred: Partial<Occurred> = {}): Transition | null {
  const plain = { events: 1, at: at(ms).toISOString(), release: "1.0.0", releaseBefore: "1.0.0", isNewRelease: false };
  return occurIn(lifecycle, { ...plain, isRising: false, isInvestigated: true, ...occurred }, at(ms));
}

describe("a resolved incident", () => {
  const resolved = act(opened, { action: "resolve", in: "now" }, hourMs);

  it("regresses with the first event after it, is announced, and is investigated again", () => {
    const back = occur(resolved, 2 * hourMs, { release: "1.1.0", releaseBefore: "1.0.0" });
    expect(back).toMatchObject({
      announces: "returned",
      investigates: true,
      activity: { kind: "regressed", by: null },
    });
    expect(back?.lifecycle.renewal).toMatchObject({ release: "1.1.0", release_before: "1.0.0", same_cause: null });
    expect(back && isRegressed(back.lifecycle)).toBe(true);
  });

  it("stays resolved when an event from before is delivered late", () => {
    expect(occur(resolved, 2 * hourMs, { at: resolved.since })).toBeNull();
    expect(occur(resolved, 2 * hourMs, { at: at(hourMs + 1).toISOString() })).not.toBeNull();
  });

  it("regresses in another release only, when it was resolved in the next one", () => {
    const next = act(opened, { action: "resolve", in: "next-release" }, hourMs, ["0.9.0", "1.0.0"]);
    expect(occur(next, 2 * hourMs, { release: "0.9.0" })).toBeNull();
    expect(occur(next, 2 * hourMs, { release: "" })).toBeNull();
    expect(occur(next, 2 * hourMs, { release: "1.1.0" })?.activity?.kind).toBe("regressed");
  });

  it("is no longer a regression once someone acts on it", () => {
    const back = occur(resolved, 2 * hourMs)?.lifecycle ?? resolved;
    const muted = act(back, { action: "mute", until: { kind: "rise" } }, 3 * hourMs);
    expect(isRegressed(act(muted, { action: "reopen" }, 4 * hourMs))).toBe(false);
  });
});

describe("a muted incident", () => {
  it("is open once its time has passed, and says so with the next event", () => {
    const muted = act(opened, { action: "mute", until: { kind: "time", at: at(hourMs).toISOString() } });
    expect(lifecycleAt(muted, at(hourMs - 1)).state).toBe("muted");
    expect(lifecycleAt(muted, at(hourMs)).state).toBe("open");
    expect(occur(muted, hourMs - 1)).toBeNull();
    expect(occur(muted, hourMs)).toMatchObject({ announces: "returned", activity: { kind: "unmuted" } });
  });

  it("is open again after the given number of events", () => {
    const muted = act(opened, { action: "mute", until: { kind: "events", more: 10 } });
    const less = occur(muted, 1, { events: 9 });
    expect(less).toMatchObject({ activity: null, lifecycle: { state: "muted", mute: { more: 1 } } });
    expect(less && occur(less.lifecycle, 2)?.lifecycle.state).toBe("open");
  });

  it("is open when its failure spikes", () => {
    const muted = act(opened, { action: "mute", until: { kind: "rise" } });
    expect(occur(muted, 1, { events: 1_000 })).toBeNull();
    expect(occur(muted, 1, { isRising: true })?.lifecycle.state).toBe("open");
  });
});

describe("an open incident", () => {
  it("is investigated again in a new release, and stays silent", () => {
    const renewed = occur(opened, 1, { release: "2.0.0", isNewRelease: true });
    expect(renewed).toMatchObject({
      announces: null,
      investigates: true,
      lifecycle: { renewal: { why: "new-release" } },
    });
    expect(occur(opened, 1, { isNewRelease: true, isInvestigated: false })).toBeNull();
  });
});

describe("the lifecycle", () => {
  const change: fc.Arbitrary<LifecycleChange> = fc.oneof(
    fc.record({
      action: fc.constant("resolve" as const),
      in: fc.constantFrom("now" as const, "next-release" as const),
    }),
    fc.record({ action: fc.constantFrom("ignore" as const, "reopen" as const) }),
    fc.record({
      action: fc.constant("mute" as const),
      until: fc.oneof(
        fc.record({
          kind: fc.constant("time" as const),
          at: fc.integer({ min: 1, max: 99 }).map((h) => at(h * hourMs).toISOString()),
        }),
        fc.record({ kind: fc.constant("events" as const), more: fc.integer({ min: 1, max: 9 }) }),
        fc.constant({ kind: "rise" as const }),
      ),
    }),
  );
  const occurred = fc.record({
    events: fc.integer({ min: 1, max: 5 }),
    release: fc.constantFrom("", "1.0.0", "1.1.0"),
    isNewRelease: fc.boolean(),
    isRising: fc.boolean(),
    isInvestigated: fc.boolean(),
  });

  it("keeps its invariants over any sequence of actions and occurrences", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(change, occurred), { maxLength: 40 }), (inputs) => {
        let lifecycle = opened;
        for (const [index, input] of inputs.entries()) {
          const before = lifecycle;
          const ms = (index + 1) * hourMs;
          const result =
            "action" in input
              ? changeLifecycle(before, { change: input, by: ada, releases: ["1.0.0"], now: at(ms) })
              : occur(before, ms, input);
          if (result === null || typeof result === "string") continue;
          lifecycle = lifecycleSchema.parse(result.lifecycle);
          const { state, mute, resolved_in: how } = lifecycle;
          expect(mute !== null).toBe(state === "muted");
          expect(how !== null).toBe(state === "resolved");
          expect(lifecycle.returns - before.returns).toBe(result.announces === "returned" ? 1 : 0);
          expect(result.announces === "resolved").toBe("action" in input && input.action === "resolve");
          // Telemetry may open an incident, but never silences one.
          if (!("action" in input)) expect(isQuiet(lifecycle) && !isQuiet(before)).toBe(false);
          if (result.investigates) expect(state).toBe("open");
        }
      }),
    );
  });

  it("does the same for the second person as for the first", () => {
    fc.assert(
      fc.property(change, (one) => {
        const first = changeLifecycle(opened, { change: one, by: ada, releases: ["1.0.0"], now: at(0) });
        if (typeof first === "string") return;
        expect(changeLifecycle(first.lifecycle, { change: one, by: ada, releases: ["1.0.0"], now: at(0) })).toBe(
          "unchanged",
        );
      }),
    );
  });

  it("can be reopened from each state that isn't open", () => {
    for (const state of ["muted", "ignored", "resolved"] as const) expect(allowedActions(state)).toContain("reopen");
  });
});
