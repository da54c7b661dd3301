import { describe, expect, it } from "vitest";
import * as sdkLimits from "../../src/sdk-limits.ts";
import { PauseDebt } from "../../src/watch/pause-debt.ts";

describe("what stopping a program has cost", () => {
  it("is counted by the depth of the stack, which the time of reading doesn't include", () => {
    const debt = new PauseDebt(() => 0);
    debt.addStop(1, 0);
    const shallow = debt.owedMs;
    debt.addStop(61, 0);
    expect(debt.owedMs - 2 * shallow).toBeCloseTo(60 * sdkLimits.watchPauseMsPerCall);
  });

  it("is paid at a millisecond a second", () => {
    let now = 0;
    const debt = new PauseDebt(() => now);
    debt.addMs(20);
    now = 19_999;
    expect(debt.owedMs).toBeCloseTo(0.001);
    now += 2;
    expect(debt.owedMs).toBe(0);
    now += 60_000;
    debt.addMs(1);
    expect(debt.owedMs).toBe(1);
  });

  it("leaves requests that have failed before their whole time until a minute's worth is owed", () => {
    let now = 0;
    const debt = new PauseDebt(() => now);
    const watched: number[] = [];
    for (; debt.owedMsMaxOfFailed > 0; now += 1_000) {
      watched.push(debt.owedMsMaxOfFailed - debt.owedMs);
      debt.addMs(25);
    }
    expect(watched).toEqual([30, 30, 30]);
    now += 15_000;
    expect(debt.owedMsMaxOfFailed).toBeGreaterThan(debt.owedMs);
  });

  it("leaves other requests their whole time, and nothing while anything is owed", () => {
    const debt = new PauseDebt(() => 0);
    expect(debt.owedMsMaxOfGuess).toBe(30);
    debt.addMs(0.1);
    expect(debt.owedMsMaxOfGuess).toBe(0);
  });
});
