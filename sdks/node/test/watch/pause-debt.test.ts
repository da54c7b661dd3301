import { describe, expect, it } from "vitest";
import * as sdkLimits from "../../src/sdk-limits.ts";
import { PauseDebt } from "../../src/watch/pause-debt.ts";

describe("what stopping a program has cost", () => {
  it("is counted by the depth of the stack, which the time of reading doesn't include", () => {
    const [shallow, deep] = [new PauseDebt(() => 0), new PauseDebt(() => 0)];
    let stops = 0;
    for (; !deep.isUsedUp; stops += 1) deep.addStop(60, 0);
    for (let stop = 0; stop < stops; stop += 1) shallow.addStop(1, 0);
    expect(shallow.isUsedUp).toBe(false);
    expect(stops).toBe(4);
  });

  it("is used up at its limit, and is paid at a millisecond a second", () => {
    let now = 0;
    const debt = new PauseDebt(() => now);
    debt.addMs(sdkLimits.watchPauseMsMax - 0.01);
    expect(debt.isUsedUp).toBe(false);
    debt.addMs(0.01);
    expect(debt.isUsedUp).toBe(true);
    now = 1_000 * sdkLimits.watchPauseMsMax - 1;
    expect(debt.isPaid).toBe(false);
    now += 2;
    expect(debt.isPaid).toBe(true);
  });
});
