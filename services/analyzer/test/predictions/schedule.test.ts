import { hourMs, minuteMs, type Watch } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { Seen } from "../../src/predictions/look.ts";
import { arrivalMs, nextLookAt, settledFrom } from "../../src/predictions/schedule.ts";
import { at, failure, reportedAt } from "./telemetry.ts";

const watch: Watch = { ...failure, kind: "failure-continues", release: "1.0" };
const due = at(24 * 60);
const dueMs = reportedAt + 24 * hourMs;
const saw = (outcome: Seen["outcome"]) => async (): Promise<Seen> => ({ outcome, reason: "so", counts: { events: 1 } });

describe("the checks of a prediction", () => {
  const day = 24 * 60;
  /** In minutes, of a look so many minutes after the report. */
  const interval = (dueIn: number, passed: number) =>
    (nextLookAt({ watch, due: at(dueIn) }, reportedAt + passed * minuteMs).getTime() - reportedAt) / minuteMs - passed;

  it("are a 24th of its span apart, no closer than 5 minutes and no further apart than 6 hours", () => {
    expect(interval(day, 300)).toBe(60);
    expect(interval(60, 10)).toBe(5);
    expect(interval(60 * day, 10 * day)).toBe(6 * 60);
  });

  it("come sooner at the beginning, each after as long again", () => {
    expect([0, 5, 10, 20, 40, 80].map((passed) => interval(day, passed))).toEqual([5, 5, 10, 20, 40, 60]);
  });

  it("end with one when what happened before `due` has arrived", () => {
    expect(nextLookAt({ watch, due }, dueMs - 1).getTime()).toBe(dueMs + arrivalMs);
  });
});

describe("a check", () => {
  it("stays open while it can't decide, until `due` has passed and everything has arrived, and then says why", async () => {
    expect(await settledFrom({ watch, due }, dueMs + arrivalMs - 1, saw("open"))).toBeNull();
    const now = dueMs + arrivalMs;
    expect(await settledFrom({ watch, due }, now, saw("open"))).toEqual({
      state: "undecided",
      result: { at: new Date(now).toISOString(), reason: "so", counts: { events: 1 }, excerpt: null },
    });
  });

  it("settles at once what it can decide", async () => {
    for (const outcome of ["upheld", "refuted"] as const) {
      expect(await settledFrom({ watch, due }, reportedAt + 1, saw(outcome))).toMatchObject({ state: outcome });
    }
  });

  it("considers what happened from the report to now, and never beyond `due`", async () => {
    const looked: unknown[] = [];
    const see = async (look: unknown): Promise<Seen> => {
      looked.push(look);
      return saw("open")();
    };
    await settledFrom({ watch, due }, reportedAt + hourMs, see);
    await settledFrom({ watch, due }, dueMs + 10 * hourMs, see);
    expect(looked).toEqual([
      { from: reportedAt, to: reportedAt + hourMs, isDue: false },
      { from: reportedAt, to: dueMs, isDue: true },
    ]);
  });
});
